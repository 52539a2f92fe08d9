import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux gives those from here on to whoever asks for any port and to every outgoing connection, other systems higher ones. */
const GIVEN_AWAY_FROM = 32_768

/** For a program that must be told its port: nobody is given this one between now and its start, or until its restart. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, GIVEN_AWAY_FROM)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return await freePort()
  server.close()
  await once(server, 'close')
  return port
}

/**
 * The shell outlives us on purpose: however this process ends, SIGKILL included, the pipe to `cat` closes, and then the
 * program is asked to end, and made to when it does not.
 */
const KEEPER = `"$@" </dev/null & program=$!; echo $program; cat >/dev/null; kill -TERM $program
for _ in $(seq 200); do kill -0 $program || exit 0; sleep 0.1; done; kill -KILL $program`

export type RunningProcess = {
  /** Of the program itself. */
  pid: number
  /** Everything it has said. */
  output: () => string
  /** Asks it to end, and resolves when it has. */
  stop: () => Promise<void>
}

/** A program that does not outlive this process. */
export async function keep(command: readonly string[], env: Record<string, string> = {}): Promise<RunningProcess> {
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', ...command], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  const spawned = Promise.withResolvers<number>()
  keeper.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    spawned.resolve(Number.parseInt(output, 10))
  })
  keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const gone = once(keeper, 'exit')
  keeper.once('error', spawned.reject)
  return {
    pid: await spawned.promise,
    output: () => output,
    stop: async () => {
      keeper.stdin?.end()
      await gone
    },
  }
}

/** Asks again and again; `what` says what did not come about in time. */
export async function until(what: () => string, msMax: number, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + msMax
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(what())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

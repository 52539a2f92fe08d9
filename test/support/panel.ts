import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitMs } from './slowness.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const START_MS_MAX = limitMs(30_000)

/** For NODE_COMPILE_CACHE of a process that a test starts: it needs half as long when Node has read our files before. */
export const compileCache = join(root, 'node_modules', '.cache', 'node')

/** The real server, with a folder and a port of its own. */
export type Panel = {
  url: string
  dataDir: string
  /** Of the demonstration's ERP; one that was started again has a new one. */
  erpUrl: () => string
  /** Resolves when its process is gone. */
  kill: (signal?: NodeJS.Signals) => Promise<unknown>
  /** The same folder and port again, after `kill`. Resolves when it is healthy. */
  restart: () => Promise<void>
  /** Stops it gently and removes its folder. */
  stop: () => Promise<void>
}

export type PanelProcess = Panel & {
  /** Of the server's process now running. */
  pid: () => number
  /** Everything it printed so far, over all its lives. */
  logs: () => string
  /** Resolves when the process and its children are gone, with its exit code (null after a signal). */
  kill: (signal?: NodeJS.Signals) => Promise<number | null>
}

const running = new Set<ChildProcess>()

/** To the whole group: a child of the server must not outlive it. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (child.pid) process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
process.on('exit', () => {
  for (const child of running) signalGroup(child, 'SIGKILL')
})

/** Resolves to where it listens. `known` is where a server listens that still waits for its database and says nothing. */
async function untilHealthy(child: ChildProcess, known: string | null, logs: () => string): Promise<string> {
  const giveUpAt = performance.now() + START_MS_MAX
  for (;;) {
    const url = known ?? /^Painel Industrial: (\S+)$/m.exec(logs())?.[1]
    const answer = url ? await fetch(`${url}/health`).catch(() => null) : null
    if (url && answer?.ok) return url
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The panel did not start:\n${logs()}`)
    if (performance.now() > giveUpAt) {
      signalGroup(child, 'SIGKILL')
      throw new Error(`The panel was not healthy within ${START_MS_MAX / 1000} s:\n${logs()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

type PanelOptions = {
  env?: Record<string, string>
  /** The folder that it is installed in. */
  installedIn?: string
  /** Where something expects it, or before it can say where; otherwise it takes any and says which. */
  port?: number
}

/** In a process of its own. */
export async function startPanel({ env = {}, installedIn = root, port = 0 }: PanelOptions = {}): Promise<PanelProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'painel-'))
  let url = port ? `http://127.0.0.1:${port}` : null
  let printed = ''
  let child: ChildProcess
  const spawnServer = async () => {
    // Nothing of the caller's own settings: a test says all that it depends on.
    const { PATH = '', HOME = '' } = process.env
    const started = spawn(process.execPath, ['src/server/main.ts'], {
      cwd: installedIn,
      detached: true,
      env: {
        PATH,
        HOME,
        NODE_COMPILE_CACHE: compileCache,
        PORT: url === null ? '0' : new URL(url).port,
        DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    running.add(started)
    started.once('exit', () => running.delete(started))
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    }
    url = await untilHealthy(started, url, () => printed)
    return url
  }
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    const hasExited = child.exitCode !== null || child.signalCode !== null
    const exited = hasExited ? null : once(child, 'exit')
    signalGroup(child, signal)
    await exited
    return child.exitCode
  }
  const address = await spawnServer().catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    throw error
  })
  return {
    url: address,
    dataDir,
    erpUrl: () => [...printed.matchAll(/ERP simulado: (\S+)/g)].at(-1)?.[1] ?? '',
    pid: () => child.pid ?? 0,
    logs: () => printed,
    kill,
    restart: async () => void (await spawnServer()),
    stop: async () => {
      await kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

export const USER_PASSWORD = 'senha-do-operador'

/** A command of the same installation. */
export const runUserCommand = (args: string[], env: Record<string, string>, input = `${USER_PASSWORD}\n`) =>
  spawnSync(process.execPath, ['src/server/commands/user.ts', ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
    input,
    encoding: 'utf8',
  })

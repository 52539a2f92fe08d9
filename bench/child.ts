import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type Sqlite from 'better-sqlite3'
import type { Config } from '../src/server/config.ts'

/** `noted`: the statements that run are noted, for the check that both servers run the same ones. */
export type ServerOptions = { database: Config['database']; noted: boolean }

export type ChildServer = {
  port: number
  /** The statements that ran since it was last asked, in order. */
  statements(): Promise<string[]>
  /** Time of processor that it has used since it began. */
  cpuMs(): Promise<number>
  /** Resident memory. */
  memoryMb(): Promise<number>
  stop(): Promise<void>
}

export type Question = 'statements' | 'cpu' | 'memory' | 'away' | 'back' | 'stored'

/** As `./painel` starts it. */
export const leanFlags = ['--max-semi-space-size=2', '--no-maglev', '--v8-pool-size=1']

async function answerOf<T>(child: ChildProcess, question?: Question): Promise<T> {
  if (question) child.send(question)
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}

export async function startServer(name: 'our' | 'bare', options: ServerOptions): Promise<ChildServer> {
  const file = fileURLToPath(new URL(`${name}-server.ts`, import.meta.url))
  const profile = process.env.BENCH_PROFILE === name && !options.noted ? ['--cpu-prof'] : []
  const execArgv = [...leanFlags, ...profile]
  const child = fork(file, [JSON.stringify(options)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const died = once(child, 'exit').then(() => Promise.reject(new Error(`the ${name} server ended`)))
  died.catch(() => {})
  const port = await Promise.race([answerOf<number>(child), died])
  return {
    port,
    statements: () => answerOf(child, 'statements'),
    cpuMs: () => answerOf(child, 'cpu'),
    memoryMb: () => answerOf(child, 'memory'),
    stop: () => stop(child),
  }
}

export type ErpServer = {
  /** As `ERP_URL` names it. */
  url: string
  /** It refuses connections until it comes back. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** Ids of what it has stored, in order. */
  storedIds(): Promise<string[]>
  stop(): Promise<void>
}

/** The imitated ERP, in a process of its own. */
export async function startErp(): Promise<ErpServer> {
  const file = fileURLToPath(new URL('erp-server.ts', import.meta.url))
  const child = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    url: await answerOf(child),
    goAway: () => answerOf(child, 'away'),
    comeBack: () => answerOf(child, 'back'),
    storedIds: () => answerOf(child, 'stored'),
    stop: () => stop(child),
  }
}

/** Of the child: tells where it listens, and what it costs when asked. It ends with its parent. */
export function tellPort(server: Server): void {
  process.once('disconnect', () => process.exit(0))
  process.on('message', (question: Question) => {
    const { user, system } = process.cpuUsage()
    if (question === 'cpu') process.send?.((user + system) / 1000)
    if (question === 'memory') process.send?.(process.memoryUsage.rss() / 1_000_000)
  })
  process.send?.((server.address() as AddressInfo).port)
}

type Preparing = Pick<Sqlite.Database, 'prepare' | 'close'>

/** Of the child: notes the text of every statement each time it runs. */
export function noteStatements(sqlite: Preparing): Preparing {
  let noted: string[] = []
  process.on('message', (question: Question) => {
    if (question !== 'statements') return
    process.send?.(noted)
    noted = []
  })
  const noting = new Set(['all', 'get', 'run'])
  return {
    prepare: ((text: string) => {
      const statement = sqlite.prepare(text)
      return new Proxy(statement, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          if (noting.has(String(name))) noted.push(target.source)
          return value.bind(target)
        },
      })
    }) as Sqlite.Database['prepare'],
    close: () => sqlite.close(),
  }
}

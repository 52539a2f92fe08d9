import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type Sqlite from 'better-sqlite3'

/** `noted`: the statements that run are noted, for the check that both servers run the same ones. */
export type ServerOptions = { file: string; noted: boolean }

export type ChildServer = {
  port: number
  /** The statements that ran since it was last asked, in order. */
  statements(): Promise<string[]>
  stop(): Promise<void>
}

const ask = async <T>(child: ChildProcess): Promise<T> => {
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}

export async function startServer(name: 'our' | 'bare', options: ServerOptions): Promise<ChildServer> {
  const file = fileURLToPath(new URL(`${name}-server.ts`, import.meta.url))
  const execArgv = process.env.BENCH_PROFILE === name && !options.noted ? ['--cpu-prof'] : []
  const child = fork(file, [JSON.stringify(options)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const died = once(child, 'exit').then(() => Promise.reject(new Error(`the ${name} server ended`)))
  died.catch(() => {})
  const port = await Promise.race([ask<number>(child), died])
  return {
    port,
    async statements() {
      child.send('statements')
      return await ask<string[]>(child)
    },
    async stop() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

/** Of the child: where it listens. It ends with its parent. */
export function tellPort(server: Server): void {
  process.once('disconnect', () => process.exit(0))
  process.send?.((server.address() as AddressInfo).port)
}

type Preparing = Pick<Sqlite.Database, 'prepare' | 'close'>

/** Of the child: notes the text of every statement each time it runs. */
export function noteStatements(sqlite: Preparing): Preparing {
  let noted: string[] = []
  process.on('message', () => {
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

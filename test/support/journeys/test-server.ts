import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache, type Panel } from '../panel.ts'
import type { Reply, Request, Start } from './server-process.ts'

type Options = Partial<Start> & {
  /** Copied for this panel; without one its folder is empty, as at a first start. */
  template?: string
}

function launchProcess() {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NODE_COMPILE_CACHE: compileCache }
  const child = fork(join(import.meta.dirname, 'server-process.ts'), { env, execArgv: [] })
  const waiting: ((reply: Reply) => void)[] = []
  child.on('message', (reply: Reply) => waiting[reply.id]?.(reply))
  child.once('exit', () => {
    waiting.forEach((resolve, id) => {
      resolve({ id, error: 'the server process has ended' })
    })
  })
  const ask = async (what: Request['what']): Promise<Reply> => {
    const reply = await new Promise<Reply>((resolve) => child.send({ id: waiting.push(resolve) - 1, what }))
    if (reply.error !== undefined) throw new Error(reply.error)
    return reply
  }
  const kill = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return { ask, kill }
}

/** One process a worker, in which the panel of a journey starts within a moment. */
export class TestServer {
  #process: ReturnType<typeof launchProcess> | null = null
  readonly #templates = new Map<string, Promise<string>>()
  readonly #folders = new Set<string>()

  #ask(what: Request['what']): Promise<Reply> {
    this.#process ??= launchProcess()
    return this.#process.ask(what)
  }

  /** Whatever else it holds ends with it, as on a machine that loses its power. */
  async #kill(signal: NodeJS.Signals): Promise<void> {
    const killed = this.#process
    this.#process = null
    await killed?.kill(signal)
  }

  async #makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'painel-'))
    this.#folders.add(folder)
    return folder
  }

  async #remove(folder: string): Promise<void> {
    this.#folders.delete(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  async start({ env = {}, erpSpeed = 0, template }: Options = {}): Promise<Panel> {
    const dataDir = await this.#makeFolder()
    if (template) await cp(template, dataDir, { recursive: true })
    const launch = (port: string) => this.#ask({ start: { env: { DATA_DIR: dataDir, PORT: port, ...env }, erpSpeed } })
    const { origin = '', erpUrl: firstErpUrl = '' } = await launch('0')
    let erpUrl = firstErpUrl
    return {
      url: origin,
      dataDir,
      erpUrl: () => erpUrl,
      kill: async (signal = 'SIGKILL') => await this.#kill(signal),
      restart: async () => {
        erpUrl = (await launch(new URL(origin).port)).erpUrl ?? ''
      },
      stop: async () => {
        await this.#ask({ stop: origin })
        await this.#remove(dataDir)
      },
    }
  }

  /** Puts the clock of a panel's server ahead. */
  async advance({ url: origin }: Panel, ms: number): Promise<void> {
    await this.#ask({ advance: { origin, ms } })
  }

  /** What a first start leaves in its folder: made once a worker. */
  template(name: string, options: Options = {}): Promise<string> {
    const make = async () => {
      const { url, dataDir } = await this.start(options)
      await this.#ask({ stop: url })
      return dataDir
    }
    const template = this.#templates.get(name) ?? make()
    this.#templates.set(name, template)
    return template
  }

  async end(): Promise<void> {
    await this.#kill('SIGKILL')
    for (const folder of this.#folders) await this.#remove(folder)
  }
}

// A process that holds running panels, each with a folder and a port of its own: its modules are loaded once for all
// journeys of a worker. It ends with whoever started it.
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { demonstration } from '../../../demo/seed.ts'
import { ConfigError, readConfig } from '../../../src/server/config.ts'
import { type Demonstration, type RunningServer, StartError, startServer } from '../../../src/server/start.ts'

export type Start = {
  env: Record<string, string>
  /** Of the demonstration's ERP: 0 answers at once, 1 as in the field. */
  erpSpeed: number
}
export type Request = {
  id: number
  what: { start: Start } | { stop: string } | { advance: { origin: string; ms: number } }
}
export type Reply = { id: number; origin?: string; erpUrl?: string; error?: string }

const running = new Map<string, RunningServer>()
/** How far the clock of each is ahead, in ms. */
const ahead = new Map<string, number>()

async function start({ env, erpSpeed }: Start): Promise<Omit<Reply, 'id'>> {
  const { dataDir } = readConfig(env)
  // the folder goes with the journey: a line after that would end all other panels of this process
  const out = { write: (line: string) => existsSync(dataDir) && appendFileSync(join(dataDir, 'server.log'), line) }
  let erpUrl = ''
  let origin = ''
  const withUrl: Demonstration = {
    ...demonstration,
    async startErp(demoConfig) {
      const erp = await demonstration.startErp({ ...demoConfig, demoErp: { ...demoConfig.demoErp, speed: erpSpeed } })
      erpUrl = erp.url
      return erp
    },
  }
  const server = await startServer(env, {
    now: () => Date.now() + (ahead.get(origin) ?? 0),
    out,
    loadDemonstration: async () => withUrl,
    isTerminal: false,
  })
  origin = server.origin
  running.set(origin, server)
  return { origin, erpUrl }
}

async function stop(origin: string): Promise<Omit<Reply, 'id'>> {
  const server = running.get(origin)
  running.delete(origin)
  ahead.delete(origin)
  await server?.stop()
  return {}
}

async function advance({ origin, ms }: { origin: string; ms: number }): Promise<Omit<Reply, 'id'>> {
  ahead.set(origin, (ahead.get(origin) ?? 0) + ms)
  return {}
}

const sentenceOf = (error: unknown) =>
  error instanceof StartError || error instanceof ConfigError ? error.message : String((error as Error).stack)

process.on('message', ({ id, what }: Request) => {
  const answered = 'start' in what ? start(what.start) : 'stop' in what ? stop(what.stop) : advance(what.advance)
  answered.then(
    (reply) => process.send?.({ id, ...reply }),
    (error: unknown) => process.send?.({ id, error: sentenceOf(error) }),
  )
})
process.on('disconnect', () => process.exit(0))

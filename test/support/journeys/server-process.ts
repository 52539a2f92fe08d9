// A process that holds running panels, each with a folder and a port of its own: its modules are loaded once for all
// journeys of a worker. It ends with whoever started it.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { demonstration } from '../../../demo/seed.ts'
import { ConfigError, readConfig } from '../../../src/server/config.ts'
import { type Demonstration, type RunningServer, StartError, startServer } from '../../../src/server/start.ts'

export type Start = {
  env: Record<string, string>
  /** Of the demonstration's ERP: 0 answers at once, 1 as in the field. */
  erpSpeed: number
}
export type Request = { id: number; what: { start: Start } | { stop: string } }
export type Reply = { id: number; origin?: string; erpUrl?: string; error?: string }

const running = new Map<string, RunningServer>()

async function start({ env, erpSpeed }: Start): Promise<Omit<Reply, 'id'>> {
  const { dataDir } = readConfig(env)
  const out = { write: (line: string) => appendFileSync(join(dataDir, 'server.log'), line) }
  let erpUrl = ''
  const withUrl: Demonstration = {
    ...demonstration,
    async startErp(demoConfig) {
      const erp = await demonstration.startErp({ ...demoConfig, demoErp: { ...demoConfig.demoErp, speed: erpSpeed } })
      erpUrl = erp.url
      return erp
    },
  }
  const server = await startServer(env, {
    now: Date.now,
    out,
    loadDemonstration: async () => withUrl,
    isTerminal: false,
  })
  running.set(server.origin, server)
  return { origin: server.origin, erpUrl }
}

async function stop(origin: string): Promise<Omit<Reply, 'id'>> {
  const server = running.get(origin)
  running.delete(origin)
  await server?.stop()
  return {}
}

const sentenceOf = (error: unknown) =>
  error instanceof StartError || error instanceof ConfigError ? error.message : String((error as Error).stack)

process.on('message', ({ id, what }: Request) => {
  const answered = 'start' in what ? start(what.start) : stop(what.stop)
  answered.then(
    (reply) => process.send?.({ id, ...reply }),
    (error: unknown) => process.send?.({ id, error: sentenceOf(error) }),
  )
})
process.on('disconnect', () => process.exit(0))

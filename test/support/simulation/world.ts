import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { ErpSimulator } from '../../../demo/simulator/simulator.ts'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import { openPanel, type Panel } from '../../../src/server/app.ts'
import type { ErpGateway } from '../../../src/server/erp/gateway.ts'
import { type HttpClient, openHttp } from '../../../src/server/erp/http.ts'
import { openProtheus } from '../../../src/server/erp/protheus.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../../src/server/store/db/db.ts'
import { openLogKeeper } from '../../../src/server/upkeep/log-keeper.ts'
import { addUser, type Clock, PASSWORD, temporaryFolder, testConfig } from '../harness.ts'
import { limitMs } from '../slowness.ts'
import { openCrashingSqlite, type StatementMutant } from './crashing-database.ts'

/** A mistake of the product, switched on to see that the simulation notices. */
export type Mutant = { statement?: StatementMutant; gateway?: (erp: ErpGateway) => ErpGateway }

const log = pino({ level: 'silent' })

export type World = Awaited<ReturnType<typeof createWorld>>

type Setting = { simulator: ErpSimulator; clock: Clock; lookup: 'id' | 'none'; folder: string }

function openErp({ simulator, clock, lookup }: Setting, mutant: Mutant): ErpGateway {
  const erp = openProtheus({
    url: simulator.url,
    user: 'painel',
    password: 'painel',
    company: '01',
    maxConcurrent: 2,
    lookup,
    settings: testConfig().erpSettings,
    now: clock.now,
    log,
    http: countedHttp(simulator.url),
  })
  const bent = mutant.gateway?.(erp) ?? erp
  return {
    ...bent,
    async recordCutCrimp(write) {
      const call = bent.recordCutCrimp(write)
      callsUnderWay.add(call)
      return await call.finally(() => callsUnderWay.delete(call))
    },
  }
}

const callsUnderWay = new Set<Promise<unknown>>()

let openCalls = 0
function countedHttp(baseUrl: string): HttpClient {
  const http = openHttp({ baseUrl, connectMs: limitMs(30_000) })
  return {
    ...http,
    async exchange(request) {
      openCalls++
      return await http.exchange(request).finally(() => openCalls--)
    },
  }
}

const LOOK_MS = 20
/** Calls that are not answered are given up after so many looks: an answer has stopped waiting for them by then. */
export const SILENT_MS = 5 * LOOK_MS

/**
 * Ends the wait of an answer for the ERP when that says nothing, or is not asked at all: the process that had the delivery is
 * dead. However slow the machine is, what the ERP is about to say is waited for: what a day brings depends on its steps alone.
 */
function answerWait({ state }: ErpSimulator): AbortSignal {
  const ending = new AbortController()
  let idleLooks = 0
  const timer = setInterval(() => {
    idleLooks = openCalls === 0 ? idleLooks + 1 : 0
    if (idleLooks < 2 && state.log.at(-1)?.outcome !== 'silence') return
    clearInterval(timer)
    ending.abort()
  }, LOOK_MS)
  return ending.signal
}

const outsideOf = ({ simulator, clock, lookup, folder }: Setting) => ({
  config: testConfig({ ERP_LOOKUP: lookup, SECRET_KEY_FILE: join(folder, 'secret.key') }),
  now: clock.now,
  elapsedMs: clock.elapsedMs,
  clockApartMs: () => 0,
  log,
  logKeeper: openLogKeeper(Date.now),
  answerWait: () => answerWait(simulator),
  checkErp: async function* () {},
  installation: { env: {}, version: 0, restart: () => {} },
})

/** A migrated file with one user, and the token of a session that never ends: sessions have tests of their own. */
async function prepareTemplate(setting: Setting, template: string): Promise<string> {
  const db = openSqlite(withOurTransactions(openSqliteFile(template)))
  const erp = openErp(setting, {})
  const { app, context } = await openPanel({ ...outsideOf(setting), db, erp })
  await addUser(context, { username: 'operador' })
  const payload = { username: 'operador', password: PASSWORD }
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload })
  await db.transaction((tx) => tx.updateTable('sessions').set({ expires_at: Number.MAX_SAFE_INTEGER }).execute())
  await app.close()
  await db.close()
  await erp.close()
  return (answer.json() as { token: string }).token
}

/** The real server on one SQLite file, whose process can die and be started again; clock and ERP live on. */
export async function createWorld(given: Omit<Setting, 'folder'>) {
  const { simulator, clock } = given
  const folder = temporaryFolder()
  const setting = { ...given, folder }
  const template = join(folder, 'template.sqlite')
  const file = join(folder, 'panel.sqlite')
  const token = await prepareTemplate(setting, template)

  let panel: Panel
  let life: ReturnType<typeof openCrashingSqlite>
  const start = async (mutant: Mutant) => {
    life = openCrashingSqlite(file, mutant.statement ?? null)
    panel = await openPanel({ ...outsideOf(setting), db: openSqlite(life.database), erp: openErp(setting, mutant) })
  }
  const end = async () => {
    await panel.context.outbox.stop(2000)
    await panel.context.erp.close()
    await panel.app.close()
    await panel.context.db.close()
  }

  return {
    /** A new day: an empty database, an ERP as freshly seeded. */
    async begin(mutant: Mutant) {
      for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
      copyFileSync(template, file)
      simulator.state.reset()
      await start(mutant)
    },
    async restart(mutant: Mutant) {
      await end()
      await start(mutant)
    },
    end,
    /**
     * Moves the clock. Calls on their way arrive first: they take real milliseconds, and a jump of minutes past them
     * would be an ERP slower than every limit.
     */
    async wait(ms: number) {
      await Promise.allSettled(callsUnderWay)
      // what was sent and not waited for is read by the simulator before it reads this
      await fetch(`${simulator.url}/p1/ApontamentoProducao/status`).catch(() => undefined)
      clock.advance(ms)
    },
    crashAfter: (statements: number) => life.crashAfter(statements),
    spare: () => life.spare(),
    hasCrashed: () => life.hasCrashed(),
    record: (id: string, payload: CutCrimpRecording) =>
      panel.app.inject({
        method: 'POST',
        url: '/api/apontamentos/corte-crimpagem',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': id },
        payload,
      }),
    deliverDue: () => panel.context.outbox.deliverDue(),
    get db() {
      return panel.context.db.read
    },
  }
}

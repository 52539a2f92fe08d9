import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import pino from 'pino'
import { expect, onTestFinished, vi } from 'vitest'
import { type ErpSimulator, type ErpSimulatorOptions, startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { JunctionRecording } from '../../src/contract/junctions.ts'
import type { MaintenanceCallForm } from '../../src/contract/maintenance-calls.ts'
import type { MeasurementForm } from '../../src/contract/measurements.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ScrapForm } from '../../src/contract/scraps.ts'
import type { Session } from '../../src/contract/sessions.ts'
import type { Role } from '../../src/contract/values.ts'
import { openPanel } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { checkErp, checkOptionsOf } from '../../src/server/erp/check/check.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { openProtheus, type ProtheusOptions } from '../../src/server/erp/protheus.ts'
import type { Context } from '../../src/server/panel.ts'
import { type Db, openMysql, openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { insertUser } from '../../src/server/store/users.ts'
import { openLog, openLogKeeper } from '../../src/server/upkeep/log-keeper.ts'
import { freshDatabase, migratedDatabase } from './mariadb.ts'
import { limitMs, SOON } from './slowness.ts'

export type Database = 'sqlite' | 'mariadb'
/** The quick run asks for SQLite alone. */
export const databases: Database[] = process.env.DATABASES === 'sqlite' ? ['sqlite'] : ['sqlite', 'mariadb']

/** Fixed points of the sample data. */
export const ORDER = '01621401001'
/** Untouched; wire am/vd 0,50; T1326030 with a seal on side 1, T0925590 without on side 2; 120 pieces. */
export const UNTOUCHED = '0101621401001000010007'
/** Cut 50 %; a terminal on side 1 only. */
export const HALF_CUT = '010162140100100002000S'

/** 2026-11-21 12:00 in São Paulo. */
export const NOON_MS = Date.UTC(2026, 10, 21, 15)

export type Clock = {
  now: () => number
  elapsedMs: () => number
  advance: (ms: number) => void
  /** Somebody sets it: no time passes. */
  set: (ms: number) => void
}
export function testClock(startMs = NOON_MS): Clock {
  let nowMs = startMs
  let elapsedMs = 0
  return {
    now: () => nowMs,
    elapsedMs: () => elapsedMs,
    advance: (ms) => {
      nowMs += ms
      elapsedMs += ms
    },
    set: (ms) => {
      nowMs += ms
    },
  }
}

const ERROR = pino.levels.values.error ?? 0

/** Keeps what is logged, and apart from it the errors: one that the test did not plant must not pass unseen. */
function testLog(level: string, elapsedMs: () => number) {
  const logs: string[] = []
  const errors: string[] = []
  const write = (line: string) => {
    logs.push(line)
    if (JSON.parse(line).level >= ERROR) errors.push(line)
  }
  const logKeeper = openLogKeeper(Date.now)
  return { log: openLog(level, logKeeper, { write }, elapsedMs), logKeeper, logs, errors }
}

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'painel-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const newFile = () => join(temporaryFolder(), 'painel.sqlite')

const openTestFile = (file: string) => openSqlite(withOurTransactions(openSqliteFile(file)))

const closedAtEnd = (db: Db): Db => {
  onTestFinished(() => db.close())
  return db
}

/** Without a single table. */
export const openTestDb = async (database: Database): Promise<Db> =>
  closedAtEnd(database === 'mariadb' ? openMysql(await freshDatabase()) : openTestFile(newFile()))

async function readMigratedFile(): Promise<Buffer> {
  const sqlite = openSqliteFile(':memory:')
  await migrate(openSqlite(withOurTransactions(sqlite)))
  const bytes = sqlite.serialize()
  sqlite.close()
  return bytes
}
let migratedFile: Promise<Buffer> | undefined

/** With its tables and no row, as a panel leaves it that was started and did nothing. */
export async function openStore(database: Database): Promise<Db> {
  if (database === 'mariadb') return closedAtEnd(openMysql(await migratedDatabase()))
  migratedFile ??= readMigratedFile()
  const file = newFile()
  writeFileSync(file, await migratedFile)
  return closedAtEnd(openTestFile(file))
}

export const testConfig = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: tmpdir(), ...env })

/**
 * So long a stand-in says nothing to a call that it never answers, and then hangs up: who waits longer than any limit of
 * ours learns as much. Limits are the product's own, and no test ends by one.
 */
export const SILENCE_MS = 20

/** Nobody waits for the ERP. */
export const noWait = (): AbortSignal => AbortSignal.abort()
/** Only the ERP ends the wait. */
export const endlessWait = (): AbortSignal => new AbortController().signal
/** The wait is over while the ERP works on a call. */
export const waitUntilCalled = ({ state }: ErpSimulator): AbortSignal => {
  const ending = new AbortController()
  void vi.waitUntil(() => state.log.at(-1)?.outcome === null, SOON).then(() => ending.abort())
  return ending.signal
}

type Options = {
  database?: Database
  env?: Record<string, string>
  simulator?: ErpSimulatorOptions
  timeouts?: ProtheusOptions['timeouts']
  /** Ends the wait of an answer for the ERP; without it as in the product, longer on a slow machine. */
  answerWait?: () => AbortSignal
  clock?: Clock
  /** In place of a fresh one of `database`. */
  db?: Db
  /** Stands between the panel and the ERP. */
  gateway?: (erp: ErpGateway) => ErpGateway
}

/** On a machine that is slow, still well before a handler is given up. */
const ANSWER_WAIT_MS_MAX = 20_000

/** A panel that is opened again on its database has its keys again. */
const keyFiles = new WeakMap<Db, string>()
function keyFileOf(db: Db): Record<string, string> {
  if (db.kind === 'mysql') return {}
  const file = keyFiles.get(db) ?? join(temporaryFolder(), 'secret.key')
  keyFiles.set(db, file)
  return { SECRET_KEY_FILE: file }
}

/**
 * The real app on a real database, against the ERP simulator over HTTP; only clock, log and port are the test's. A test
 * that plants an error empties `errors`.
 */
export async function openTestPanel(options: Options = {}) {
  const clock = options.clock ?? testClock()
  const { log, logKeeper, logs, errors } = testLog(options.env?.LOG_LEVEL ?? 'error', clock.elapsedMs)
  onTestFinished(() => expect(errors).toEqual([]))
  const simulator = await startErpSimulator({ now: clock.now, silenceMs: SILENCE_MS, ...options.simulator })
  onTestFinished(() => simulator.close())
  const db = options.db ?? (await openStore(options.database ?? 'sqlite'))
  const keyFile = options.env?.DATA_DIR ? {} : keyFileOf(db)
  const config = testConfig({ DATA_DIR: temporaryFolder(), ...keyFile, ...options.env })
  /** When the server would have put itself together anew. */
  const restarts: number[] = []
  const protheus = openProtheus({
    url: simulator.url,
    user: 'painel',
    password: 'painel',
    company: config.erpCompany,
    maxConcurrent: config.erpMaxConcurrent,
    lookup: config.erpLookup,
    settings: config.erpSettings,
    now: clock.now,
    log,
    ...(options.timeouts && { timeouts: options.timeouts }),
  })
  onTestFinished(() => protheus.close())
  const { app, context } = await openPanel({
    config,
    db,
    erp: options.gateway?.(protheus) ?? protheus,
    now: clock.now,
    elapsedMs: clock.elapsedMs,
    clockApartMs: () => 0,
    log,
    logKeeper,
    answerWait: options.answerWait ?? (() => AbortSignal.timeout(Math.min(limitMs(2500), ANSWER_WAIT_MS_MAX))),
    installation: { env: options.env ?? {}, version: 0, restart: () => restarts.push(clock.now()) },
    checkErp: (order) => {
      // what says the time over HTTP is this machine's clock
      const given = { url: simulator.url, user: 'painel', password: 'painel', order, now: Date.now }
      return checkErp(checkOptionsOf(config, given), false)
    },
  })
  onTestFinished(async () => {
    await context.outbox.stop(1000)
    await app.close()
  })
  return { app, context, db, clock, simulator, logs, errors, restarts, ...callers(app) }
}

export type TestPanel = Awaited<ReturnType<typeof openTestPanel>>

export const PASSWORD = 'senha-de-teste'
let passwordHash: Promise<string> | undefined

export async function addUser(
  { db, passwords }: Pick<Context, 'db' | 'passwords'>,
  user: { username: string; role?: Role; fullName?: string },
): Promise<void> {
  passwordHash ??= passwords.hash(PASSWORD)
  const hashed = await passwordHash
  const { username, role = 'operador', fullName = 'Maria Souza' } = user
  await db.transaction((tx) =>
    insertUser(tx, { username, fullName, role, passwordHash: hashed, hasLongPassword: true, createdAt: NOON_MS }),
  )
}

type App = Awaited<ReturnType<typeof openPanel>>['app']

function callers(app: App) {
  /** A session born outside a browser: its token alone is enough. */
  const login = async (username: string): Promise<Session> => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: PASSWORD },
    })
    if (answer.statusCode !== 200) throw new Error(`login answered ${answer.statusCode}: ${answer.body}`)
    return answer.json()
  }
  const ask = (token: string, request: InjectOptions) =>
    app.inject({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } })
  const record = (token: string, payload: CutCrimpRecording, id: string = randomUUID()) =>
    ask(token, {
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: { 'idempotency-key': id },
      payload,
    })
  return { login, ask, record }
}

const common = {
  EMPRESA: '010101',
  ORDEM_PROD: ORDER,
  QTD_ORDEM_PROD: 120,
  COD_BARRA: UNTOUCHED,
  MAQUINA: 'KX0001 - Komax',
}

export const cutOf = (pieces: number): CutCrimpRecording => ({
  ...common,
  QTD_REALIZADA: pieces,
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: 'L261118004',
  COMPRIMENTO_CABO: 1250,
})

export const crimpOf = (pieces: number, applicator = 'MA-0001'): CutCrimpRecording => ({
  ...common,
  QTD_REALIZADA: pieces,
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'B23-004517/2',
  MA_LD1: applicator,
  SELO_LD1: 'S0963244',
  SELADORA_LD1: 'Seladora 01',
})

export const joinOf = (pieces: number, position = 'J01'): JunctionRecording => ({
  FILIAL: '010101',
  NUMERO_OP: ORDER,
  TIPO_REGISTRO: 'JUNCAO',
  POSICAO: position,
  QTD_PECAS: 120,
  QTD_APONTADA: pieces,
  DATA: '2026-11-21',
  FORCA: 92.5,
  MAQUINA: 'US0002 - Telsonic',
  GRUPO_MP: 'TERMINAIS',
  ALTURA: 1.52,
  LOTE_TERMINAL: 'L261118004',
  TERMINAL: 'T0925590',
  ESTANQUEIDADE: 'Sim',
})

export const callOf = (more: Partial<MaintenanceCallForm> = {}): MaintenanceCallForm => ({
  filial: '010101',
  maquina: 'PR0001 - Schäfer',
  miniaplicador: 'MA-0001',
  codigoBarras: UNTOUCHED,
  ordem: ORDER,
  lado: '1',
  sintoma: 'altura-fora',
  ...more,
})

/** Of end 1 of `UNTOUCHED`: three heights. */
export const measurementOf = (more: Partial<MeasurementForm> = {}): MeasurementForm => ({
  ...{ filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1', terminal: 'T1326030' },
  ...{ maquina: 'KX0001 - Komax', miniaplicador: 'MA-0001', lote: 'B23-004517/2', ocasiao: 'primeira-peca' },
  leituras: [{ caracteristica: 'altura', valores: [1100, 1098, 1120] }],
  ...more,
})

/** At end 1 of `UNTOUCHED`: twelve pieces. */
export const scrapOf = (more: Partial<ScrapForm> = {}): ScrapForm => ({
  ...{ filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1', maquina: 'KX0001 - Komax' },
  ...{ miniaplicador: 'MA-0001', lote: 'B23-004517/2', motivo: 'altura-fora', pecas: 12 },
  ...more,
})

/** From a tablet that had called it saved, of an item that the ERP does not have: it waits for a person. */
export const parked = (payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  COD_BARRA: 'X'.repeat(22),
  captura: { salvoNoDispositivo: true },
})

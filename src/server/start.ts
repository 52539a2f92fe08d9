import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { DestinationStream, Logger } from 'pino'
import { dayText, plantDay } from '../domain/plant/plant-time.ts'
import { openPanel, type Panel } from './app.ts'
import { type Config, readConfig, type Texts } from './config.ts'
import { openSharedSlots } from './delivery/shared-slots.ts'
import { findOtherFolder } from './documents/shared-folder.ts'
import { openProtheus } from './erp/protheus.ts'
import { openUnconfigured } from './erp/unconfigured.ts'
import { writeFirstCode } from './features/first-access.ts'
import { isLoopback } from './http/origin.ts'
import type { Outside } from './outside.ts'
import { type Context, startChores } from './panel.ts'
import { type Db, findOutage, isEntryDenied } from './store/db/db.ts'
import { lockBeside, lockFile } from './store/db/file-lock.ts'
import { findUnfitness } from './store/db/fitness.ts'
import { databaseName, fileRefusal, openStore } from './store/db/open-store.ts'
import { noteChanges } from './store/live-changes.ts'
import { findSetting, findStandIn, isNew, type StoredInstallation } from './store/settings.ts'
import { MOVED } from './store/snapshots.ts'
import { backUpOlder } from './upkeep/backups.ts'
import { openClock, openFutureWatch } from './upkeep/clock.ts'
import { findDemonstrationUser, findOtherKind } from './upkeep/database-kind.ts'
import { findFolderFaults, prepareFolders } from './upkeep/folders.ts'
import { ownProgram } from './upkeep/identity.ts'
import { completeConfig, dropFormerSecrets } from './upkeep/installation-settings.ts'
import { journal } from './upkeep/journal.ts'
import { openLog, openLogKeeper } from './upkeep/log-keeper.ts'
import { warnOfLookAlikes } from './upkeep/look-alikes.ts'
import { refuseInsideArchive } from './upkeep/program-folder.ts'
import { findOtherKey, keyPlaceOf } from './upkeep/secret-key.ts'

/** A stop takes no longer. */
export const STOP_WAIT_MS = 10_000
const ANSWER_WAIT_MS = 2500
const CLOCK_FOLLOWS_EVERY_MS = 60_000
/** Port of an address that names none. */
const HTTP_PORT = '80'

/** Ends the start with one sentence that says what is wrong. */
export class StartError extends Error {}

function giveUp(sentence: string): never {
  throw new StartError(sentence)
}

function refuseKnownPasswordsAbroad({ mode, host, demoOnLan }: Config): void {
  if (mode === 'plant' || demoOnLan || isLoopback(host)) return
  giveUp(
    `HOST=${host} inválido na demonstração: todos conhecem as senhas dela. Deixe HOST de fora, ou sorteie as senhas com DEMO_ON_LAN=on.`,
  )
}

/**
 * Servers of one MariaDB may share a folder; of one SQLite there is one server. The version before locks DATA_DIR alone, so
 * that is locked as well as long as it may run.
 */
async function lockSqlite({ dataDir, database }: Config): Promise<() => void> {
  if (database.kind === 'mysql') return () => undefined
  const { file } = database
  const unlockFolder =
    (await lockFile(join(dataDir, 'lock.sqlite'))) ??
    giveUp(`Outro painel já usa esta pasta. Feche-o, ou escolha outra por DATA_DIR (${dataDir}).`)
  try {
    const unlockFile =
      (await lockFile(lockBeside(file))) ??
      giveUp(`Outro painel já usa o banco ${file}. Feche-o, ou escolha outro por DATABASE_URL ou DATA_DIR.`)
    return () => {
      unlockFile()
      unlockFolder()
    }
  } catch (error) {
    unlockFolder()
    throw error instanceof StartError ? error : fileRefusal(file, error)
  }
}

function listenFailed(error: NodeJS.ErrnoException, { host, port }: Config): never {
  if (error.code === 'EADDRINUSE') {
    giveUp(`A porta ${port} já está em uso em ${host}. Feche o outro programa ou escolha outra: PORT=3001 npm start`)
  }
  if (error.code === 'EACCES') giveUp(`Sem permissão para usar a porta ${port}. Escolha uma acima de 1023.`)
  giveUp(`Não foi possível escutar em ${host}:${port}: ${error.message}. Corrija HOST.`)
}

async function findPassingOutage(db: Db): Promise<Error | null> {
  const outage = await findOutage(db.read)
  if (isEntryDenied(outage)) giveUp(`O banco de dados de DATABASE_URL recusou a entrada (${outage?.message}).`)
  return outage
}

/** Answers "not ready" on the panel's own address while the database is away, and returns when it is back. */
async function waitForDatabase(db: Db, config: Config, log: Logger): Promise<void> {
  const outage = await findPassingOutage(db)
  if (!outage) return
  log.warn({ reason: outage.message }, 'the database is out of reach; waiting for it')
  const notReady = process.getBuiltinModule('node:http').createServer((request, response) => {
    response.writeHead(request.url === '/health' ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      JSON.stringify({
        ready: false,
        message: 'Banco de dados indisponível. Tente novamente em instantes.',
        code: 'store_unavailable',
      }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    notReady.once('error', reject)
    notReady.listen(config.port, config.host, resolve)
  }).catch((error) => listenFailed(error, config))
  for (let waitMs = 500; await findPassingOutage(db); waitMs = Math.min(waitMs * 2, 10_000)) {
    await setTimeout(waitMs)
  }
  notReady.closeAllConnections()
  await new Promise((resolve) => notReady.close(resolve))
}

/** Refuses database settings under which the panel's promises would not hold. */
async function refuseUnfitDatabase(db: Db): Promise<void> {
  const unfitness = db.kind === 'mysql' ? await findUnfitness(db.read) : null
  if (unfitness) giveUp(`O banco de dados de DATABASE_URL ${unfitness}.`)
}

/** Two databases of one epoch would both send to the ERP. */
async function refuseMoved(db: Db, { database, timeZone }: Config): Promise<void> {
  const movedAt = database.kind === 'sqlite' ? await findSetting(db.read, MOVED) : null
  if (movedAt === null || database.kind !== 'sqlite') return
  const day = dayText(plantDay(Number(movedAt), timeZone))
  giveUp(
    `O banco ${database.file} foi levado para um MariaDB em ${day}. Escreva o endereço dele em DATABASE_URL; para voltar a este: npm run copy-database -- --reopen ${database.file}`,
  )
}

/** Before anything is changed in it. */
async function refuseOthersDatabase(db: Db, config: Config, stored: StoredInstallation): Promise<void> {
  if (await isNew(db.read)) return
  await refuseMoved(db, config)
  const otherKind = await findOtherKind(db.read, config, stored)
  if (otherKind !== null) giveUp(otherKind)
  const otherKey = await findOtherKey(db.read, keyPlaceOf(config, db.kind))
  if (otherKey !== null) giveUp(otherKey)
}

/** Everybody knows their passwords. */
async function refuseDemonstrationUsers({ context }: Panel): Promise<void> {
  const username = await findDemonstrationUser(context)
  if (username === null) return
  giveUp(
    `O usuário ${username} tem a senha ${username}, que todos conhecem. Dê outra a ele: npm run user -- password ${username}`,
  )
}

type ErpLogin = NonNullable<Config['erp']>

/** Refuses one that is not the one that the database was used with, where it answers in time: while it runs nothing reaches it. */
async function openErp(login: ErpLogin | null, outside: Pick<Outside, 'config' | 'db' | 'now' | 'log'>, env: Texts) {
  if (login === null) return openUnconfigured()
  const { config, db, now, log } = outside
  const count = config.erpMaxConcurrent
  const isStandIn = (await isNew(db.read)) ? null : await findStandIn(db.read)
  const erp = openProtheus({
    ...login,
    company: config.erpCompany,
    maxConcurrent: count,
    // on SQLite there is one server, and its memory will do
    sharedSlots: db.kind === 'mysql' ? openSharedSlots({ db, count, now, log }) : undefined,
    lookup: config.erpLookup,
    isStandIn,
    settings: config.erpSettings,
    now,
    log,
  })
  // one that was named in the page is corrected there: nothing is sent to it, and the page says why
  if (env.ERP_URL === undefined || config.mode === 'demonstration' || isStandIn === null) return erp
  await Promise.race([erp.probe(), setTimeout(ANSWER_WAIT_MS)])
  if (!erp.health().isOther) return erp
  const what = erp.health().isStandIn
    ? 'um ERP de ensaio, e o banco é de outro'
    : 'outro ERP, e o banco foi usado com o ERP de ensaio'
  giveUp(
    `ERP_URL inválido aqui: ${login.url} é ${what} (${databaseName(config)}). Para este ERP use um banco novo: mude DATA_DIR ou DATABASE_URL.`,
  )
}

export type RunningServer = {
  /** Where it listens. */
  origin: string
  timeZone: string
  /** First steps in a demonstration, or how to enter a plant that has no user yet; null in any other. */
  introduction: string | null
  /** Ends what it does by itself, then its connections, then what they needed. */
  stop: () => Promise<void>
}

/** An ERP of its own, and samples in an empty database. */
export type Demonstration = {
  startErp(config: Config): Promise<{ url: string; close(): Promise<void> }>
  /** Resolves to what to try first. */
  seed(context: Context, erpUrl: string): Promise<string>
}

type Edges = {
  now: () => number
  out?: DestinationStream
  loadDemonstration: () => Promise<Demonstration>
  /** Somebody reads there what is printed; it goes into no file. */
  isTerminal: boolean
  /** Where neither the environment nor the database says which. */
  mode?: Config['mode'] | undefined
  /** Called when the server could not be restarted with other settings, and has stopped. */
  onLost?: (error: unknown) => void
}

/** The demonstration's ERP outlives a server that is put together anew. */
function openSimulator(load: Edges['loadDemonstration']) {
  let erp: { url: string; close(): Promise<void> } | null = null
  return {
    async open(config: Config) {
      if (config.mode === 'plant') return null
      const { startErp, seed } = await load()
      erp ??= await startErp(config)
      return { url: erp.url, seed }
    },
    close: async () => await erp?.close(),
  }
}

/** Ends the start of a demonstration that could not keep its sample documents; a plant would go on without the folder. */
async function refuseUnwritableDocuments(config: Config): Promise<void> {
  const fault = (await findFolderFaults(config)).find(({ folder }) => folder === 'documents')
  if (fault) giveUp(fault.text)
}

/** Opens folder, log and database, and completes the configuration, of which the environment gives one part, the database another. */
async function openGround(env: Texts, { now, out, mode }: Edges) {
  const given = readConfig(env, { mode })
  refuseInsideArchive(given)
  prepareFolders(given)
  const unlock = await lockSqlite(given)
  const logKeeper = openLogKeeper(now)
  const log = openLog(given.logLevel, logKeeper, given.logFormat === 'journal' ? journal(out) : out)
  const db = openStore(given)
  const close = async () => {
    await db.close()
    unlock()
  }
  try {
    await waitForDatabase(db, given, log)
    await refuseUnfitDatabase(db)
    const { config, stored } = await completeConfig(db.read, env, given)
    dropFormerSecrets({ config, log }, stored)
    refuseKnownPasswordsAbroad(config)
    await refuseOthersDatabase(db, config, stored)
    if (config.mode === 'demonstration') await refuseUnwritableDocuments(config)
    const older = await backUpOlder(db, config, now()).catch((error: unknown) => giveUp((error as Error).message))
    return { config, stored, db, log, logKeeper, older, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Ground = Awaited<ReturnType<typeof openGround>>

/** Logs the facts of a start, once it listens. */
async function logStart({ config, db, log, older }: Ground, context: Context): Promise<void> {
  if (older !== null) log.info({ folder: older.folder }, 'the database was backed up before it was changed')
  log.info({ ...ownProgram(), mode: config.mode, database: config.database.kind }, 'the server has started')
  if (config.mode === 'plant' && config.database.kind === 'sqlite') {
    log.warn('SQLite: this plant can have one server only; MariaDB (DATABASE_URL) allows more')
  }
  for (const { text } of await findFolderFaults(config)) log.warn({ reason: text }, 'a folder cannot be written to')
  if (keyPlaceOf(config, db.kind).file === null) {
    log.warn('the key that signs is kept in the database: name a file for it (SECRET_KEY_FILE)')
  }
  await warnOfLookAlikes(context)
}

type Lasting = { simulator: ReturnType<typeof openSimulator>; restart: () => void }

/** One life of the server, with the settings of its beginning. */
async function putTogether(env: Texts, edges: Edges, { simulator, restart }: Lasting): Promise<RunningServer> {
  const ground = await openGround(env, edges)
  const { config, stored, db, log, logKeeper } = ground
  const elapsedMs = () => performance.now()
  const clock = await openClock(db, edges.now, log)
  const { now } = clock
  const demonstration = await simulator.open(config)
  const login = demonstration ? { url: demonstration.url, user: 'painel', password: 'painel' } : config.erp
  const erp = await openErp(login, { config, db, now, log }, env)
  const panel = await openPanel({
    config,
    db,
    erp,
    now,
    elapsedMs,
    clockApartMs: clock.apartMs,
    log,
    logKeeper,
    answerWait: () => AbortSignal.timeout(ANSWER_WAIT_MS),
    // without one it is refused before
    async *checkErp(order) {
      const { checkErp, checkOptionsOf } = await import('./erp/check/check.ts')
      yield* checkErp(checkOptionsOf(config, { ...(login ?? { url: '', user: '', password: '' }), order, now }), false)
    },
    installation: { env, version: stored.version, restart },
  })
  const { app, context } = panel
  const otherFolder = await findOtherFolder(context)
  if (otherFolder !== null) giveUp(otherFolder)
  const samples = (await demonstration?.seed(context, demonstration.url)) ?? null
  if (samples === null) await refuseDemonstrationUsers(panel)
  const lookAtTimes = openFutureWatch(context, clock, elapsedMs)
  const watchTimes = () =>
    lookAtTimes().catch((error: unknown) =>
      log.warn({ err: error, repeats: true }, 'times in the future could not be looked for'),
    )
  await watchTimes()
  const following = setInterval(() => void clock.follow().then(watchTimes), CLOCK_FOLLOWS_EVERY_MS).unref()
  const { host, port } = config
  const listenTextResolver = () => 'the server listens'
  await app.listen({ host, port, listenTextResolver }).catch((error) => listenFailed(error, config))
  const origin = app.listeningOrigin
  const { isTerminal } = edges
  const introduction = samples ?? (await writeFirstCode(context, { isTerminal, origin: config.publicUrl ?? origin }))
  // pages have read what held before
  if (stored.version > 0) await db.transaction((tx) => noteChanges(tx, [{ topic: 'settings', key: '' }], now()))
  const endChores = startChores(context)
  await logStart(ground, context)
  const stop = async () => {
    log.info('the server is stopping')
    endChores()
    clearInterval(following)
    await app.close()
    await context.accesses.flush()
    await context.outbox.stop(STOP_WAIT_MS / 2)
    await erp.close()
    await logKeeper.flush(context)
    await ground.close()
  }
  return { origin, timeZone: config.timeZone, introduction, stop }
}

/**
 * A listening server, put together anew in its place whenever the page has changed its settings. Throws StartError or
 * ConfigError with a sentence for the person at the terminal.
 */
export async function startServer(env: Texts, edges: Edges): Promise<RunningServer> {
  const simulator = openSimulator(edges.loadDemonstration)
  let isStopping = false
  const begin = (life: Texts): Promise<RunningServer> => {
    let isOver = false
    const restart = () => {
      if (isOver || isStopping) return
      isOver = true
      current = current.then(async (before) => {
        await before.stop()
        return await begin({ ...env, PORT: new URL(before.origin).port || HTTP_PORT })
      })
      current.catch((error: unknown) => edges.onLost?.(error))
    }
    return putTogether(life, edges, { simulator, restart })
  }
  let current = begin(env)
  const first = await current
  const stop = async () => {
    isStopping = true
    const last = await current.catch(() => null)
    await last?.stop()
    await simulator.close()
  }
  return { ...first, stop }
}

import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { VERSION } from '../contract/settings.ts'
import { openClock } from './clock.ts'
import { type Config, ConfigError, readConfig, readEnvironment } from './config.ts'
import { demonstrationText, findDemonstrationUser, seedDemonstration, startDemonstrationErp } from './demonstration.ts'
import { openProtheus } from './erp/protheus.ts'
import { openLog } from './log.ts'
import { openLogKeeper } from './log-keeper.ts'
import { openStore } from './open-store.ts'
import { openPanel, type Panel, startChores } from './panel.ts'
import { openSharedSlots } from './shared-slots.ts'
import { type Db, findOutage, isEntryDenied, isStoreUnreachable } from './store/db.ts'
import { findUnfitness } from './store/fitness.ts'
import { isOfNewerVersion } from './store/migrate.ts'

const NODE_MAJOR_MIN = 24
const STOP_WAIT_MS = 10_000
const ANSWER_WAIT_MS = 2500
const CLOCK_FOLLOWS_EVERY_MS = 60_000

/** Ends the start with one sentence that says what is wrong. */
function giveUp(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function prepareDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK)
  } catch (error) {
    giveUp(
      `Não foi possível gravar na pasta de dados ${dataDir} (${(error as Error).message}). Verifique a permissão ou mude DATA_DIR.`,
    )
  }
}

function listenFailed(error: NodeJS.ErrnoException, { host, port }: Config): never {
  if (error.code === 'EADDRINUSE') {
    giveUp(`A porta ${port} já está em uso em ${host}. Feche o outro programa ou escolha outra: PORT=3001 npm start`)
  }
  if (error.code === 'EACCES') giveUp(`Sem permissão para usar a porta ${port}. Escolha uma acima de 1023.`)
  giveUp(`Não foi possível escutar em ${host}:${port}: ${error.message}`)
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
  const notReady = createServer((request, response) => {
    response.writeHead(request.url === '/health' ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      JSON.stringify({
        ready: false,
        message: 'Banco de dados indisponível. Tente novamente em instantes.',
        code: 'store_unavailable',
      }),
    )
  })
  await new Promise<void>((resolve) => {
    notReady.once('error', (error) => listenFailed(error, config))
    notReady.listen(config.port, config.host, resolve)
  })
  for (let waitMs = 500; await findPassingOutage(db); waitMs = Math.min(waitMs * 2, 10_000)) {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  notReady.closeAllConnections()
  await new Promise((resolve) => notReady.close(resolve))
}

/** What the panel promises of recordings, it promises on certain settings of the database. */
async function refuseUnfitDatabase(db: Db): Promise<void> {
  const unfitness = db.kind === 'mysql' ? await findUnfitness(db.read) : null
  if (unfitness) giveUp(`O banco de dados de DATABASE_URL ${unfitness}.`)
}

/** Returns what ends the running server; called twice it ends it once. */
function gentleStop({ app, context }: Panel, endChores: () => void, erpStop: () => Promise<void>): () => void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    context.log.info('the server is stopping')
    endChores()
    const tooLong = setTimeout(() => process.exit(0), STOP_WAIT_MS)
    await app.close()
    await context.outbox.stop(STOP_WAIT_MS / 2)
    await context.erp.close()
    await erpStop()
    await context.logKeeper.flush(context)
    await context.db.close()
    clearTimeout(tooLong)
    process.exit(0)
  }
  return () => void stop()
}

/** Everybody knows their passwords. */
async function refuseDemonstrationUsers({ context }: Panel): Promise<void> {
  const username = await findDemonstrationUser(context)
  if (username === null) return
  giveUp(
    `Este banco de dados é o da demonstração (usuário ${username} com a senha ${username}). Use outro na fábrica: mude DATA_DIR ou DATABASE_URL.`,
  )
}

async function main(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
    giveUp(`O painel precisa do Node ${NODE_MAJOR_MIN} ou mais novo, este é o ${process.versions.node}. Use: npm start`)
  }
  // until there is something to end gently; the first process of a container dies of no signal by itself
  let stop = (): void => process.exit(0)
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stop())
  const config = readConfig(readEnvironment())
  prepareDataDir(config)
  const logKeeper = openLogKeeper(Date.now)
  const log = openLog(config.logLevel, logKeeper)
  const db = openStore(config)
  await waitForDatabase(db, config, log)
  await refuseUnfitDatabase(db)
  const { now, follow } = await openClock(db, Date.now, log)
  setInterval(() => void follow(), CLOCK_FOLLOWS_EVERY_MS).unref()
  const simulator = config.erp ? null : await startDemonstrationErp(config)
  const erp = openProtheus({
    ...(config.erp ?? { url: simulator?.url ?? '', user: 'painel', password: 'painel' }),
    company: config.erpCompany,
    maxConcurrent: config.erpMaxConcurrent,
    // on SQLite there is one server, and its memory will do
    sharedSlots: db.kind === 'mysql' ? openSharedSlots({ db, count: config.erpMaxConcurrent, now, log }) : undefined,
    lookup: config.erpLookup,
    settings: config.erpSettings,
    now,
    log,
  })
  const panel = await openPanel({ config, db, erp, now, log, logKeeper, answerWaitMs: ANSWER_WAIT_MS })
  if (simulator) await seedDemonstration(panel.context)
  else await refuseDemonstrationUsers(panel)
  const { host, port } = config
  const listenTextResolver = () => 'the server listens'
  await panel.app.listen({ host, port, listenTextResolver }).catch((error) => listenFailed(error, config))
  stop = gentleStop(panel, startChores(panel.context), async () => simulator?.close())
  log.info({ version: VERSION, mode: config.mode, database: config.database.kind }, 'the server has started')
  if (config.mode === 'plant' && config.database.kind === 'sqlite') {
    log.warn('SQLite: this plant can have one server only; MariaDB (DATABASE_URL) allows more')
  }
  console.log(`\nPainel Industrial: ${panel.app.listeningOrigin}`)
  if (simulator) console.log(`${demonstrationText(simulator.url)}\n`)
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) giveUp(error.message)
  if (isStoreUnreachable(error)) giveUp(`O banco de dados não respondeu: ${(error as Error).message}`)
  if (isOfNewerVersion(error)) {
    giveUp(
      'O banco de dados é de uma versão mais nova do painel: instale essa versão ou ponha de volta um backup desta.',
    )
  }
  console.error(error)
  process.exit(1)
})

// The panel as main.ts builds it, in a process of its own. One thing differs: the outbox here delivers nothing, as where
// another server of the plant has the deliveries in hand. What is measured is accepting a recording, not an ERP.
import { dirname } from 'node:path'
import { openPanel } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { openProtheus } from '../src/server/erp/protheus.ts'
import { type Db, openMysql, openSqlite, openSqliteFile, withOurTransactions } from '../src/server/store/db/db.ts'
import { openLog, openLogKeeper } from '../src/server/upkeep/log-keeper.ts'
import { noteStatements, type ServerOptions, tellPort } from './child.ts'

const { database, noted } = JSON.parse(process.argv[2] ?? '') as ServerOptions
const DATA_DIR = database.kind === 'sqlite' ? dirname(database.file) : 'data'
const config = readConfig({ PORT: '0', DATA_DIR })
const logKeeper = openLogKeeper(Date.now)
const log = openLog(config.logLevel, logKeeper)
const erp = openProtheus({
  url: 'http://127.0.0.1:9/rest',
  user: 'painel',
  password: 'painel',
  company: config.erpCompany,
  maxConcurrent: config.erpMaxConcurrent,
  lookup: config.erpLookup,
  settings: config.erpSettings,
  now: Date.now,
  log,
})
function open(): Db {
  if (database.kind === 'mysql') return openMysql(database.url)
  const connection = withOurTransactions(openSqliteFile(database.file))
  return openSqlite(noted ? noteStatements(connection) : connection)
}
const db = open()
const { app, context } = await openPanel({
  config,
  db,
  erp,
  now: Date.now,
  elapsedMs: () => performance.now(),
  clockApartMs: () => 0,
  log,
  logKeeper,
  answerWait: () => AbortSignal.timeout(2500),
  checkErp: async function* () {},
  installation: { env: {}, version: 0, restart: () => {} },
})
context.outbox.deliver = async () => {}
await app.listen({ host: config.host, port: config.port })
tellPort(app.server)

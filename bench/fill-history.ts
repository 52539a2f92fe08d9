import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import type { Config } from '../src/server/config.ts'
import { openDb } from '../src/server/store/db/db.ts'
import { migrate } from '../src/server/store/db/migrate.ts'
import {
  type Act,
  dailyProductionOf,
  dailyScrapOf,
  historyOf,
  itemsOf,
  ledgerOf,
  type Order,
  recordingOf,
  unitsOf,
} from './history.ts'
import { addUser } from './sample.ts'

type Row = Record<string, string | number | null>
/** Loads the rows of one table. Each has the columns of the first. */
type Load = (table: string, rows: () => Iterable<Row>) => Promise<void>

const columnsOf = (rows: () => Iterable<Row>): string[] => {
  const [first = {}] = rows()
  return Object.keys(first)
}

function* recordingsOf(acts: Iterable<Act>): Generator<Row> {
  for (const act of acts) yield recordingOf(act)
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

/** The server's own rules hold between them: counters are sums of the ledger, roll-ups those of the recordings. */
async function loadHistory(total: number, order: Order, load: Load): Promise<void> {
  const acts = () => historyOf(total, order)
  await load('recordings', () => recordingsOf(acts()))
  await load('crimp_ledger', () => ledgerOf(acts()))
  const units = unitsOf(acts())
  await load('applicator_units', () => units)
  const days = dailyProductionOf(acts())
  await load('daily_production', () => (order === 'id' ? days.sort(byId) : days))
  const scrap = dailyScrapOf(acts())
  await load('daily_scrap', () => (order === 'id' ? scrap.sort(byId) : scrap))
  const items = itemsOf(acts())
  await load('erp_items', () => items)
}

/** What does not fit is looked for in the file again and again: the keys come in no order. */
const CACHE_KIB = 1_000_000

async function fillSqlite(file: string, total: number): Promise<void> {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = off')
  sqlite.pragma('synchronous = off')
  sqlite.pragma(`cache_size = ${-CACHE_KIB}`)
  // sorting all of it once is far faster than finding a place for each row
  const indexes = sqlite
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all() as {
    name: string
    sql: string
  }[]
  for (const { name } of indexes) sqlite.exec(`drop index "${name}"`)
  sqlite.exec('begin')
  await loadHistory(total, 'day', async (table, rows) => {
    const columns = columnsOf(rows)
    const insert = sqlite.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`)
    for (const row of rows()) insert.run(Object.values(row))
  })
  sqlite.exec('commit')
  for (const { sql } of indexes) sqlite.exec(sql)
  sqlite.pragma('journal_mode = wal')
  sqlite.close()
}

const LINES_AT_ONCE = 500
const fieldOf = (value: string | number | null) =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n]/g, (char) => `\\${char}`)

function* linesOf(rows: Iterable<Row>): Generator<Buffer> {
  let lines = ''
  let count = 0
  for (const row of rows) {
    lines += `${Object.values(row).map(fieldOf).join('\t')}\n`
    if (++count % LINES_AT_ONCE !== 0) continue
    yield Buffer.from(lines)
    lines = ''
  }
  // an empty piece would be taken for the end, and the end after it for something else
  if (lines !== '') yield Buffer.from(lines)
}

const INDEX_LINE = /^\s+KEY (`\w+`) (.*?),?$/gm

async function fillMysql(url: string, total: number): Promise<void> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4', flags: ['+LOCAL_FILES'] })
  const alter = async (table: string, changes: string[]) => {
    if (changes.length > 0) await connection.query(`alter table ${table} ${changes.join(', ')}`)
  }
  await loadHistory(total, 'id', async (table, rows) => {
    const [shown] = (await connection.query(`show create table ${table}`)) as unknown as [Record<string, string>[]]
    const indexes = [...(shown[0]?.['Create Table'] ?? '').matchAll(INDEX_LINE)]
    await alter(
      table,
      indexes.map(([, name]) => `drop index ${name}`),
    )
    await connection.query({
      sql: `load data local infile 'rows' into table ${table} character set utf8mb4 (${columnsOf(rows)})`,
      infileStreamFactory: () => Readable.from(linesOf(rows())),
    })
    await alter(
      table,
      indexes.map(([, name, columns]) => `add index ${name} ${columns}`),
    )
  })
  await connection.end()
}

/** Migrates an empty database and fills it with a user and `total` recordings with all that follows from them. */
export async function fillWithHistory(database: Config['database'], total: number): Promise<void> {
  const db = openDb(database)
  await migrate(db)
  await db.transaction(addUser)
  await db.close()
  if (database.kind === 'sqlite') await fillSqlite(database.file, total)
  else await fillMysql(database.url, total)
}

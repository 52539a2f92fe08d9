import { existsSync, renameSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { Config } from '../config.ts'
import { listCounterDeviations } from './applicators.ts'
import { type Db, openMysql, openSqlite, openSqliteFile, withOurTransactions } from './db/db.ts'
import { sqliteDriver } from './db/drivers.ts'
import { migrate, migrateUpTo } from './db/migrate.ts'
import { type Ask, columnList, type MysqlRows, openMysqlRows, type Row, type Table } from './db/mysql-rows.ts'
import { beginEpoch } from './epochs.ts'
import { OPERATOR_MARKS_KEY, SIGNING_KEY } from './settings.ts'

/**
 * A database at one moment as a SQLite file, the same for both databases, so one implementation backs up, tests and restores
 * (decision 015).
 */

/** Rows of each table, and crimps of each counter's cycle: what a copy must have in common with what it is a copy of. */
type Tally = { rows: Record<string, number>; crimps: Record<string, number> }

/** The target holds something, or somebody has it open: nothing was changed. */
export class TargetTaken extends Error {}

/** Closed at the end of the block that opens it by `using`. */
const open = (file: string, options: Sqlite.Options = {}): Sqlite.Database & Disposable => {
  const sqlite = new (sqliteDriver())(file, { fileMustExist: true, ...options })
  return Object.assign(sqlite, { [Symbol.dispose]: () => void sqlite.close() })
}

const askFile =
  (sqlite: Sqlite.Database): Ask =>
  async (text, values = []) =>
    sqlite.prepare(text).all(values) as Record<string, unknown>[]

/** Without Kysely's own, which tell of the schema. */
function tablesOf(sqlite: Sqlite.Database): Table[] {
  const names = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name")
    .pluck()
    .all() as string[]
  return names
    .filter((name) => !name.startsWith('kysely_'))
    .map((name) => ({
      name,
      columns: (sqlite.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name),
    }))
}

async function tallyOf(ask: Ask, tables: readonly Table[]): Promise<Tally> {
  const rows: Tally['rows'] = {}
  for (const { name } of tables) rows[name] = Number((await ask(`select count(*) as n from ${name}`))[0]?.n)
  const sums = await ask('select unit_key, cycle, sum(crimps) as n from crimp_ledger group by unit_key, cycle')
  const crimps = sums
    .map(({ unit_key, cycle, n }): [string, number] => [`${unit_key} ${cycle}`, Number(n)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return { rows, crimps: Object.fromEntries(crimps) }
}

/** The first thing in which two tallies differ; null when they are the same. */
export function findDifference(one: Tally, other: Tally): string | null {
  for (const kind of ['rows', 'crimps'] as const) {
    for (const name of new Set([...Object.keys(one[kind]), ...Object.keys(other[kind])])) {
      const [was, is] = [one[kind][name] ?? 'nada', other[kind][name] ?? 'nada']
      if (was !== is) return `${name}: ${was} na origem, ${is} na cópia`
    }
  }
  return null
}

const lastMigration = async (ask: Ask): Promise<string> =>
  String((await ask('select name from kysely_migration order by name desc limit 1'))[0]?.name)

async function withDb(db: Db, work: (db: Db) => Promise<unknown>): Promise<void> {
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

const openFile = (file: string) => openSqlite(withOurTransactions(openSqliteFile(file)))

/** Changes a file that nobody else has open. */
export async function changeFile(file: string, work: (db: Db) => Promise<unknown>): Promise<void> {
  await withDb(openFile(file), work)
  closeForGood(file)
}

/**
 * Migrates a file to this version's schema; with an instant it also begins a new epoch. Throws when counters differ from
 * their ledger.
 */
export const makeReady = (file: string, newLifeAt: number | null): Promise<void> =>
  withDb(openFile(file), async (db) => {
    await migrate(db)
    const [deviation] = await listCounterDeviations(db.read)
    if (deviation) throw new Error(`o contador de ${deviation.unit} difere da soma dos seus lançamentos`)
    if (newLifeAt !== null) await db.transaction((tx) => beginEpoch(tx, newLifeAt))
  })

/** Rows are inserted far faster without secondary indexes. */
async function withoutIndexes(sqlite: Sqlite.Database, work: () => Promise<void>): Promise<void> {
  const indexes = sqlite
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) sqlite.exec(`drop index "${name}"`)
  await work()
  for (const { sql } of indexes) sqlite.exec(sql)
}

async function keepMysql(mysql: MysqlRows, file: string): Promise<Tally> {
  await mysql.ask('set session transaction isolation level repeatable read')
  await mysql.ask('start transaction with consistent snapshot, read only')
  const schema = await lastMigration(mysql.ask)
  await withDb(openFile(file), (db) => migrateUpTo(db, schema))
  using sqlite = open(file)
  // until it is complete the file is worth nothing: it need not survive a power cut before
  sqlite.pragma('journal_mode = off')
  sqlite.pragma('synchronous = off')
  const tables = tablesOf(sqlite)
  await withoutIndexes(sqlite, async () => {
    sqlite.exec('begin')
    for (const table of tables) {
      sqlite.exec(`delete from ${table.name}`)
      const places = table.columns.map(() => '?').join(', ')
      const insert = sqlite.prepare(`insert into ${table.name} (${columnList(table)}) values (${places})`)
      for await (const row of mysql.rowsOf(table)) insert.run(row)
    }
    sqlite.exec('commit')
  })
  return await tallyOf(mysql.ask, tables)
}

/** Copies a database, also one in use, at one moment to a new file, and returns its tally at that moment. */
export async function takeSnapshot(database: Config['database'], file: string): Promise<Tally> {
  if (database.kind === 'mysql') {
    using mysql = openMysqlRows(database.url)
    return await keepMysql(mysql, file)
  }
  using source = open(database.file, { readonly: true })
  // in one step: a commit between two steps would restart the copy
  await source.backup(file, { progress: () => 2 ** 31 - 1 })
  return await tallyFile(file)
}

/** A copy is no key to what it is a copy of. Answers how many settings are left in it. */
export function dropKey(file: string): number {
  using sqlite = open(file)
  sqlite.pragma('secure_delete = on')
  sqlite
    .prepare('insert or ignore into settings (name, value) select ?, value from settings where name = ?')
    .run(OPERATOR_MARKS_KEY, SIGNING_KEY)
  sqlite.prepare('delete from settings where name = ?').run(SIGNING_KEY)
  return sqlite.prepare('select count(*) from settings').pluck().get() as number
}

/** Why a file must not be trusted; null when it is whole. Reads all of it. */
export function findDamage(file: string): string | null {
  using sqlite = open(file)
  const found = sqlite.pragma('integrity_check', { simple: true })
  return found === 'ok' ? null : String(found)
}

export async function tallyFile(file: string): Promise<Tally> {
  using sqlite = open(file)
  // one file instead of three, so that a copy of it is a copy of all
  sqlite.pragma('journal_mode = delete')
  return await tallyOf(askFile(sqlite), tablesOf(sqlite))
}

export async function schemaOf(file: string): Promise<string> {
  using sqlite = open(file, { readonly: true })
  return await lastMigration(askFile(sqlite))
}

/** File names of the documents in their folder. */
export function namedDocuments(file: string): string[] {
  using sqlite = open(file, { readonly: true })
  // an older version knew no documents
  const isKnown = tablesOf(sqlite).some(({ name }) => name === 'document_revisions')
  return isKnown ? (sqlite.prepare('select sha256 from document_revisions').pluck().all() as string[]) : []
}

/** Replaces the database by a file and sets the old one aside under another name; null when there was none. */
export function replaceFile(snapshot: string, { file, stamp }: { file: string; stamp: string }): string | null {
  const aside = existsSync(file) ? `${file}.${stamp}` : null
  if (aside !== null) {
    closeForGood(file)
    renameSync(file, aside)
  }
  renameSync(snapshot, file)
  return aside
}

/** Checkpoints the write-ahead log into the database file. Throws when another process has it open. */
export function closeForGood(file: string): void {
  using sqlite = open(file, { timeout: 0 })
  try {
    // only the last connection may leave WAL mode
    sqlite.pragma('journal_mode = delete')
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new TargetTaken(`o painel está aberto com o banco ${file}: pare-o antes`)
  }
}

const INDEX_LINE = /^\s+KEY (`\w+`) (.*?),?$/gm

async function loadTable(mysql: MysqlRows, sqlite: Sqlite.Database, table: Table): Promise<void> {
  const { name } = table
  const [shown] = await mysql.ask(`show create table ${name}`)
  const indexes = [...String(shown?.['Create Table']).matchAll(INDEX_LINE)]
  const alter = async (changes: string[]) => {
    if (changes.length > 0) await mysql.ask(`alter table ${name} ${changes.join(', ')}`)
  }
  await alter(indexes.map(([, index]) => `drop index ${index}`))
  // a migration may have left some that the file has too
  await mysql.ask(`delete from ${name}`)
  const keys = (sqlite.pragma(`table_info(${name})`) as { name: string; pk: number }[])
    .filter(({ pk }) => pk > 0)
    .sort((one, other) => one.pk - other.pk)
  // InnoDB stores rows in key order
  const order = keys.length > 0 ? ` order by ${keys.map((key) => `\`${key.name}\``).join(', ')}` : ''
  const rows = sqlite
    .prepare(`select ${columnList(table)} from ${name}${order}`)
    .raw()
    .iterate()
  await mysql.insert(table, rows as Iterable<Row>)
  await alter(indexes.map(([, index, on]) => `add index ${index} ${on}`))
}

async function refuseFull(mysql: MysqlRows): Promise<void> {
  const tables = await mysql.ask(
    "select table_name as name from information_schema.tables where table_schema = database() and table_name not like 'kysely%'",
  )
  for (const { name } of tables) {
    const [first] = await mysql.ask(`select 1 from ${name} limit 1`)
    if (first) throw new TargetTaken(`o banco de DATABASE_URL não está vazio (tabela ${name}): use um banco novo`)
  }
}

/** The setting with the instant at which a database was moved. */
export const MOVED = 'moved-at'

export function noteMoved(file: string, now: number): void {
  using sqlite = open(file)
  sqlite.prepare('insert or replace into settings (name, value) values (?, ?)').run(MOVED, String(now))
}

/** False where it was not moved. */
export function forgetMoved(file: string): boolean {
  using sqlite = open(file)
  const { changes } = sqlite.prepare('delete from settings where name = ?').run(MOVED)
  return changes > 0
}

/** Puts the rows of a file of this version's schema into an empty MariaDB. */
export async function fillMysql(url: string, file: string): Promise<void> {
  using mysql = openMysqlRows(url)
  using sqlite = open(file, { readonly: true })
  await refuseFull(mysql)
  await withDb(openMysql(url), migrate)
  const tables = tablesOf(sqlite)
  for (const table of tables) await loadTable(mysql, sqlite, table)
  const difference = findDifference(await tallyOf(askFile(sqlite), tables), await tallyOf(mysql.ask, tables))
  if (difference !== null) throw new Error(`a cópia difere da origem (${difference})`)
}

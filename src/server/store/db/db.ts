import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type InsertResult,
  Kysely,
  MysqlDialect,
  type MysqlPool,
  type SelectQueryBuilder,
  SqliteDialect,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Pool, PoolConnection } from 'mysql2'
import type { Config } from '../../config.ts'
import { baseCode } from '../file-faults.ts'
import { mysqlDriver, sqliteDriver } from './drivers.ts'
import { mysqlOptions } from './mysql-address.ts'
import type { Tables } from './tables.ts'

/** Enough to read one thing consistently. A transaction is one too. */
export type Reader = Kysely<Tables>
/** Proof that the caller is inside a transaction: whatever changes a row takes it first. */
export type Tx = Transaction<Tables>

export type Db = {
  kind: 'sqlite' | 'mysql'
  /** For single reads. Never inside a transaction: on SQLite there is one connection, it would wait for itself. */
  read: Reader
  /**
   * Runs `work` as one commit. MariaDB repeats all of it after a deadlock, a lock time-out or a lost connection, so it must
   * decide anew from what it reads and do nothing outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  ping(): Promise<boolean>
  /** How far the database's clock is ahead of this one. On SQLite it is the same. */
  aheadMs(now: () => number): Promise<number>
  close(): Promise<void>
}

/**
 * Another server's commit was in the way, so a retry may succeed. On Galera a read too ends by a lock time-out when its node
 * lags.
 */
const retriedCodes = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_UNKNOWN_COM_ERROR',
  'ECONNRESET',
  'PROTOCOL_CONNECTION_LOST',
  // mysql2's word for every end before TLS was agreed, the loss of the connection too
  'HANDSHAKE_SSL_ERROR',
  'ER_CHECKREAD',
])

/** Seen from a handler: the database could not be reached, or was tried in vain. Anything else is a bug. */
const unreachableCodes = new Set([
  ...retriedCodes,
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_BUSY',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
])

const codeOf = (error: unknown): string => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // mysql2 gives no code to what follows the loss of a connection: the roll-back, whose error hides the first one
  return String(code ?? (/in closed state$/.test(String(message)) ? 'PROTOCOL_CONNECTION_LOST' : ''))
}

export const isStoreUnreachable = (error: unknown): boolean => unreachableCodes.has(baseCode(codeOf(error)))

/** The database is there and does not let us in: a matter of settings, waiting does not help. */
export const isEntryDenied = (error: unknown): boolean =>
  ['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR', 'HANDSHAKE_NO_SSL_SUPPORT'].includes(
    codeOf(error),
  )

/** What the database's user may not do there, in SQL's own word; null where an error says something else. */
export const findMissingRight = (error: unknown): string | null =>
  codeOf(error) === 'ER_TABLEACCESS_DENIED_ERROR'
    ? (/^[A-Z ]+(?= command denied)/.exec((error as Error).message)?.[0] ?? 'ALL')
    : null

export const isUniqueViolation = (error: unknown): boolean =>
  ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'ER_DUP_ENTRY'].includes(codeOf(error))

type Change = { executeTakeFirst(): Promise<{ numUpdatedRows?: bigint; numDeletedRows?: bigint }> }

/** Runs a statement, `update.$call(changesOne)`: whether the one row was there to be changed, as its conditions say. */
export async function changesOne(statement: Change): Promise<boolean> {
  const { numUpdatedRows, numDeletedRows } = await statement.executeTakeFirst()
  return (numUpdatedRows ?? numDeletedRows) === 1n
}

/** Runs an insert, `insert.$call(insertsNew)`: false where another commit was first with its key. */
export async function insertsNew(statement: { execute(): Promise<unknown> }): Promise<boolean> {
  try {
    await statement.execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/** Runs an insert, `insert.$call(insertsRow)`: the id that the database gave it. */
export async function insertsRow(statement: { executeTakeFirstOrThrow(): Promise<InsertResult> }): Promise<number> {
  return Number((await statement.executeTakeFirstOrThrow()).insertId)
}

/** Runs a query without columns, `query.$call(countsRows)`. */
export async function countsRows<TB extends keyof Tables>(
  query: SelectQueryBuilder<Tables, TB, object>,
): Promise<number> {
  const rows = query as unknown as SelectQueryBuilder<Tables, 'settings', object>
  const { n } = await rows.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return Number(n)
}

/** Whether a query finds anything, `query.$call(findsAny)`. */
export async function findsAny(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined
}

/** The condition that a row is of the version that somebody saw; null takes any. */
export const ofVersion = (versionSeen: number | null) => (versionSeen === null ? {} : { version: versionSeen })

type Versioned =
  | 'applicators'
  | 'containments'
  | 'documents'
  | 'instruments'
  | 'maintenance_tasks'
  | 'scrap_reasons'
  | 'sealing_stations'

/** Raises the version with the change. False when the row is gone or is not of the version seen any more; null takes any. */
export const changeVersion = <T extends Versioned>(
  tx: Tx,
  table: T,
  { id, versionSeen }: { id: number | string; versionSeen: number | null },
  change: Updateable<Tables[T]>,
): Promise<boolean> =>
  tx
    .updateTable(table as 'documents')
    .set((e) => ({ ...(change as object), version: e('version', '+', 1) }))
    .where((e) => e.and({ id: id as number, ...ofVersion(versionSeen) }))
    .$call(changesOne)

const CONFLICT_TRIES_MAX = 5

/** Repeats `work` after another request stored the same key: it then finds what it was about to insert. */
export async function againWhenStored<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= CONFLICT_TRIES_MAX || !isUniqueViolation(error)) throw error
    }
  }
}

const TRANSACTION_TRIES_MAX = 5

/**
 * SQLite prepares an ordered or limited statement anew for the values of each call, which costs many times what it reads: a plus
 * says that no plan depends on them.
 */
const withPlainPlaces = (text: string) =>
  / (order by|limit) /.test(text) ? text.replaceAll(/(= |limit )\?/g, '$1+?') : text

/** The connection as Kysely needs it, which prepares a statement for every call: the same few are asked for all day. */
export function withOurTransactions(sqlite: Sqlite.Database): Pick<Sqlite.Database, 'prepare' | 'close'> {
  const prepared = new Map<string, Sqlite.Statement>()
  // where the disk fails SQLite has rolled back by itself: the failure must reach the caller, not the complaint about it
  const rollback = {
    reader: false,
    run() {
      if (sqlite.inTransaction) sqlite.exec('rollback')
      return { changes: 0, lastInsertRowid: 0 }
    },
  }
  return {
    prepare: ((text: string) => {
      if (text === 'rollback') return rollback
      // a deferred transaction that turns writer later fails at once when another process wrote meanwhile
      const wanted = text === 'begin' ? 'begin immediate' : text
      const statement = prepared.get(wanted) ?? sqlite.prepare(withPlainPlaces(wanted))
      if (prepared.size > 500) prepared.clear()
      prepared.set(wanted, statement)
      return statement
    }) as Sqlite.Database['prepare'],
    close: () => sqlite.close(),
  }
}

/** SQLite before this has the WAL-reset bug that can corrupt a file under two writers. */
const SQLITE_VERSION_MIN = '3.51.3'
const versionNumber = (version: string) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0)

const WAL_TRIES_MAX = 50
const WAL_WAIT_MS = 100

/** Of several processes that create one file at once, some get 'busy' immediately, whatever the time-out. */
function setWal(sqlite: Sqlite.Database): void {
  for (let tries = 1; ; tries++) {
    try {
      sqlite.pragma('journal_mode = wal')
      return
    } catch (error) {
      if (baseCode(codeOf(error)) !== 'SQLITE_BUSY' || tries >= WAL_TRIES_MAX) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_WAIT_MS)
    }
  }
}

export function openSqliteFile(file: string): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true })
  const sqlite = new (sqliteDriver())(file)
  const { version } = sqlite.prepare('select sqlite_version() as version').get() as { version: string }
  if (versionNumber(version) < versionNumber(SQLITE_VERSION_MIN)) {
    throw new Error(`SQLite ${version} is too old: ${SQLITE_VERSION_MIN} or newer is needed`)
  }
  setWal(sqlite)
  sqlite.pragma('synchronous = full')
  sqlite.pragma('foreign_keys = on')
  // a secret that was deleted is in no backup
  sqlite.pragma('secure_delete = fast')
  sqlite.pragma('busy_timeout = 5000')
  return sqlite
}

export function openSqlite(database: Pick<Sqlite.Database, 'prepare' | 'close'>): Db {
  const kysely = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  return {
    kind: 'sqlite',
    read: kysely,
    transaction: (work) => kysely.transaction().execute(work),
    ping: async () => (await findOutage(kysely)) === null,
    aheadMs: async () => 0,
    close: () => kysely.destroy(),
  }
}

/** Beyond any wait for a lock, and well below what a call may take. */
const SILENCE_MS_MAX = 8000
const LOCK_WAIT_S_MAX = 5
/** What changes the schema, or waits for another server that does, takes as long as it takes. */
const MAY_TAKE_LONG = /^\s*(create|alter|drop|select get_lock)\b/i

type Done = (error: unknown, result?: unknown) => void

/** Calls `done` once: with what `work` calls it with, or with a time-out when nothing came. */
function orSilence(done: Done, onSilence: () => void, work: (done: Done) => void): void {
  const limit = setTimeout(() => {
    settle(Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' }))
    onSilence()
  }, SILENCE_MS_MAX)
  let isSettled = false
  const settle: Done = (error, result) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(limit)
    done(error, result)
  }
  work(settle)
}

type Query = (text: string, values: unknown, done: Done) => void

/** Closes a silent connection: a late answer would be taken for that of the next query. */
function endWhenSilent(connection: PoolConnection): void {
  const query = connection.query.bind(connection) as unknown as Query
  const impatient: Query = (text, values, done) => {
    if (MAY_TAKE_LONG.test(text)) return query(text, values, done)
    orSilence(
      done,
      () => connection.destroy(),
      (settle) => query(text, values, settle),
    )
  }
  connection.query = impatient as unknown as PoolConnection['query']
}

/** The pool as Kysely needs it. Neither a statement nor the wait for a connection lasts for ever. */
function impatientPool(pool: Pool): MysqlPool {
  pool.on('connection', endWhenSilent)
  const getConnection = (done: Done) => {
    let isTooLate = false
    orSilence(
      done,
      () => {
        isTooLate = true
      },
      (settle) =>
        pool.getConnection((error, connection) => {
          if (isTooLate) connection?.release()
          else settle(error, connection)
        }),
    )
  }
  return { getConnection, end: (done: Done) => pool.end(done) } as unknown as MysqlPool
}

export function openMysql(url: string): Db {
  const { createPool, setMaxParserCache } = mysqlDriver()
  // as many shapes of rows as the panel reads; by itself it keeps 0.5 MB for 15,000
  setMaxParserCache(1000)
  const pool = createPool({
    ...mysqlOptions(url),
    connectionLimit: 10,
    // none is prepared, and each connection keeps 0.5 MB for 16,000 of them
    maxPreparedStatements: 1,
    enableKeepAlive: true,
  })
  const kysely = new Kysely<Tables>({
    dialect: new MysqlDialect({
      pool: impatientPool(pool),
      onCreateConnection: async (connection) => {
        const set = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
        await set('set session transaction isolation level read committed')
        await set("set session time_zone = '+00:00'")
        await set("set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'")
        await set(`set session innodb_lock_wait_timeout = ${LOCK_WAIT_S_MAX}`)
      },
    }),
  })
  return {
    kind: 'mysql',
    read: kysely,
    async transaction(work) {
      const begunMs = performance.now()
      for (let tries = 1; ; tries++) {
        try {
          return await kysely.transaction().execute(work)
        } catch (error) {
          const isLate = performance.now() - begunMs >= SILENCE_MS_MAX
          if (isLate || tries >= TRANSACTION_TRIES_MAX || !retriedCodes.has(codeOf(error))) throw error
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** tries))
        }
      }
    },
    ping: async () => (await findOutage(kysely)) === null,
    async aheadMs(now) {
      const sentMs = now()
      const { rows } = await sql<{ ms: number }>`select floor(unix_timestamp(now(3)) * 1000) as ms`.execute(kysely)
      return Math.round(Number(rows[0]?.ms) - (sentMs + now()) / 2)
    },
    close: () => kysely.destroy(),
  }
}

/** Why the database does not answer; null when it does. */
export async function findOutage(db: Reader): Promise<Error | null> {
  try {
    await sql`select 1`.execute(db)
    return null
  } catch (error) {
    return error as Error
  }
}

export const openDb = (database: Config['database']): Db =>
  database.kind === 'mysql' ? openMysql(database.url) : openSqlite(withOurTransactions(openSqliteFile(database.file)))

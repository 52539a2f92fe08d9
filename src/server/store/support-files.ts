import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Reader } from './db/db.ts'

type SchemaTable = { name: string; rows: number; columns: string[] }

const tablesOf = async (db: Reader) =>
  (await db.introspection.getTables()).toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** The tables as they are, which need not be those of this version. */
export async function listTables(db: Reader): Promise<SchemaTable[]> {
  const found: SchemaTable[] = []
  for (const { name, columns } of await tablesOf(db)) {
    const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(name)}`.execute(db)
    found.push({ name, rows: Number(rows[0]?.n), columns: columns.map((column) => column.name).toSorted() })
    // on SQLite nobody else would be answered meanwhile
    await setImmediate()
  }
  return found
}

/** The steps that were run, and when. */
export async function listSteps(db: Reader): Promise<{ name: string; at: string }[]> {
  const steps = sql<{ name: string; at: string }>`select name, timestamp as at from kysely_migration order by name`
  return (await steps.execute(db)).rows
}

/** Columns with the name of a person are called like this, so that a new one is known without being listed. */
export const PERSON_COLUMN = /(^|_)(by|operator|user_?name|full_name|responsible)$/
const NAMES_ROWS_MAX = 20_000

/** Known names of each person, users first; for a person without a user the names in the rows. */
export async function listPeople(db: Reader): Promise<string[][]> {
  const users = await db.selectFrom('users').select(['username', 'full_name']).orderBy('id').execute()
  const people = users.map(({ username, full_name }) => [username, full_name])
  for (const { name: table, columns } of await tablesOf(db)) {
    const isOrdered = columns.some(({ name }) => name === 'id')
    for (const { name } of columns.filter((column) => PERSON_COLUMN.test(column.name))) {
      const newest = sql`select ${sql.ref(name)} as name from ${sql.table(table)}
        ${isOrdered ? sql`order by id desc` : sql``} limit ${sql.lit(NAMES_ROWS_MAX)}`
      const distinct = sql<{ name: string | null }>`select distinct name from (${newest}) as newest`
      const { rows } = await distinct.execute(db)
      people.push(...rows.flatMap((row) => (row.name ? [[row.name]] : [])))
      await setImmediate()
    }
  }
  return people
}

/** The newest entries of the log that say one of these, newest first. */
export const listMessages = (db: Reader, messages: readonly string[], countMax: number) =>
  db
    .selectFrom('log_entries')
    .select(['at', 'message', 'details_json as details'])
    .where('message', 'in', messages)
    .orderBy('id', 'desc')
    .limit(countMax)
    .execute()

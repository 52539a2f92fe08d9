import { type RawBuilder, SqliteAdapter, sql } from 'kysely'
import type { Reader } from './db/db.ts'

/** A column that names few things in many rows; an index begins with it. */
type Written = { table: string; column: string }
export const terminals: Written = { table: 'daily_production', column: 'terminal' }
export const machines: Written = { table: 'recordings', column: 'machine' }

/** Every text of a column, in every way in which it is written there, but for the empty one. */
export function writtenValues(db: Reader, written: Written): RawBuilder<{ value: string }> {
  const [table, column] = [sql.table(written.table), sql.ref(written.column)]
  // MariaDB and MySQL step through the index from one to the next by themselves, and look up nothing inside a recursion
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) {
    return sql`select distinct ${column} as value from ${table} where ${column} > ''`
  }
  // SQLite reads every row for what is distinct, which of a million rows are a million
  return sql`
    with recursive step (value) as (
      select min(${column}) from ${table} where ${column} > ''
      union all
      select (select min(${column}) from ${table} where ${column} > step.value) from step where value is not null
    )
    select value from step where value is not null`
}

export async function listWritten(db: Reader, written: Written): Promise<string[]> {
  const { rows } = await writtenValues(db, written).execute(db)
  return rows.map(({ value }) => value)
}

import { type Compilable, type CompiledQuery, type Insertable, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Reader, Tx } from './db.ts'
import type { Tables } from './tables.ts'

type Value = string | number | null

/** Stands in a compiled statement where a value of the call belongs. */
class Gap<V> {
  readonly name: keyof V
  constructor(name: keyof V) {
    this.name = name
  }
}

/** Gives the place of a value by its name. */
export type Place<V> = <N extends keyof V>(name: N) => RawBuilder<V[N]>

type Build<V, R> = (db: Reader, value: Place<V>) => Compilable<R>

/** One adapter belongs to each open database, and to its transactions. */
const adapterOf = (db: Reader): object => db.getExecutor().adapter

function filled<V extends Record<string, Value>, R>(build: Build<V, R>) {
  const queries = new WeakMap<object, CompiledQuery<R>>()
  return (db: Reader, values: V): Promise<QueryResult<R>> => {
    const adapter = adapterOf(db)
    const query = queries.get(adapter) ?? build(db, (name) => sql`${new Gap<V>(name)}`).compile()
    queries.set(adapter, query)
    const parameters = query.parameters.map((one) => (one instanceof Gap ? values[(one as Gap<V>).name] : one))
    return db.executeQuery<R>({ ...query, parameters })
  }
}

/**
 * A statement of constant shape for calls that come all day: built and compiled at its first call, filled with values at each.
 * `build` gets a place for each value and may decide nothing by values.
 */
export function compiled<V extends Record<string, Value>, R>(build: Build<V, R>) {
  const run = filled(build)
  return async (db: Reader, values: V): Promise<R[]> => (await run(db, values)).rows
}

/** As `compiled`, for a statement that changes rows: resolves to how many were as its conditions say. */
export function compiledChange<V extends Record<string, Value>>(build: Build<V, unknown>) {
  const run = filled(build)
  return async (tx: Tx, values: V): Promise<number> => Number((await run(tx, values)).numAffectedRows ?? 0)
}

const insertions = new WeakMap<object, Map<string, CompiledQuery>>()

/** Inserts rows of the same columns, which decide the statement: it is compiled once for each number of them. */
export async function insertRows<T extends keyof Tables & string>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const adapter = adapterOf(tx)
  const known = insertions.get(adapter) ?? new Map<string, CompiledQuery>()
  insertions.set(adapter, known)
  const columns = Object.keys(first) as (keyof typeof first)[]
  const shape = [table, rows.length, ...columns].join(' ')
  const query = known.get(shape) ?? tx.insertInto(table).values(rows).compile()
  known.set(shape, query)
  await tx.executeQuery({ ...query, parameters: rows.flatMap((row) => columns.map((column) => row[column])) })
}

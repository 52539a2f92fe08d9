import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from './db.ts'

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

/**
 * A statement of constant shape for calls that come all day: built and compiled at its first call, filled with values at each.
 * `build` gets a place for each value and may decide nothing by values.
 */
export function compiled<V extends Record<string, Value>, R>(
  build: (db: Reader, value: Place<V>) => Compilable<R>,
): (db: Reader, values: V) => Promise<R[]> {
  // one adapter belongs to each open database, and to its transactions
  const queries = new WeakMap<object, CompiledQuery<R>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const query = queries.get(adapter) ?? build(db, (name) => sql`${new Gap<V>(name)}`).compile()
    queries.set(adapter, query)
    const parameters = query.parameters.map((one) => (one instanceof Gap ? values[(one as Gap<V>).name] : one))
    return (await db.executeQuery<R>({ ...query, parameters })).rows
  }
}

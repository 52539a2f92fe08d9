import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Tables } from './tables.ts'

type Reader = Kysely<Tables>

/** Stands for a value in a statement that is compiled before the value is known. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slotsOf = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values

type Run = <Row>(query: CompiledQuery<Row>) => QueryResult<Row> | null

const runsAtOnce = new WeakMap<Reader, Run>()

/** Lets compiled statements on `db` skip Kysely's way to its connection; where `run` gives null they take it. */
export const runAtOnce = (db: Reader, run: Run): void => void runsAtOnce.set(db, run)

/**
 * Compiling a statement costs Kysely several times what SQLite takes to run it, so frequent statements are compiled once per
 * kind of database. `build` sees placeholders: it must pass every value on as it is and decide nothing by it.
 */
export function compileOnce<Values extends object, Row>(
  build: (db: Reader, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Reader, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    const query = compiled.get(adapter) ?? build(db, slotsOf(values)).compile()
    compiled.set(adapter, query)
    const filled = (parameter: unknown) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter
    const ready = { ...query, parameters: query.parameters.map(filled) }
    return runsAtOnce.get(db)?.(ready) ?? (await db.executeQuery(ready))
  }
}

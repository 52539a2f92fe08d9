// Mistakes, loaded before the server by `--import`; each is for another check of the storm to find.
import Sqlite from 'better-sqlite3'

const done = { changes: 1, lastInsertRowid: 1 }
type Statement = ReturnType<Sqlite.Database['prepare']>
type Run = (statement: Statement, parameters: unknown[]) => unknown

const twice: Run = (statement, parameters) => {
  statement.run(parameters)
  return statement.run(parameters)
}
const notAtAll: Run = () => done

/** By how their statements begin. */
const runs: [text: string, run: Run][] = [
  // a counter moves twice for one line of its ledger
  ['update "applicator_units" set "crimps" = "crimps" + ?, "lifetime_crimps"', twice],
  // a press that joins is answered and not written
  ['insert into "maintenance_call_joins"', notAtAll],
  // the roll-up of the day misses what comes later
  ['update "daily_production"', notAtAll],
]
/** A receipt is looked for among recordings alone. */
const unread = [
  'select "act_id" from "measurements" where "act_id" = ? limit ?',
  'select "id" from "scraps" where "id" = ? limit ?',
  'select "id" from "maintenance_calls" where "id" = ? limit ?',
  'select "id" from "maintenance_call_joins" where "id" = ? limit ?',
]

const { prepare } = Sqlite.prototype

Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
  const statement = prepare.call(this, text)
  if (unread.includes(text)) return { reader: true, all: () => [] }
  const [, run] = runs.find(([beginning]) => text.startsWith(beginning)) ?? []
  if (!run) return statement
  return { reader: false, run: (parameters: unknown[]) => run(statement, parameters) }
} as typeof prepare

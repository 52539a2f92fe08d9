// A mistake, loaded before the server by `--import`: many transactions share one commit, and nobody waits for it.
import Sqlite from 'better-sqlite3'

/** More than happen between what an operator sent and what he was answered, with many operators at once. */
const COMMIT_EVERY = 100
const nothing = { changes: 0, lastInsertRowid: 0 }
const { prepare } = Sqlite.prototype
let commits = 0

Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
  const statement = prepare.call(this, text)
  if (text !== 'begin immediate' && text !== 'commit') return statement
  const isDue = () => (text === 'commit' ? ++commits % COMMIT_EVERY === 0 : !this.inTransaction)
  return { reader: false, run: (parameters: unknown[]) => (isDue() ? statement.run(parameters) : nothing) }
} as typeof prepare

// A mistake, loaded before the server by `--import`: that the bytes may have left is not noted before they leave.
import Sqlite from 'better-sqlite3'

const { prepare } = Sqlite.prototype

Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
  const statement = prepare.call(this, text)
  if (!text.startsWith('update "erp_outbox"')) return statement
  return {
    reader: statement.reader,
    all: (parameters: unknown[]) => statement.all(parameters),
    run: (parameters: unknown[]) =>
      parameters.includes('sending') ? { changes: 1, lastInsertRowid: 0 } : statement.run(parameters),
  }
} as typeof prepare

import type Sqlite from 'better-sqlite3'
import { openSqliteFile, withOurTransactions } from '../../../src/server/store/db/db.ts'

class Crash extends Error {}

/** Bends single statements of the product, so that the simulation can be seen to fail. Null: executes as it is. */
export type StatementMutant = (statement: string, parameters: unknown[], sqlite: Sqlite.Database) => 'swallow' | null

const nothing = { changes: 1, lastInsertRowid: 0 }

/**
 * One life of the process as its database sees it: it dies before or after the n-th statement, begin and commit
 * included. After that no statement reaches the file any more; an open transaction is lost with the connection.
 */
export function openCrashingSqlite(file: string, mutant: StatementMutant | null) {
  const sqlite = openSqliteFile(file)
  // the process dies here, never the machine: what was written stays written
  sqlite.pragma('synchronous = off')
  const connection = withOurTransactions(sqlite)
  let statementsLeft = Number.POSITIVE_INFINITY
  let crashed = false

  const step = () => {
    if (!crashed && --statementsLeft <= 0) {
      crashed = true
      sqlite.close()
    }
    if (crashed) throw new Crash('the process is dead')
  }
  const around = <T>(text: string, parameters: unknown[], execute: () => T): T => {
    step()
    if (mutant?.(text, parameters, sqlite) === 'swallow') return nothing as T
    const result = execute()
    step()
    return result
  }
  const database = {
    prepare(text: string) {
      if (crashed) throw new Crash('the process is dead')
      const statement = connection.prepare(text)
      return {
        reader: statement.reader,
        all: (parameters: unknown[]) => around(text, parameters, () => statement.all(parameters)),
        run: (parameters: unknown[]) => around(text, parameters, () => statement.run(parameters)),
      }
    },
    close: () => {
      if (sqlite.open) sqlite.close()
    },
  }
  return {
    database: database as unknown as Pick<Sqlite.Database, 'prepare' | 'close'>,
    crashAfter: (statements: number) => {
      statementsLeft = statements
    },
    spare: () => {
      statementsLeft = Number.POSITIVE_INFINITY
    },
    hasCrashed: () => crashed,
  }
}

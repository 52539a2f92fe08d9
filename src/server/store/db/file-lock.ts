import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sqliteDriver } from './drivers.ts'

/** Longer than a server that is being stopped may take. */
const WAIT_MS_MAX = 15_000
const TRY_EVERY_MS = 100

/** The lock of a database stands beside its file, by the file's own name: links and two DATA_DIR may lead to one. */
export function lockBeside(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  return `${existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))}-lock`
}

/**
 * Locks for one process by an open exclusive transaction on a file of its own, which ends with the process in any case.
 * Resolves to the release; null when another process has not released it in time.
 */
export async function lockFile(file: string): Promise<(() => void) | null> {
  const lock = new (sqliteDriver())(file, { timeout: 0 })
  for (let waitedMs = 0; waitedMs <= WAIT_MS_MAX; waitedMs += TRY_EVERY_MS) {
    try {
      // nothing is ever written: no journal that a crash would leave
      lock.pragma('journal_mode = memory')
      lock.exec('begin exclusive')
      // one of a version before, or of a copy, keeps the permissions that it was made with
      chmodSync(file, 0o600)
      return () => lock.close()
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') {
        lock.close()
        throw error
      }
    }
    await setTimeout(TRY_EVERY_MS)
  }
  lock.close()
  return null
}

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'

/** Longer than a server that is being stopped may take. */
const WAIT_MS_MAX = 15_000
const TRY_EVERY_MS = 100

/**
 * Locks a folder for one process by an open exclusive transaction, which ends with the process in any case. Resolves to the
 * release; null when another process has not released it in time.
 */
export async function lockFolder(folder: string): Promise<(() => void) | null> {
  const lock = new Sqlite(join(folder, 'lock.sqlite'), { timeout: 0 })
  for (let waitedMs = 0; waitedMs <= WAIT_MS_MAX; waitedMs += TRY_EVERY_MS) {
    try {
      // nothing is ever written: no journal that a crash would leave
      lock.pragma('journal_mode = memory')
      lock.exec('begin exclusive')
      return () => lock.close()
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    }
    await setTimeout(TRY_EVERY_MS)
  }
  lock.close()
  return null
}

import type { FastifyBaseLogger } from 'fastify'
import type { Db } from './store/db.ts'

const WARN_APART_MS = 30_000

/**
 * Two servers compare times that the other wrote (leases, when something was sent): both go by the database's clock.
 * `follow` measures it anew; while the database is away the last difference stays.
 */
export async function openClock(
  db: Pick<Db, 'aheadMs'>,
  ownNow: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<{ now: () => number; follow: () => Promise<void> }> {
  let aheadMs = 0
  const follow = async () => {
    try {
      const before = aheadMs
      aheadMs = await db.aheadMs(ownNow)
      if (Math.abs(aheadMs - before) > WARN_APART_MS) log.warn({ aheadMs }, "this server's clock is not the database's")
    } catch (error) {
      log.warn({ err: error }, "the database's clock could not be read")
    }
  }
  await follow()
  return { now: () => ownNow() + aheadMs, follow }
}

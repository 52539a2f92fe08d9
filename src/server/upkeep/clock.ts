import type { FastifyBaseLogger } from 'fastify'
import { type Believed, believedNow } from '../../domain/plant/time-trust.ts'
import type { Outside } from '../outside.ts'
import type { Db } from '../store/db/db.ts'
import { bringFutureBack, findLastWorkAt } from '../store/future-times.ts'
import { findSetting, saveSetting } from '../store/settings.ts'

export type Clock = {
  now: () => number
  follow: () => Promise<void>
  /** By how much this server's own clock and the database's differ. */
  apartMs: () => number
}

const WARN_APART_MS = 30_000

/**
 * Two servers compare times that the other wrote (leases, sendings), so both use the database's clock. `follow` measures the
 * difference again; while the database is away the last one stays.
 */
export async function openClock(
  db: Pick<Db, 'aheadMs'>,
  ownNow: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<Clock> {
  let aheadMs = 0
  const follow = async () => {
    try {
      const before = aheadMs
      aheadMs = await db.aheadMs(ownNow)
      if (Math.abs(aheadMs - before) > WARN_APART_MS) log.warn({ aheadMs }, "this server's clock is not the database's")
    } catch (error) {
      log.warn({ err: error, repeats: true }, "the database's clock could not be read")
    }
  }
  await follow()
  return { now: () => ownNow() + aheadMs, follow, apartMs: () => Math.abs(aheadMs) }
}

/** Corrects what a clock that ran ahead has written, at the start and whenever the clock was put back. */
export function openFutureWatch(
  { db, erp, log, config }: Pick<Outside, 'db' | 'erp' | 'log' | 'config'>,
  { now, apartMs }: Clock,
  elapsedMs: () => number,
): () => Promise<void> {
  let before: { now: number; elapsedMs: number } | null = null
  return async () => {
    const at = { now: now(), elapsedMs: elapsedMs() }
    const aheadMs = before === null ? Number.NEGATIVE_INFINITY : at.now - before.now - (at.elapsedMs - before.elapsedMs)
    before = at
    // of two clocks that differ neither is known to be right: change nothing
    if (aheadMs > -WARN_APART_MS || apartMs() > WARN_APART_MS) return
    const changed = await db.transaction((tx) =>
      bringFutureBack(tx, {
        now: at.now,
        timeZone: config.timeZone,
        writeTimeoutMs: erp.writeTimeoutMs,
      }),
    )
    if (Object.keys(changed).length > 0) log.warn({ changed }, 'times in the future were brought back to now')
  }
}

const BELIEVED_AT = 'clock-believed-at'

/**
 * Whether chores that cannot be undone (deleting names, sessions, log entries) may trust the clock now (decision 037). The
 * last trusted instant is stored: otherwise work done at a wrong time would make a restarted server trust it.
 */
export function openTimeTrust({ db, now, elapsedMs, log }: Pick<Outside, 'db' | 'now' | 'elapsedMs' | 'log'>) {
  let believed: Promise<Believed> | null = null
  const begin = async (): Promise<Believed> => {
    const saved = await findSetting(db.read, BELIEVED_AT)
    return { wallMs: Number(saved ?? (await findLastWorkAt(db.read)) ?? now()), elapsedMs: elapsedMs() }
  }
  return async (): Promise<boolean> => {
    believed ??= begin()
    const before = await believed.catch((error: unknown) => {
      believed = null
      throw error
    })
    const after = believedNow(before, { wallMs: now(), elapsedMs: elapsedMs() })
    if (after === null) {
      log.warn(
        { believedAt: before.wallMs, repeats: true },
        'the clock is far ahead of when it was last believed: nothing is deleted by it',
      )
      return false
    }
    await db.transaction((tx) => saveSetting(tx, BELIEVED_AT, String(after.wallMs)))
    believed = Promise.resolve(after)
    return true
  }
}

import type { Reader, Tx } from './db/db.ts'
import type { SessionEnd } from './sessions.ts'

export type Badge = {
  userId: number
  pinHash: string | null
  /** The two locks before the next one. */
  lastLockAt: number | null
  earlierLockAt: number | null
  /** Until an administrator unblocks it. */
  blockedAt: number | null
}

const badge = (db: Reader) =>
  db
    .selectFrom('badges')
    .select(['user_id as userId', 'pin_hash as pinHash', 'last_lock_at as lastLockAt'])
    .select(['earlier_lock_at as earlierLockAt', 'blocked_at as blockedAt'])

export const findBadge = async (db: Reader, codeHash: string): Promise<Badge | null> =>
  (await badge(db).where('code_hash', '=', codeHash).executeTakeFirst()) ?? null

export const findBadgeOf = async (db: Reader, userId: number): Promise<Badge | null> =>
  (await badge(db).where('user_id', '=', userId).executeTakeFirst()) ?? null

type Change = Partial<{
  codeHash: string | null
  issuedAt: number | null
  pinHash: string
  lastLockAt: number | null
  earlierLockAt: number | null
  blockedAt: number | null
}>

/** Makes the row of a person who has none. The caller holds the lock of that user. */
export async function saveBadge(tx: Tx, userId: number, change: Change): Promise<void> {
  const values = {
    ...(change.codeHash === undefined ? {} : { code_hash: change.codeHash }),
    ...(change.issuedAt === undefined ? {} : { issued_at: change.issuedAt }),
    ...(change.pinHash === undefined ? {} : { pin_hash: change.pinHash }),
    ...(change.lastLockAt === undefined ? {} : { last_lock_at: change.lastLockAt }),
    ...(change.earlierLockAt === undefined ? {} : { earlier_lock_at: change.earlierLockAt }),
    ...(change.blockedAt === undefined ? {} : { blocked_at: change.blockedAt }),
  }
  if (await findBadgeOf(tx, userId)) {
    await tx.updateTable('badges').set(values).where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('badges')
    .values({ user_id: userId, ...values })
    .execute()
}

/** The live sessions that a person's badge has opened, but the spared one. */
export async function endBadgeSessions(
  tx: Tx,
  userId: number,
  { at, why, spared = null }: SessionEnd & { spared?: string | null },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: at, ended_why: why })
    .where((e) => e.and({ user_id: userId, by_badge: 1 }))
    .where('revoked_at', 'is', null)
    .$if(spared !== null, (query) => query.where('id', '!=', String(spared)))
    .execute()
}

import { changesOne, type Db, type Reader, type Tx } from './db/db.ts'
import { endSessions, type SessionEnd } from './sessions.ts'

export const findBadge = async (db: Reader, by: { code_hash: string } | { user_id: number }) =>
  (await db
    .selectFrom('badges')
    .select(['user_id as userId', 'code_hash as codeHash', 'pin_hash as pinHash', 'blocked_at as blockedAt'])
    .where((e) => e.and(by))
    .executeTakeFirst()) ?? null

export type Badge = NonNullable<Awaited<ReturnType<typeof findBadge>>>

type Change = Partial<{
  codeHash: string | null
  issuedAt: number | null
  pinHash: string
  blockedAt: number | null
}>

/** Makes the row of a person who has none. The caller holds the lock of that user. */
export async function saveBadge(tx: Tx, userId: number, change: Change): Promise<void> {
  const values = {
    ...(change.codeHash === undefined ? {} : { code_hash: change.codeHash }),
    ...(change.issuedAt === undefined ? {} : { issued_at: change.issuedAt }),
    ...(change.pinHash === undefined ? {} : { pin_hash: change.pinHash }),
    ...(change.blockedAt === undefined ? {} : { blocked_at: change.blockedAt }),
  }
  if (await findBadge(tx, { user_id: userId })) {
    await tx.updateTable('badges').set(values).where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('badges')
    .values({ user_id: userId, ...values })
    .execute()
}

/** Only while it is still the one that was checked. */
export async function replacePinHash(
  tx: Tx,
  { userId, pinHash }: Pick<Badge, 'userId' | 'pinHash'>,
  replacing: string,
): Promise<void> {
  await tx
    .updateTable('badges')
    .set({ pin_hash: replacing })
    .where((e) => e.and({ user_id: userId, pin_hash: pinHash }))
    .execute()
}

/** For the owner's next log-in. */
export async function countWrongPin(tx: Tx, userId: number, at: number): Promise<void> {
  await tx
    .updateTable('badges')
    .set((e) => ({
      wrong_pins: e(e.fn.coalesce('wrong_pins', e.val(0)), '+', 1),
      wrong_since: e.fn.coalesce('wrong_since', e.val(at)),
    }))
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Takes the count of wrong PINs since it was last taken; null for none. If one more comes meanwhile, all are left for
 * the next time.
 */
export async function takeWrongPins(db: Db, userId: number): Promise<{ count: number; since: number } | null> {
  const seen = await db.read
    .selectFrom('badges')
    .select(['wrong_pins as count', 'wrong_since as since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!seen?.count || seen.since === null) return null
  const { count, since } = seen
  const isTaken = await db.transaction((tx) =>
    tx
      .updateTable('badges')
      .set({ wrong_pins: null, wrong_since: null })
      .where((e) => e.and({ user_id: userId, wrong_pins: count, wrong_since: since }))
      .$call(changesOne),
  )
  return isTaken ? { count, since } : null
}

/** The live sessions that a person's badge has opened, but the spared one. */
export async function endBadgeSessions(
  tx: Tx,
  userId: number,
  { spared = null, ...end }: SessionEnd & { spared?: string | null },
): Promise<void> {
  await endSessions(tx, end)
    .where((e) => e.and({ user_id: userId, by_badge: 1 }))
    .$if(spared !== null, (query) => query.where('id', '!=', String(spared)))
    .execute()
}

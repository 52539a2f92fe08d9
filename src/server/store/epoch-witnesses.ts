import type { MarkKind } from '../../contract/epochs.ts'
import { proveYounger, type Witness } from '../../domain/plant/epochs.ts'
import type { Reader, Tx } from './db/db.ts'
import { findNewestChangeId } from './live-changes.ts'
import { findNewestSeq } from './outbox.ts'
import { findSetting } from './settings.ts'

/** How far the database has come. The commit of an act of any kind notes what it changes, and the newest note is never deleted. */
export const findReached = async (db: Reader): Promise<Record<MarkKind, number>> => ({
  deliveries: await findNewestSeq(db),
  changes: await findNewestChangeId(db),
})

export type SeenWitness = Witness & { userId: number; seenAt: number; isDismissed: boolean }

export async function listWitnesses(db: Reader, epoch: string): Promise<SeenWitness[]> {
  const rows = await db
    .selectFrom('epoch_witnesses')
    .select(['kind', 'device', 'subject', 'user_id as userId', 'seen_at as seenAt', 'dismissed'])
    .where('epoch', '=', epoch)
    .orderBy('seen_at')
    .orderBy('device')
    .orderBy('kind')
    .execute()
  return rows.map(({ dismissed, ...row }) => ({ ...row, isDismissed: dismissed === 1 }))
}

/**
 * Inserts the newest witness of a device and kind. When two servers hear the same at once, one throws a unique
 * violation.
 */
export async function insertWitness(
  tx: Tx,
  epoch: string,
  { kind, device, subject, userId, seenAt }: Omit<SeenWitness, 'isDismissed'>,
): Promise<void> {
  await tx
    .deleteFrom('epoch_witnesses')
    .where((e) => e.and({ epoch, kind, device }))
    .execute()
  await tx
    .insertInto('epoch_witnesses')
    .values({ epoch, kind, device, subject, user_id: userId, seen_at: seenAt, dismissed: 0 })
    .execute()
}

const undecided = async (db: Reader, epoch: string) =>
  (await listWitnesses(db, epoch)).filter(({ isDismissed }) => !isDismissed)

/** Whether those that nobody has dismissed prove that the database went back. */
export const isProvenYounger = async (db: Reader, epoch: string): Promise<boolean> =>
  proveYounger(await undecided(db, epoch))

/** Witnesses in the present epoch that nobody has decided about, the first noticed first. */
export const listUndecided = async (db: Reader): Promise<SeenWitness[]> =>
  await undecided(db, (await findSetting(db, 'epoch')) ?? '')

/** Since when a device says that something is missing here; null: nobody does. */
export async function findDoubtedAt(db: Reader): Promise<number | null> {
  const row = await db
    .selectFrom('epoch_witnesses as w')
    .innerJoin('settings as s', 's.value', 'w.epoch')
    .select((e) => e.fn.min<number | null>('w.seen_at').as('at'))
    .where('s.name', '=', 'epoch')
    .where('w.dismissed', '=', 0)
    .executeTakeFirst()
  return row?.at ? Number(row.at) : null
}

/** An administrator says that nothing is missing. False: somebody else has decided meanwhile. */
export async function dismissWitnesses(tx: Tx, epoch: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('epoch_witnesses')
    .set({ dismissed: 1 })
    .where((e) => e.and({ epoch, dismissed: 0 }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

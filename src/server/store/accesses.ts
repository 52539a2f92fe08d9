import type { AccessAction } from '../../contract/audit-entries.ts'
import type { Tx } from './db/db.ts'

export type NewAccess = {
  /** Epoch milliseconds. */
  at: number
  action: AccessAction
  /** 0: no user of this plant. */
  userId: number
  userName: string
  address: string
  details: object
}

export async function insertAccess(
  tx: Tx,
  { at, action, userId, userName, address, details }: NewAccess,
): Promise<void> {
  await tx
    .insertInto('accesses')
    .values({
      at,
      action,
      user_id: userId,
      user_name: userName,
      subject_kind: 'address',
      subject_id: address,
      reason: null,
      details_json: JSON.stringify(details),
    })
    .execute()
}

/** So that years of guessing fill no disk. */
const ACCESSES_KEPT = 500_000

export async function deleteOldAccesses(tx: Tx, writtenBefore: number, kept = ACCESSES_KEPT): Promise<void> {
  await tx.deleteFrom('accesses').where('at', '<', writtenBefore).execute()
  const first = await tx
    .selectFrom('accesses')
    .select('id')
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (first) await tx.deleteFrom('accesses').where('id', '<=', first.id).execute()
}

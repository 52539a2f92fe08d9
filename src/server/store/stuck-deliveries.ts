import type { Tx } from './db.ts'
import { openStates } from './outbox.ts'
import type { OutboxState, ResentFrom } from './tables.ts'

/** Due for everybody, and old enough for a person to step in. */
type Stuck = { now: number; createdBefore: number }

/** A person decides in the ERP's place about what has waited for long. False while a server works on it. */
export async function takeOverDelivery(tx: Tx, id: string, { now, createdBefore }: Stuck): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('erp_outbox')
    .set({ state: 'manual', settled_at: now, lease_owner: null })
    .where('id', '=', id)
    .where('state', 'in', openStates)
    .where('lease_until', '<=', now)
    .where('created_at', '<=', createdBefore)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What has waited for long is asked about, or sent, now. False while a server works on it. */
export async function hurryDelivery(tx: Tx, id: string, { now, createdBefore }: Stuck): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('erp_outbox')
    .set({ due_at: now, postponed: 0 })
    .where('id', '=', id)
    .where('state', 'in', openStates)
    .where('lease_until', '<=', now)
    .where('created_at', '<=', createdBefore)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** What had ended without the ERP having it goes on: what may have left is asked about first. False where there is none. */
export async function reopenDelivery(
  tx: Tx,
  id: string,
  { from, at }: { from: ResentFrom; at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('erp_outbox')
    .set((e) => ({
      state: e
        .case()
        .when('sent_at', 'is', null)
        .then('new' as OutboxState)
        .else('unknown' as OutboxState)
        .end(),
      due_at: at,
      postponed: 0,
      inquiries: 0,
      unchanged_at: null,
      words: null,
      resent_from: from,
      resent_attempts: e.ref('attempts'),
      settled_at: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['refused', 'manual'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

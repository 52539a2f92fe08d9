import type { Updateable } from 'kysely'
import type { Tx } from './db/db.ts'
import type { OutboxState, ResentFrom, Tables } from './db/tables.ts'
import { openStates } from './outbox.ts'

/** Due for everybody, and old enough for a person to step in. */
type Stuck = { now: number; createdBefore: number }

/** False while a server works on it, and before that time. */
async function changeStuck(
  tx: Tx,
  id: string,
  { now, createdBefore }: Stuck,
  change: Updateable<Tables['erp_outbox']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('erp_outbox')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', openStates)
    .where('lease_until', '<=', now)
    .where('created_at', '<=', createdBefore)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A person decides in the ERP's place about what has waited for long. */
export const takeOverDelivery = (tx: Tx, id: string, stuck: Stuck): Promise<boolean> =>
  changeStuck(tx, id, stuck, { state: 'manual', settled_at: stuck.now, lease_owner: null })

/** What has waited for long is asked about, or sent, now. */
export const hurryDelivery = (tx: Tx, id: string, stuck: Stuck): Promise<boolean> =>
  changeStuck(tx, id, stuck, { due_at: stuck.now, postponed: 0 })

/**
 * Requeues a settled delivery that the ERP does not have; what may have left is asked about first. False when there is none.
 */
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

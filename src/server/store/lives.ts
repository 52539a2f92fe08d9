import { randomUUID } from 'node:crypto'
import type { Tx } from './db.ts'

/**
 * What was put back knows nothing of what happened after it was kept (decision 015): tablets offer again what they hold,
 * whatever was still on its way to the ERP is asked about before it may leave, and a session that somebody has ended
 * since does not live again.
 */
export async function beginNewLife(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('settings').where('name', '=', 'epoch').execute()
  await tx.insertInto('settings').values({ name: 'epoch', value: randomUUID() }).execute()
  await tx
    .updateTable('erp_outbox')
    // the earlier life may have sent it a moment ago: it is old enough to be repeated only from now on
    .set({ state: 'unknown', sent_at: now, due_at: now, unchanged_at: null, inquiries: 0, postponed: 0 })
    .set({ lease_owner: null, lease_until: 0 })
    .where('state', 'in', ['new', 'sending', 'unknown'])
    .execute()
  await tx.updateTable('sessions').set({ revoked_at: now }).where('revoked_at', 'is', null).execute()
  await tx.deleteFrom('erp_slots').execute()
}

import { randomUUID } from 'node:crypto'
import { insertAuditEntry } from './audit-entries.ts'
import type { Tx } from './db/db.ts'
import { findLastWorkAt } from './future-times.ts'
import { saveSetting } from './settings.ts'

/** The setting that says up to when this database knows what happened before it was put back. */
export const RESTORED_FROM = 'restored-from'

const noteRestored = async (tx: Tx) => await saveSetting(tx, RESTORED_FROM, String((await findLastWorkAt(tx)) ?? 0))

const DATABASE_ACTOR = { userId: 0, userName: 'painel' }

/**
 * The database turned out to be younger than what others have seen of it, while it is in use: nobody chose to put it
 * back, so sessions go on and what is being sent is left to who sends it. False where another server was first.
 */
export async function beginYoungerLife(tx: Tx, epoch: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('settings')
    .set({ value: randomUUID() })
    .where('name', '=', 'epoch')
    .where('value', '=', epoch)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await noteRestored(tx)
  await tx
    .updateTable('erp_outbox')
    .set({ state: 'unknown', sent_at: now, due_at: now, unchanged_at: null, inquiries: 0, postponed: 0 })
    .where('state', '=', 'new')
    .execute()
  await tx.updateTable('recordings').set({ promised: 1 }).where('state', '=', 'waiting').execute()
  await insertAuditEntry(tx, {
    at: now,
    ...DATABASE_ACTOR,
    action: 'epoch_begun',
    subject: { kind: 'settings', id: 'epoch' },
    reason: null,
    details: { was: epoch },
  })
  return true
}

/**
 * What was put back knows nothing of what happened after it was kept (decision 015): tablets offer again what they hold,
 * whatever was still on its way to the ERP is asked about before it may leave, and a session that somebody has ended
 * since does not live again.
 */
export async function beginNewLife(tx: Tx, now: number): Promise<void> {
  await noteRestored(tx)
  await tx.deleteFrom('settings').where('name', '=', 'epoch').execute()
  await tx.insertInto('settings').values({ name: 'epoch', value: randomUUID() }).execute()
  await tx
    .updateTable('erp_outbox')
    // the earlier life may have sent it a moment ago: it is old enough to be repeated only from now on
    .set({ state: 'unknown', sent_at: now, due_at: now, unchanged_at: null, inquiries: 0, postponed: 0 })
    .set({ lease_owner: null, lease_until: 0 })
    .where('state', 'in', ['new', 'sending', 'unknown'])
    .execute()
  // who was told 'salvo' in the moment in which the backup was taken is not in it
  await tx.updateTable('recordings').set({ promised: 1 }).where('state', '=', 'waiting').execute()
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now, ended_why: 'new_epoch' })
    .where('revoked_at', 'is', null)
    .execute()
  await tx.deleteFrom('erp_slots').execute()
}

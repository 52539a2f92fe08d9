import { randomUUID } from 'node:crypto'
import { insertAuditEntry } from './audit-entries.ts'
import { changesOne, type Tx } from './db/db.ts'
import { findLastWorkAt } from './future-times.ts'
import { saveSetting } from './settings.ts'

/** The setting with the instant up to which a restored database knows what happened before. */
export const RESTORED_FROM = 'restored-from'

const noteRestored = async (tx: Tx) => await saveSetting(tx, RESTORED_FROM, String((await findLastWorkAt(tx)) ?? 0))

/** It may have been sent a moment ago: its age for a repetition begins now. */
const asDoubted = (now: number) =>
  ({ state: 'unknown', sent_at: now, due_at: now, unchanged_at: null, inquiries: 0, postponed: 0 }) as const

const DATABASE_ACTOR = { userId: 0, userName: 'painel' }

/**
 * Begins an epoch for a database that went back while in use (decision 036). Nobody restored it, so sessions stay, and what
 * is being sent stays with its sender. False when another server was first.
 */
export async function beginYoungerEpoch(tx: Tx, epoch: string, now: number): Promise<boolean> {
  const isFirst = await tx
    .updateTable('settings')
    .set({ value: randomUUID() })
    .where((e) => e.and({ name: 'epoch', value: epoch }))
    .$call(changesOne)
  if (!isFirst) return false
  await noteRestored(tx)
  await tx.updateTable('erp_outbox').set(asDoubted(now)).where('state', '=', 'new').execute()
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
 * Begins the epoch of a restored database (decision 015): tablets offer again what they hold, open deliveries become unknown
 * and are asked about, and all sessions end, since one may have been revoked after the backup.
 */
export async function beginEpoch(tx: Tx, now: number): Promise<void> {
  await noteRestored(tx)
  await tx.deleteFrom('settings').where('name', '=', 'epoch').execute()
  await tx.insertInto('settings').values({ name: 'epoch', value: randomUUID() }).execute()
  await tx
    .updateTable('erp_outbox')
    .set({ ...asDoubted(now), lease_owner: null, lease_until: 0 })
    .where('state', 'in', ['new', 'sending', 'unknown'])
    .execute()
  // a promise given while the backup was taken is missing in it
  await tx.updateTable('recordings').set({ promised: 1 }).where('state', '=', 'waiting').execute()
  await tx
    .updateTable('sessions')
    .set({ revoked_at: now, ended_why: 'new_epoch' })
    .where('revoked_at', 'is', null)
    .execute()
  await tx.deleteFrom('erp_slots').execute()
}

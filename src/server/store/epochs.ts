import { randomUUID } from 'node:crypto'
import { type EpochCause, epochCauseTexts } from '../../domain/plant/epochs.ts'
import { insertAuditEntry } from './audit-entries.ts'
import type { Reader, Tx } from './db/db.ts'
import { findLastWorkAt } from './future-times.ts'
import { endSessions } from './sessions.ts'
import { findSetting, replaceSetting, saveSetting } from './settings.ts'

/** The setting with the instant up to which a restored database knows what happened before. */
export const RESTORED_FROM = 'restored-from'

const noteRestored = async (tx: Tx) => await saveSetting(tx, RESTORED_FROM, String((await findLastWorkAt(tx)) ?? 0))

const BEGUN = 'epoch-begun'

/** When the present epoch began, and why. */
type EpochBegin = { at: number; why: EpochCause }

/** Null in the first epoch of a database, and in one that a version before has begun. */
export async function findEpochBegin(db: Reader): Promise<EpochBegin | null> {
  const stored = await findSetting(db, BEGUN)
  return stored === null ? null : (JSON.parse(stored) as EpochBegin)
}

const noteBegun = (tx: Tx, begin: EpochBegin) => saveSetting(tx, BEGUN, JSON.stringify(begin))

/** Marks a delivery as sent perhaps a moment ago: its age for a repetition begins now. */
const asDoubted = (now: number) =>
  ({ state: 'unknown', sent_at: now, due_at: now, unchanged_at: null, inquiries: 0, postponed: 0 }) as const

const DATABASE_ACTOR = { userId: 0, userName: 'painel' }

/** The person who began it. */
type By = { userId: number; userName: string; reason: string | null }

/**
 * Begins an epoch for a database that went back while in use (decisions 036 and 080). Nobody restored it, so sessions stay,
 * and what is being sent stays with its sender. False when another server was first.
 */
export async function beginYoungerEpoch(
  tx: Tx,
  epoch: string,
  { at: now, why, by = { ...DATABASE_ACTOR, reason: null } }: EpochBegin & { by?: By },
): Promise<boolean> {
  if (!(await replaceSetting(tx, 'epoch', epoch, randomUUID()))) return false
  await noteRestored(tx)
  await noteBegun(tx, { at: now, why })
  await tx.deleteFrom('epoch_witnesses').execute()
  await tx.updateTable('erp_outbox').set(asDoubted(now)).where('state', '=', 'new').execute()
  await tx.updateTable('recordings').set({ promised: 1 }).where('state', '=', 'waiting').execute()
  await insertAuditEntry(tx, {
    at: now,
    ...by,
    action: 'epoch_begun',
    subject: { kind: 'settings', id: 'epoch' },
    details: { was: epoch, because: epochCauseTexts[why] },
  })
  return true
}

/**
 * Begins the epoch of a restored database (decision 015): tablets offer again what they hold, open deliveries become unknown
 * and are asked about, and all sessions end, since one may have been revoked after the backup.
 */
export async function beginEpoch(tx: Tx, now: number): Promise<void> {
  await noteRestored(tx)
  await noteBegun(tx, { at: now, why: 'restored' })
  await tx.deleteFrom('epoch_witnesses').execute()
  await tx.deleteFrom('settings').where('name', '=', 'epoch').execute()
  await tx.insertInto('settings').values({ name: 'epoch', value: randomUUID() }).execute()
  await tx
    .updateTable('erp_outbox')
    .set({ ...asDoubted(now), lease_owner: null, lease_until: 0 })
    .where('state', 'in', ['new', 'sending', 'unknown'])
    .execute()
  // a promise given while the backup was taken is missing in it
  await tx.updateTable('recordings').set({ promised: 1 }).where('state', '=', 'waiting').execute()
  await endSessions(tx, { at: now, why: 'new_epoch' }).execute()
  await tx.deleteFrom('erp_slots').execute()
}

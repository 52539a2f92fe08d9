import type { Tx } from './db.ts'
import type { AuditAction, AuditSubject } from './tables.ts'

/** Who did what to which recording or pair, written in the transaction that does it. Nothing changes a line later. */
export async function insertAuditEntry(
  tx: Tx,
  entry: {
    at: number
    userId: number
    userName: string
    action: AuditAction
    subject: { kind: AuditSubject; id: string }
    reason: string | null
    details: object
  },
): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      at: entry.at,
      user_id: entry.userId,
      user_name: entry.userName,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      reason: entry.reason,
      details_json: JSON.stringify(entry.details),
    })
    .execute()
}

/** Whether this very decision is written already: where a commit's answer was lost it is decided anew. */
export async function isDecided(
  tx: Tx,
  entry: { at: number; userId: number; action: AuditAction; recordingId: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('audit_entries')
    .select('id')
    .where('subject_kind', '=', 'recording')
    .where('subject_id', '=', entry.recordingId)
    .where('action', '=', entry.action)
    .where('user_id', '=', entry.userId)
    .where('at', '=', entry.at)
    .executeTakeFirst()
  return row !== undefined
}

import type { AuditAction } from '../contract/audit-entries.ts'
import type { PlantDocument } from '../contract/documents.ts'
import type { Call } from './http.ts'
import { Refused } from './refused.ts'
import { refuseOutdated } from './registers.ts'
import { insertAuditEntry } from './store/audit-entries.ts'
import type { Tx } from './store/db.ts'
import { findDocument, takeDocument } from './store/documents.ts'
import { noteChanges } from './store/live-changes.ts'

export const revisionExists = (revision: string) =>
  new Refused('revision_exists', { values: { revision: revision.trim() } })

type Deed = { action: AuditAction; id: number; reason?: string; details: object }

/** Who did it, and that it is done: the last thing that a change does. */
export async function noteDocument(
  tx: Tx,
  { caller, now }: Call,
  { action, id, reason, details }: Deed,
): Promise<void> {
  const { userId, username: userName } = caller
  const subject = { kind: 'document' as const, id: String(id) }
  await insertAuditEntry(tx, { at: now(), userId, userName, action, subject, reason: reason ?? null, details })
  await noteChanges(tx, [{ topic: 'documents', key: String(id) }], now())
}

/** One commit that changes a document as it is now, and nobody else does meanwhile. */
export const changeDocument = (
  call: Call,
  deed: Deed,
  change: (tx: Tx, document: PlantDocument) => Promise<void>,
): Promise<PlantDocument> =>
  call.db.transaction(async (tx) => {
    const { versionSeen, now } = call
    const isTaken = await takeDocument(tx, deed.id, { versionSeen, at: now() })
    const document = await findDocument(tx, deed.id)
    if (!isTaken || !document) refuseOutdated(document)
    await change(tx, document)
    await noteDocument(tx, call, deed)
    return (await findDocument(tx, deed.id)) ?? document
  })

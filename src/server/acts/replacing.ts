import type { AuditAction } from '../../contract/audit-entries.ts'
import type { LiveChange } from '../../contract/live-changes.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import type { Caller } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import { insertAuditEntry } from '../store/audit-entries.ts'
import type { Tx } from '../store/db/db.ts'
import type { RecordingState } from '../store/db/tables.ts'
import { changesOfRecording } from '../store/live-changes.ts'
import { unlinkSamples } from '../store/measurements.ts'
import { findOriginal, type Original, settlePending } from '../store/pending-recordings.ts'
import type { Payload, Recording } from '../store/recordings.ts'

/** Author and day stay the original's, whoever corrects it. */
export function byAuthor<P extends Payload>(correction: Recording<P>, original: Original): Recording<P> {
  const { userId, operator, erpOperator, recordedAt, productionDay } = original
  const payload = { ...correction.payload, OPERADOR: erpOperator }
  if ('DATA' in payload) payload.DATA = productionDay
  return { ...correction, payload, userId, operator, recordedAt, productionDay }
}

/** A person's decision about a recording that waited for one. */
export async function auditDecision(
  tx: Tx,
  recordingId: string,
  entry: {
    action: AuditAction
    reason: string | null
    caller: Pick<Caller, 'userId' | 'username'>
    settled: { was: RecordingState; reason: string | null }
    correctedBy?: string
    at: number
  },
): Promise<void> {
  const { action, reason, caller, settled, correctedBy, at } = entry
  const details = { was: settled.was, because: settled.reason, ...(correctedBy ? { correctedBy } : {}) }
  const { userId, username: userName } = caller
  const subject = { kind: 'recording', id: recordingId } as const
  await insertAuditEntry(tx, { at, userId, userName, action, subject, reason, details })
}

export type Replaced = {
  id: string
  /** Where the new one counts the crimps of the old one; undefined: as ever. */
  cycle: number | undefined
  /** Linked to nothing any more. */
  samples: string[]
  changes: LiveChange[]
}

/** In the commit of `recording`: the original leaves the counters for it. Null: it waits for no person any more. */
export async function replaceOriginal(
  tx: Tx,
  { id }: Pick<Original, 'id'>,
  recording: Recording,
  caller: Pick<Caller, 'userId' | 'username'>,
): Promise<Replaced | null> {
  const { id: correctedBy, receivedAt: at, applicator } = recording
  const settled = await settlePending(tx, id, { state: 'superseded', supersededBy: correctedBy, at })
  if (!settled) return null
  const { counted, onWay, unit } = settled
  await auditDecision(tx, id, { action: 'corrected', reason: null, caller, settled, correctedBy, at })
  const isSameTool = applicator !== null && nameKey(applicator) === counted?.unitKey
  return {
    id,
    cycle: isSameTool ? counted?.cycle : undefined,
    samples: await unlinkSamples(tx, id),
    changes: changesOfRecording({ ...onWay, id, unit }),
  }
}

/**
 * What the form of a refused recording says it is registered in place of: of the same work and author. A refusal where that
 * waits no more: both would count.
 */
export async function replaceRefused<P extends Payload>(
  tx: Tx,
  recording: Recording<P>,
  caller: Pick<Caller, 'userId' | 'username'>,
): Promise<{ recording: Recording<P>; replaced: Replaced | null } | Refused> {
  const id = recording.capture?.substitui
  if (id === undefined) return { recording, replaced: null }
  const original = await findOriginal(tx, id.toLowerCase())
  const { part, branch, barcode, orderNumber, position, userId } = recording
  const isSameWork =
    original?.part === part &&
    original.branch === branch &&
    original.userId === userId &&
    (part === 'juncao'
      ? original.orderNumber === orderNumber && original.position === position
      : original.barcode === barcode)
  if (!isSameWork) return new Refused('pending_settled')
  const authored = byAuthor(recording, original)
  // what may be at the ERP is decided in Pendências
  const replaced = original.state === 'parked' ? await replaceOriginal(tx, original, authored, caller) : null
  return replaced ? { recording: authored, replaced } : new Refused('pending_settled')
}

import type { LiveChange } from '../../contract/live-changes.ts'
import { limitReasonText } from '../../domain/forms/order-limits.ts'
import { usedIn } from '../../domain/reports/traces.ts'
import { insertAuditEntry } from '../store/audit-entries.ts'
import { joinCorrection } from '../store/containment-corrections.ts'
import type { Tx } from '../store/db/db.ts'
import { changesOfAct, changesOfRecording } from '../store/live-changes.ts'
import { type Beginning, insertRecording, type Payload, type Recording } from '../store/recordings.ts'
import { noteInstrumentFindings } from './instrument-findings.ts'
import { insertMeasured } from './measuring.ts'
import { notePlanFindings, type Way } from './plan-findings.ts'
import type { Replaced } from './replacing.ts'
import { noteUnsafeTool } from './unsafe-tools.ts'
import type { Call, Work } from './work.ts'

/** Somebody has recorded a force below the order's minimum, and said why. */
async function noteLimitReason(tx: Tx, recording: Recording, { userId, username }: Call['caller']): Promise<void> {
  const { id, capture, orderNumber, barcode, position, part, payload, receivedAt: at } = recording
  const reason = capture?.motivoForaDoLimite
  if (!reason) return
  const { forca: force } = usedIn(part, payload)
  await insertAuditEntry(tx, {
    ...{ at, userId, userName: username, action: 'recorded_below_limit' },
    subject: { kind: 'recording', id },
    reason: limitReasonText(reason),
    details: { name: `OP ${orderNumber}`, ...(barcode === '' ? { position } : { barcode }), force },
  })
}

type Inserting = {
  as: Beginning
  /** The recording in whose place it comes. */
  replaced: Replaced | null
  samples: readonly string[]
  way: Way
  call: Pick<Call, 'caller' | 'config'>
}

/**
 * Stores a recording whose pieces are reserved, the wear of its tool, what was measured of it and what speaks against it; the
 * delivery is its caller's. Resolves to what pages read anew.
 */
export async function insertWork<P extends Payload, Subject>(
  { production }: Work<P, Subject>,
  tx: Tx,
  recording: Recording<P>,
  { as, replaced, samples, way, call }: Inserting,
): Promise<LiveChange[]> {
  // reserving may have found the gauge of the wire
  const gaugeMilli = recording.gaugeMilli ?? (await production?.findGauge(tx, recording)) ?? null
  const gauged = { ...recording, gaugeMilli }
  const unsafeSince = await insertRecording(tx, gauged, { ...as, cycle: replaced?.cycle })
  if (replaced) await joinCorrection(tx, replaced.id, recording.id, recording.receivedAt)
  const measured = await insertMeasured(tx, recording, { ...as, samples }, call)
  await noteLimitReason(tx, recording, call.caller)
  await noteUnsafeTool(tx, gauged, unsafeSince)
  const isExplained = await noteInstrumentFindings(tx, gauged, { samples, way })
  await notePlanFindings(tx, gauged, { measured, samples, way, isExplained, config: call.config })
  const changes = changesOfRecording({ ...recording, unit: recording.applicator })
  return [...(replaced?.changes ?? []), ...changes, ...changesOfAct(measured.rows)]
}

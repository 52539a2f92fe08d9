import { limitReasonText } from '../../domain/forms/order-limits.ts'
import { instrumentGate, newestFindings } from '../../domain/quality/instruments.ts'
import { Refused } from '../http/refused.ts'
import type { Tx } from '../store/db/db.ts'
import { insertFinding, listNamedFindings } from '../store/recording-findings.ts'
import type { Recording } from '../store/recordings.ts'
import { findInstrumentMode } from '../store/settings.ts'
import type { Way } from './plan-findings.ts'
import { spendNamed } from './releases.ts'

/**
 * Notes beside a recording each fault of the instruments that its samples were taken with (calibration over, not registered, …), in
 * the commit that stores it. Refuses it where the plan would: the plant blocks, the page knows plans, and the operator was not told
 * yet that it is saved. A correction is only noted and spends no release. True: something was noted, which explains a reason or a
 * release sent with it.
 */
export async function noteInstrumentFindings(
  tx: Tx,
  recording: Recording,
  { samples, way }: { samples: readonly string[]; way: Way },
): Promise<boolean> {
  const { id, capture, receivedAt: at } = recording
  const { motivoForaDoPlano: said, plano } = capture ?? {}
  if (samples.length === 0) return false
  const named = samples.map((act) => act.toLowerCase())
  const findings = newestFindings(await listNamedFindings(tx, named))
  if (findings.length === 0) return false
  const mode = await findInstrumentMode(tx)
  const release = way === 'correction' ? null : await spendNamed(tx, recording, null, samples)
  const gate = instrumentGate({
    mode,
    findings,
    isReachable: way === 'online',
    hasRelease: release !== null,
    hasReason: said !== undefined,
  })
  if (gate.needs === 'release' && plano !== undefined) throw new Refused('plan_not_met', { message: gate.text })
  const reason = said ? limitReasonText(said) : ''
  const given = { releaseId: release?.id ?? null, isOwnRelease: release?.isOwn ?? false }
  for (const finding of findings) {
    await insertFinding(tx, { recordingId: id, finding, mode, reason, ...given, at })
  }
  return true
}

import type { Occasion, Verdict } from '../../contract/measurements.ts'
import { machineKey } from '../../domain/control-plans.ts'
import { limitReasonText } from '../../domain/order-limits.ts'
import { planGate, planObjection } from '../../domain/plan-gate.ts'
import { nameKey } from '../../domain/recordings.ts'
import { dueSamples, shiftText } from '../../domain/sampling.ts'
import type { Config } from '../config.ts'
import { Refused } from '../http/refused.ts'
import type { Tx } from '../store/db/db.ts'
import type { NewMeasurement } from '../store/measurements.ts'
import {
  insertFinding,
  listSamplesOfOrder,
  type PlaceSample,
  releaseSubject,
  spendRelease,
} from '../store/recording-findings.ts'
import type { Recording } from '../store/recordings.ts'
import { findPlanMode } from '../store/settings.ts'

/** What a tablet takes the server's clock for moves by up to a second with each answer. */
const CLOCK_SLACK_MS = 2000

type Shifts = Pick<Config, 'shifts' | 'timeZone'>

const worstOf = (judged: readonly { verdict: Verdict }[]): Verdict | null =>
  (judged.find(({ verdict }) => verdict === 'fora') ?? judged[0])?.verdict ?? null

/** Of the newest act at this press and tool that a plan judged; null: none did. */
function verdictOf(samples: readonly PlaceSample[], { machine, unit }: { machine: string; unit: string }) {
  const here = samples.filter(
    (sample) =>
      sample.isPlanned && nameKey(sample.unit) === nameKey(unit) && machineKey(sample.machine) === machineKey(machine),
  )
  return worstOf(here.filter(({ act }) => act === here[0]?.act))
}

/** What the order measured, in one read; null where no plan can speak of it. */
async function readPlace(tx: Tx, recording: Recording, measured: readonly NewMeasurement[], shifts: Shifts) {
  const { capture, part, gaugeMilli = null, branch, orderNumber, terminal, machine, lot, recordedAt } = recording
  const isCrimp = part === 'l1' || part === 'l2' || part === 'juncao'
  if (!isCrimp || capture === null || capture.doisFios || gaugeMilli === null) return null
  const { medicoes = [], medidoAltura, medidoForca, plano, motivoForaDoPlano, liberacao } = capture
  const isMeasured = medicoes.length > 0 || medidoAltura === true || medidoForca === true
  const isPlanned = plano !== undefined || motivoForaDoPlano !== undefined || liberacao !== undefined
  if (!isMeasured && !isPlanned) return null
  // of this work nothing is newer than what it measured itself
  const judged = measured.filter(({ counted, plan_id }) => counted === 1 && typeof plan_id === 'number')
  if (judged.length > 0) return { verdict: worstOf(judged), due: [] }
  const named = medicoes.map((act) => act.toLowerCase())
  const of = {
    branch,
    orderNumber,
    terminalKey: nameKey(terminal),
    gaugeMilli,
    until: recordedAt + CLOCK_SLACK_MS,
    named,
  }
  const samples = await listSamplesOfOrder(tx, of)
  const unit = recording.applicator ?? ''
  const now = { order: orderNumber, machine, unit, lot, cycle: null, shift: shiftText(recordedAt, shifts) }
  const verdict: Verdict | null = verdictOf(samples, { machine, unit })
  if (plano === undefined) return { verdict, due: [] }
  // after so many pieces, of the last one and after maintenance its tablet asks for one: here it would take more reads
  const { due } = dueSamples({
    ...{ plan: { every: null, last: false }, now: { ...now, maintainedAt: null }, samples },
    ...{ carry: 0, quantity: 0, samplesSinceRecording: 0, remainingAfter: 1, lastPieceTaken: false },
  })
  return { verdict, due }
}

const isExcused = ({ capture }: Recording): boolean =>
  capture?.motivoForaDoPlano !== undefined || capture?.liberacao !== undefined

/** What its tablet saw and asked a reason or a release for, where nothing here says so. */
const seenThere: readonly Occasion[] = ['avulsa']

/**
 * Notes work outside its plan beside the recording, in the commit that stores it, and after what it measured itself.
 * Refuses it where the plant blocks it, its page knows plans, and nobody was told yet that it is saved.
 */
export async function notePlanFindings(
  tx: Tx,
  recording: Recording,
  { measured, isPromised, config }: { measured: readonly NewMeasurement[]; isPromised: boolean; config: Shifts },
): Promise<void> {
  const { id, capture, receivedAt: at } = recording
  const place = await readPlace(tx, recording, measured, config)
  if (place === null) return
  const isObjected = planObjection(place) !== null
  if (!isObjected && !isExcused(recording)) return
  const mode = await findPlanMode(tx)
  const { branch, productionDay: day } = recording
  const releaseId = capture?.liberacao ?? null
  const isReleased =
    releaseId !== null && (await spendRelease(tx, releaseId, { branch, subject: releaseSubject(recording), day }, id))
  const facts = isObjected ? place : { ...place, due: seenThere }
  const hasReason = capture?.motivoForaDoPlano !== undefined
  const gate = planGate({ ...facts, mode, isReachable: !isPromised, hasRelease: isReleased, hasReason })
  if (isObjected && gate.needs === 'release' && capture?.plano !== undefined) {
    throw new Refused('plan_not_met', { message: gate.text })
  }
  if (gate.finding === null) return
  await insertFinding(tx, {
    ...{ recordingId: id, finding: gate.finding, mode, at },
    reason: capture?.motivoForaDoPlano ? limitReasonText(capture.motivoForaDoPlano) : '',
    releaseId: isReleased ? releaseId : null,
    details: { verdict: facts.verdict, due: facts.due },
  })
}

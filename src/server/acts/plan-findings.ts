import type { PlanContent } from '../../contract/control-plans.ts'
import type { Characteristic, Occasion } from '../../contract/measurements.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { limitReasonText } from '../../domain/forms/order-limits.ts'
import { machineKey, planFor, samplesFor } from '../../domain/quality/control-plans.ts'
import { CLOCK_SLACK_MS, type GateSamples, planGate, planObjection } from '../../domain/quality/plan-gate.ts'
import { firstPiece, shiftText } from '../../domain/quality/sampling.ts'
import {
  limitedBy,
  newestVerdicts,
  outsideOf,
  ownFor,
  partMissing,
  requiredBy,
  type Verdicts,
  worseOf,
} from '../../domain/quality/verdicts.ts'
import { usedIn } from '../../domain/reports/traces.ts'
import { isSameCode } from '../../domain/text/spellings.ts'
import type { Config } from '../config.ts'
import { Refused } from '../http/refused.ts'
import { findPlan, listOpenPlans } from '../store/control-plans.ts'
import type { Tx } from '../store/db/db.ts'
import {
  insertFinding,
  listNewestOfTool,
  listSamplesOfOrder,
  NAMED_MAX,
  type PlaceSample,
} from '../store/recording-findings.ts'
import type { Recording } from '../store/recordings.ts'
import { findPlanMode } from '../store/settings.ts'
import { findPlanAt, type Measured } from './measuring.ts'
import { spendNamed } from './releases.ts'

type Shifts = Pick<Config, 'shifts' | 'timeZone'>

/** As the plan that a page names says, where it was in force there then, else as the plans that were. */
async function findPlanOf(tx: Tx, recording: Recording, gaugeMilli: number): Promise<PlanContent | null> {
  const { capture, branch, terminal, machine, recordedAt: at } = recording
  const place = { branch, terminal, gauge: gaugeMilli, unit: recording.applicator ?? '', machine, at }
  const claimed = capture?.plano === undefined ? null : await findPlan(tx, capture.plano)
  if (claimed && planFor([{ ...claimed.plan, ...claimed }], place)) return claimed.plan
  return await findPlanAt(tx, place)
}

/** Verdicts of what the recording itself measured; of a value that its named samples differ from, the worse of both. */
function ownVerdicts(measured: Measured, samples: readonly PlaceSample[], named: readonly string[]): Verdicts {
  const newest = (characteristic: Characteristic) =>
    samples.find((one) => named.includes(one.act) && one.characteristic === characteristic)?.verdict
  const judged = measured.rows.filter(({ counted, plan_id }) => counted === 1 && typeof plan_id === 'number')
  return Object.fromEntries(
    judged.map(({ characteristic, verdict }) => [characteristic, worseOf(verdict, newest(characteristic))]),
  )
}

/** Samples of the order that say how `open` characteristics stand at this work; others of it may be left out. */
async function readSamples(
  tx: Tx,
  recording: Recording,
  how: {
    open: readonly Characteristic[]
    named: readonly string[]
    shift: string
    isTypedEnough: boolean
    isTypedOver: boolean
  },
): Promise<PlaceSample[]> {
  const { branch, part, orderNumber, terminal, gaugeMilli, applicator, machine, lot, recordedAt } = recording
  const { open, named, shift, isTypedEnough } = how
  if (open.length === 0 || gaugeMilli == null) return []
  const of = {
    ...{ branch, orderNumber, isJunction: part === 'juncao', terminalKey: nameKey(terminal), gaugeMilli, named },
    until: recordedAt + CLOCK_SLACK_MS,
  }
  // what was typed over is older than what was typed
  if (how.isTypedOver || named.length > NAMED_MAX) return await listSamplesOfOrder(tx, of, open)
  const newest = await listNewestOfTool(tx, { ...of, unitKey: nameKey(applicator ?? '') }, open)
  // nearly always the newest of the tool is of this very work: then it says all, however much the order measured
  const isSaid = (characteristic: Characteristic) => {
    const one = newest.find((sample) => sample.characteristic === characteristic)
    if (!one || one.verdict === 'sem-plano' || (one.isTyped && !isTypedEnough)) return false
    const isOfLot = one.order === orderNumber && isSameCode(one.lot, lot) && one.shift === shift
    return isOfLot && machineKey(one.machine) === machineKey(machine)
  }
  return open.every(isSaid) ? newest : await listSamplesOfOrder(tx, of, open)
}

/** `whole`: all of a first piece of which nothing was measured. */
type PlaceFacts = GateSamples & { whole?: Characteristic[]; isTypedEnough?: boolean }

/** Null where no plan can speak of it. */
async function readPlace(
  tx: Tx,
  recording: Recording,
  { measured, samples: acts }: { measured: Measured; samples: readonly string[] },
  shifts: Shifts,
): Promise<PlaceFacts | null> {
  const { capture, part, gaugeMilli = null, orderNumber, machine, lot, recordedAt } = recording
  const isCrimp = part === 'l1' || part === 'l2' || part === 'juncao'
  if (!isCrimp || capture === null || capture.doisFios || gaugeMilli === null) return null
  const { medidoAltura, medidoForca, plano, motivoForaDoPlano, liberacao } = capture
  const isMeasured = acts.length > 0 || medidoAltura === true || medidoForca === true || measured.rows.length > 0
  const isPlanned = plano !== undefined || motivoForaDoPlano !== undefined || liberacao !== undefined
  if (!isMeasured && !isPlanned) return null
  const plan = measured.plan ?? (await findPlanOf(tx, recording, gaugeMilli))
  if (plan === null) return { outside: [], due: [], missing: [] }
  const limited = limitedBy(plan)
  const wanted = requiredBy(plan, part !== 'juncao' || usedIn(part, recording.payload).alturaMm !== null)
  const isTypedEnough = plan.digitadoVale !== false
  const named = acts.map((act) => act.toLowerCase())
  const alone = ownVerdicts(measured, [], [])
  // of this work nothing is newer than what it measured itself, but where it names samples too the worse of both counts
  const isOwnAlone = isTypedEnough && named.length === 0
  const unsaid = isOwnAlone ? limited.filter((one) => alone[one] === undefined) : limited
  const shift = shiftText(recordedAt, shifts)
  const samples = await readSamples(tx, recording, {
    ...{ open: unsaid, named, shift, isTypedEnough },
    isTypedOver: named.length > 0 && measured.rows.length > 0,
  })
  const own = ownFor(plan, named.length === 0 ? alone : ownVerdicts(measured, samples, named))
  const unit = recording.applicator ?? ''
  const now = { order: orderNumber, machine, unit, lot, cycle: null, shift }
  const outside = outsideOf(limited, newestVerdicts(samplesFor(plan, samples), now), own)
  const facts = { outside, due: [], missing: [], isTypedEnough }
  if (plano === undefined) return facts
  const open = isTypedEnough ? wanted.filter((one) => own[one] === undefined) : wanted
  // after so many pieces, of the last one and after maintenance its tablet asks for one: here it would take more reads
  const { reason, missing } = firstPiece(
    open,
    samples.filter(({ isTyped }) => isTypedEnough || !isTyped),
    { ...now, maintainedAt: null },
  )
  if (reason === undefined) return facts
  const some = partMissing(wanted, missing)
  return { ...facts, due: [reason], missing: some, ...(some.length === 0 ? { whole: missing } : {}) }
}

const isExcused = ({ capture }: Recording): boolean =>
  capture?.motivoForaDoPlano !== undefined || capture?.liberacao !== undefined

/** Occasions that only the tablet saw: it asked a reason or a release for them, and nothing stored here shows them. */
const seenThere: readonly Occasion[] = ['avulsa']

/** 'online': whose answer nobody has seen. 'promised': its operator was told that it is saved. */
export type Way = 'online' | 'promised' | 'correction'

/**
 * No plan judges two wires in one terminal, nor what no registered tool crimped: its tablet sends none. Where the terminal has
 * one in force that is noted, and stops nobody.
 */
async function noteUnjudged(tx: Tx, recording: Recording): Promise<void> {
  const { id, capture, part, branch, terminal, gaugeMilli = null, recordedAt, receivedAt: at } = recording
  const isEnd = part === 'l1' || part === 'l2'
  if (capture === null || gaugeMilli === null || !(isEnd || part === 'juncao')) return
  const isUnregistered = isEnd && recording.applicator === null && capture.plano === undefined
  if (!capture.doisFios && !isUnregistered) return
  const plans = await listOpenPlans(tx, { branch, terminal, at: recordedAt })
  if (!plans.some(({ plan, from }) => plan.bitola === gaugeMilli && from <= recordedAt)) return
  const reason = capture.motivoForaDoPlano ? limitReasonText(capture.motivoForaDoPlano) : ''
  const mode = await findPlanMode(tx)
  await insertFinding(tx, { recordingId: id, finding: 'nao-julgado', mode, reason, releaseId: null, at })
}

type Noting = {
  measured: Measured
  samples: readonly string[]
  way: Way
  /** Something else was noted that a reason or a release is given for. */
  isExplained?: boolean
  config: Shifts
}

/**
 * Notes work outside its plan beside the recording, in the commit that stores it, and after what it measured itself.
 * Refuses it where the plant blocks it, its page knows plans, and nobody was told yet that it is saved. A correction is
 * only noted: it spends no release.
 */
export async function notePlanFindings(
  tx: Tx,
  recording: Recording,
  { measured, samples, way, isExplained = false, config }: Noting,
): Promise<void> {
  const { id, capture, receivedAt: at } = recording
  await noteUnjudged(tx, recording)
  const place = await readPlace(tx, recording, { measured, samples }, config)
  if (place === null) return
  const objection = planObjection(place)
  const isCorrection = way === 'correction'
  if (!objection && (isCorrection || isExplained || !isExcused(recording))) return
  const mode = await findPlanMode(tx)
  const { whole, isTypedEnough = true, ...said } = place
  const own = { measured: measured.rows, isTypedEnough }
  const release = isCorrection ? null : await spendNamed(tx, recording, own, samples)
  const facts = objection ? said : { ...said, due: seenThere }
  const hasReason = capture?.motivoForaDoPlano !== undefined
  const gate = planGate({ ...facts, mode, isReachable: way === 'online', hasRelease: release !== null, hasReason })
  if (objection && way === 'online' && gate.needs === 'release' && capture?.plano !== undefined) {
    throw new Refused('plan_not_met', { message: gate.text })
  }
  const finding = isCorrection ? (objection?.finding ?? null) : gate.finding
  if (finding === null) return
  await insertFinding(tx, {
    ...{ recordingId: id, finding, mode, at },
    reason: capture?.motivoForaDoPlano ? limitReasonText(capture.motivoForaDoPlano) : '',
    releaseId: release?.id ?? null,
    isOwnRelease: release?.isOwn ?? false,
    details: { outside: facts.outside, due: facts.due, missing: facts.missing, ...(whole && { whole }) },
  })
}

import { UNREGISTERED } from '../../contract/applicators.ts'
import type { PlanContent } from '../../contract/control-plans.ts'
import type { CutItem } from '../../contract/items.ts'
import type { Junction, JunctionDetails } from '../../contract/junctions.ts'
import {
  type Characteristic,
  type Measurement,
  type Occasion,
  occasions,
  type Verdict,
} from '../../contract/measurements.ts'
import type { Capture, RecordedPart } from '../../contract/recordings.ts'
import { nameKey, present } from '../acts/recordings.ts'
import { type Shift, type ShiftPlan, shiftAt } from '../plant/shifts.ts'
import { usedIn } from '../reports/traces.ts'
import { piecesText } from '../text/numbers.ts'
import { isSameCode } from '../text/spellings.ts'
import { forceLimits, heightLimits, judge, type Limits, machineKey, milliText } from './control-plans.ts'

/** Where a sample is taken, of one terminal and gauge. `cycle` is of the tool's counter; null where nobody knows it. */
export type SamplePlace = {
  order: string
  machine: string
  unit: string
  lot: string
  cycle: number | null
  shift: string
}

/** `measuredAt` in epoch ms. */
export type Sample = SamplePlace & { measuredAt: number }

/** The last one that was looked for: finding it costs more than all else of a measurement. */
const lastShifts = new WeakMap<ShiftPlan, Shift>()

/** The shift that is on at an instant (epoch ms), as a sample bears it: `YYYY-MM-DD#nth`. */
export function shiftText(instantMs: number, plan: ShiftPlan): string {
  const last = lastShifts.get(plan)
  const shift = last && last.startMs <= instantMs && instantMs < last.endMs ? last : shiftAt(instantMs, plan)
  lastShifts.set(plan, shift)
  return `${shift.day}#${shift.nth}`
}

const isSameLot = (one: SamplePlace, other: SamplePlace) => isSameCode(one.lot, other.lot)
const isSameUnit = (one: SamplePlace, other: SamplePlace) => nameKey(one.unit) === nameKey(other.unit)
const isSameMachine = (one: SamplePlace, other: SamplePlace) => machineKey(one.machine) === machineKey(other.machine)

/** The newest of the same work, else the newest of the order: who comes back to a reel that was measured has its sample. */
function lastSample(samples: readonly Sample[], now: SamplePlace): Sample | null {
  const newestFirst = samples
    .filter(({ order }) => order === now.order)
    .toSorted((one, other) => other.measuredAt - one.measuredAt)
  const same = newestFirst.find((one) => isSameLot(one, now) && isSameUnit(one, now) && isSameMachine(one, now))
  return same ?? newestFirst[0] ?? null
}

function firstPieceReason(
  last: Sample | null,
  now: SamplePlace & { maintainedAt: number | null },
): Occasion | undefined {
  if (last === null) return 'primeira-peca'
  if (!isSameLot(last, now)) return 'troca-de-lote'
  if (!isSameUnit(last, now)) return 'troca-de-mini-aplicador'
  if (!isSameMachine(last, now)) return 'troca-de-maquina'
  const isMaintained = now.maintainedAt !== null && now.maintainedAt > last.measuredAt
  const isReset = last.cycle !== null && now.cycle !== null && last.cycle !== now.cycle
  if (isReset || isMaintained) return 'apos-manutencao'
  return last.shift === now.shift ? undefined : 'novo-turno'
}

/** A sample of one characteristic. */
export type PartSample = Sample & { characteristic: Characteristic }

/**
 * Which of the characteristics `required` were not measured for this lot, tool, machine, cycle and shift, and the first reason
 * in order that holds for any of them.
 */
export function firstPiece(
  required: readonly Characteristic[],
  samples: readonly PartSample[],
  now: SamplePlace & { maintainedAt: number | null },
): { reason: Occasion | undefined; missing: Characteristic[] } {
  const reasons = required.map((one) => {
    const ofIt = samples.filter(({ characteristic }) => characteristic === one)
    return firstPieceReason(lastSample(ofIt, now), now)
  })
  return {
    reason: occasions.find((occasion) => reasons.includes(occasion)),
    missing: required.filter((_, at) => reasons[at] !== undefined),
  }
}

type Due = {
  due: Occasion[]
  /** Characteristics missing of a first piece. */
  missing: Characteristic[]
  carryAfter: number
}

/**
 * Why it is time to measure before `quantity` pieces are recorded: one reason of a first piece, pieces since the last
 * time, the last piece. `required` is still to be measured; `samples` are those of the terminal and gauge that count; `carry`
 * pieces beyond the last multiple of `every`; `remainingAfter` what is then still to be made.
 */
export function dueSamples(of: {
  plan: { every: number | null; last: boolean }
  required: readonly Characteristic[]
  now: SamplePlace & { maintainedAt: number | null }
  samples: readonly PartSample[]
  carry: number
  quantity: number
  samplesSinceRecording: number
  remainingAfter: number
  lastPieceTaken: boolean
}): Due {
  const { plan, carry, quantity } = of
  const { every } = plan
  const made = carry + quantity
  const { reason: first, missing } = firstPiece(of.required, of.samples, of.now)
  const isEveryDue = every !== null && Math.floor(made / every) > of.samplesSinceRecording
  const isLastDue = plan.last && of.remainingAfter <= 0 && !of.lastPieceTaken
  return {
    due: [
      ...(first ? [first] : []),
      ...(isEveryDue ? ['a-cada' as const] : []),
      ...(isLastDue ? ['ultima-peca' as const] : []),
    ],
    missing,
    carryAfter: every === null ? 0 : made % every,
  }
}

export type Readings = readonly [number, ...number[]]

/** A value that a form shows, in thousandths, and whether it says that somebody measured it. */
export type FormValue = { milli: number; isMeasured: boolean }

/** Values of force and height (of a crimp or a joint) in a form; null: it has none. */
export type FormValues = Record<'altura' | 'forca', FormValue | null>

/** The samples that a recording names. */
export type NamedReadings = {
  /** False: one of them has not come yet, and may hold whatever its form shows. */
  areAllKnown: boolean
  /** The newest sample of each characteristic, with the nominal (thousandths) that its form went by. */
  newest: Partial<Record<Characteristic, { values: Readings; nominal: number | null; verdict?: Verdict }>>
}

/** The value that a form shows for a sample, in thousandths. A force is shown in whole units. */
const shownOf = (of: 'altura' | 'forca', { values, nominal }: { values: Readings; nominal: number | null }): number =>
  of === 'forca' ? recordedForce(values) * 1000 : recordedHeight(values, nominal)

/**
 * The recording's own measurements, each a sample of one reading: values that were typed, and values that differ from
 * what the newest sample gave the form, whatever its 'measured' flag says.
 */
export function ownReadings(
  values: FormValues,
  { areAllKnown, newest }: NamedReadings,
): { characteristic: 'altura' | 'forca'; values: Readings }[] {
  return (['altura', 'forca'] as const).flatMap((characteristic) => {
    const value = values[characteristic]
    if (value === null) return []
    const sample = newest[characteristic]
    const isOwn = sample ? shownOf(characteristic, sample) !== value.milli : areAllKnown && value.isMeasured
    return isOwn ? [{ characteristic, values: [value.milli] as const }] : []
  })
}

/** As a payload says them. */
export function formValues(part: RecordedPart, payload: object, capture: Capture | null): FormValues {
  const { forca, alturaMm } = usedIn(part, payload)
  const of = (value: number | null, isMeasured = false): FormValue | null =>
    value === null ? null : { milli: Math.round(value * 1000), isMeasured }
  return { altura: of(alturaMm, capture?.medidoAltura), forca: of(forca, capture?.medidoForca) }
}

/** Limits of the order itself, in thousandths; null where it has none. */
export type OrderSpec = { forceMin: number | null; height: number | null }

/** A number of the ERP in thousandths; one that rounds to 0 limits nothing. */
const milliOrNull = (value: number | null): number | null => {
  const milli = value === null ? 0 : Math.round(value * 1000)
  return milli > 0 ? milli : null
}

export const orderSpecOf = (item: CutItem, part: 'l1' | 'l2'): OrderSpec => ({
  forceMin: milliOrNull(part === 'l1' ? item.Z1_RMINL1 : item.Z1_RMINL2),
  height: milliOrNull(part === 'l1' ? item.Z1_DECAL1 : item.Z1_DECAL2),
})

export const junctionSpecOf = (details: Pick<JunctionDetails, 'teste'> | null): OrderSpec => ({
  forceMin: milliOrNull(details?.teste?.ZTB_FORCA ?? null),
  height: null,
})

/** Empty where it has none. */
export const junctionTerminalOf = ({ Z8_TERMINA }: Pick<Junction, 'Z8_TERMINA'>): string => present(Z8_TERMINA) ?? ''

/** Empty where no registered tool is named. */
export const registeredUnit = (name: string): string => (nameKey(name) === nameKey(UNREGISTERED) ? '' : name.trim())

/** By which a characteristic is judged; null: by nothing. */
export function limitsOf(
  plan: PlanContent | null,
  characteristic: Characteristic,
  { forceMin }: Pick<OrderSpec, 'forceMin'>,
): Limits | null {
  if (characteristic === 'forca') return forceLimits(plan?.forcaMin ?? null, forceMin)
  const of = { altura: plan?.altura, largura: plan?.largura, 'altura-isolante': plan?.alturaIsolante }
  const tolerance = of[characteristic]
  return tolerance ? heightLimits(tolerance) : null
}

/** Limits to check a reading for a lost comma; the order's height, which has no tolerance, is better than nothing. */
export function expectedOf(plan: PlanContent | null, characteristic: Characteristic, order: OrderSpec): Limits | null {
  const isOrders = characteristic === 'altura' && order.height !== null
  return limitsOf(plan, characteristic, order) ?? (isOrders ? { low: null, high: null, nominal: order.height } : null)
}

/**
 * No plan speaks of two wires in one terminal, of a gauge that is no number, and of a crimp without a registered tool; a
 * junction has none.
 */
export const isPlanned = ({
  part,
  gauge,
  unit,
  hasTwoWires,
}: {
  part: Measurement['parte']
  gauge: number | null
  /** Empty: none, or one that is not registered. */
  unit: string
  hasTwoWires: boolean
}): boolean => !hasTwoWires && gauge !== null && (part === 'juncao' || unit !== '')

export const verdictOfReadings = (limits: Limits | null, readings: Readings): Verdict =>
  limits === null ? 'sem-plano' : judge(limits, readings).verdict

/** 'confira': a comma may be missing, and what was read is stored. 'implausivel': so is that, and no chart shows it. */
type Plausibility = 'plausivel' | 'confira' | 'implausivel'

/** More than 20 % from nominal, or beyond its half or double; of a force more than ten times the minimum. */
export function plausibility({ nominal, low }: Limits, readings: readonly number[]): Plausibility {
  if (nominal === null) return low !== null && readings.some((one) => one > 10 * low) ? 'implausivel' : 'plausivel'
  if (readings.some((one) => one * 2 < nominal || one > 2 * nominal)) return 'implausivel'
  return readings.some((one) => Math.abs(one - nominal) * 5 > nominal) ? 'confira' : 'plausivel'
}

/** `unit`: of what is measured, 'mm' or the plant's unit of force. */
export const checkCommaText = ({ nominal, low }: Limits, unit: string): string => {
  const value = nominal === null ? `a força mínima é ${milliText(low ?? 0, 0)}` : `o nominal é ${milliText(nominal, 3)}`
  return `Confira a vírgula: ${[value, unit].filter(Boolean).join(' ')}`
}

/** The force that a recording takes from some readings: the lowest, cut to a whole number. */
export const recordedForce = (readings: Readings): number => Math.floor(Math.min(...readings) / 1000)

/**
 * The height that a recording takes from some readings, in thousandths: the one farthest from nominal, among equals the
 * first; without a nominal the lowest.
 */
export const recordedHeight = (readings: Readings, nominal: number | null): number =>
  judge({ low: null, high: null, nominal }, readings).worst

/** Good pieces under suspicion of a reading outside; `isOfOrder`: nothing good was ever measured there, so those of its order. */
export type SuspectPieces = { pieces: number; isOfOrder: boolean }

function suspectText({ pieces, isOfOrder }: SuspectPieces): string {
  const count = pieces === 0 ? 'nenhuma peça' : piecesText(pieces)
  if (isOfOrder) return `Nunca medida: ${count} desta ordem.`
  return `${count.charAt(0).toUpperCase()}${count.slice(1)} desde a última medição boa.`
}

/** `suspect`: null where nobody knows. */
export function measuredText(verdicts: readonly Verdict[], suspect: SuspectPieces | null): string {
  if (verdicts.includes('fora')) {
    return ['Medição salva: fora do plano.', suspect && suspectText(suspect)].filter(Boolean).join(' ')
  }
  return verdicts.includes('dentro') ? 'Medição salva: dentro do plano.' : 'Medição salva.'
}

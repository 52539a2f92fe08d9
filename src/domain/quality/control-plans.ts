import type { PlanContent, Tolerance } from '../../contract/control-plans.ts'
import type { ErpItem } from '../../contract/items.ts'
import type { JunctionDetails } from '../../contract/junctions.ts'
import type { Characteristic } from '../../contract/measurements.ts'
import { nameKey } from '../acts/recordings.ts'
import { isSameName } from '../people/names.ts'
import { countedText, countText } from '../text/numbers.ts'

/** A decimal number of at most three decimals, comma or dot, in whole thousandths; null for anything else. */
export function readMilli(text: string): number | null {
  const [, whole = '', fraction = ''] = /^\s*(?=[\d.,]*\d\s*$)(\d{0,6})(?:[.,](\d{1,3}))?\s*$/.exec(text) ?? []
  return whole === '' && fraction === '' ? null : Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** Wire gauge of an item, mm² in thousandths; null where the ERP says no number. */
export const gaugeOf = ({ Z1_BITOLA = '' }: Partial<Pick<ErpItem, 'Z1_BITOLA'>>): number | null => readMilli(Z1_BITOLA)

/** As `gaugeOf`, of the pull test of a junction. */
export const testedGaugeOf = ({ teste }: { teste?: Partial<JunctionDetails['teste']> | null }): number | null =>
  readMilli(teste?.ZTB_BITOLA ?? '')

/** Thousandths as a person writes them: 500 is '0,50', or '0,500' with three decimals. */
export function milliText(milli: number, decimalsMin = 2): string {
  const [whole = '', digits = ''] = (milli / 1000).toFixed(3).split('.')
  const fraction = digits.replace(/0+$/, '').padEnd(decimalsMin, '0')
  return fraction === '' ? whole : `${whole},${fraction}`
}

/** A reading: mm to three decimals, a force as it was read. */
export const readingText = (milli: number, characteristic: Characteristic): string =>
  milliText(milli, characteristic === 'forca' ? 0 : 3)

export type PlanPlace = Pick<PlanContent, 'filial' | 'terminal' | 'bitola' | 'miniaplicador' | 'maquina'>

/** Epoch milliseconds; `until` null: until further notice. */
export type Validity = { from: number; until: number | null }

export const isInForce = ({ from, until }: Validity, at: number): boolean =>
  from <= at && (until === null || at < until)

/** The whole thousandths that a reading may have; `nominal` null: only the lowest matters. */
export type Limits = { low: number | null; high: number | null; nominal: number | null }

export const heightLimits = ({ nominal, menos, mais }: Tolerance): Limits => ({
  low: nominal - menos,
  high: nominal + mais,
  nominal,
})

/** The stricter of plan and order; null where neither asks for a force. */
export function forceLimits(planMin: number | null, orderMin: number | null): Limits | null {
  if (planMin === null && orderMin === null) return null
  return { low: Math.max(planMin ?? 0, orderMin ?? 0), high: null, nominal: null }
}

/** Above the upper limit positive, below the lower one negative, inside 0. */
export const beyondLimits = ({ low, high }: Limits, reading: number): number =>
  high !== null && reading > high ? reading - high : low !== null && reading < low ? reading - low : 0

type Judgement = { verdict: 'dentro' | 'fora'; worst: number; beyond: number; outside: number }

/**
 * Judges at least one reading. The worst is the one farthest outside; inside the one farthest from nominal, or the
 * lowest where there is no nominal; among equals the first.
 */
export function judge(limits: Limits, readings: readonly [number, ...number[]]): Judgement {
  const { nominal } = limits
  const badness = (reading: number): readonly [number, number] => [
    Math.abs(beyondLimits(limits, reading)),
    nominal === null ? -reading : Math.abs(reading - nominal),
  ]
  const isWorse = (one: number, other: number) => {
    const [[beyond, apart], [otherBeyond, otherApart]] = [badness(one), badness(other)]
    return beyond > otherBeyond || (beyond === otherBeyond && apart > otherApart)
  }
  const worst = readings.reduce((before, reading) => (isWorse(reading, before) ? reading : before))
  const outside = readings.filter((reading) => beyondLimits(limits, reading) !== 0).length
  return { verdict: outside === 0 ? 'dentro' : 'fora', worst, beyond: beyondLimits(limits, worst), outside }
}

/** Where and when a plan is looked for; an empty name is none. */
type PlanQuery = {
  terminal: string
  gauge: number
  unit: string
  machine: string
  branch: string
  at: number
}

/** A machine is recorded by its id alone, or by its id with a maker. */
export const machineKey = (machine: string): string => nameKey(machine.split(' - ')[0] ?? '')

/** The most specific plan in force: of the tool before of the machine before of the plant. Gauges are never interpolated. */
export function planFor<Plan extends PlanPlace & Validity>(plans: readonly Plan[], query: PlanQuery): Plan | null {
  const holds = ({ filial, terminal, bitola, miniaplicador, maquina, ...validity }: Plan) =>
    isSameName(terminal, query.terminal) &&
    bitola === query.gauge &&
    (miniaplicador === undefined || isSameName(miniaplicador, query.unit)) &&
    (maquina === undefined || isSameName(machineKey(maquina), machineKey(query.machine))) &&
    (filial === undefined || filial === query.branch) &&
    isInForce(validity, query.at)
  const weight = ({ miniaplicador, maquina, filial }: Plan) =>
    (miniaplicador === undefined ? 0 : 4) + (maquina === undefined ? 0 : 2) + (filial === undefined ? 0 : 1)
  return plans
    .filter(holds)
    .reduce<Plan | null>((best, plan) => (best === null || weight(plan) > weight(best) ? plan : best), null)
}

/**
 * The samples that a plan counts: one with `digitadoVale` false counts no value typed into a recording, unless that is
 * outside (`verdict`).
 */
export const samplesFor = <One extends { isTyped?: boolean | undefined; verdict?: string }>(
  { digitadoVale }: Pick<PlanContent, 'digitadoVale'>,
  samples: readonly One[],
): One[] => samples.filter(({ isTyped, verdict }) => digitadoVale !== false || !isTyped || verdict === 'fora')

/** '1,050 a 1,150', 'mín. 75'; empty: nothing limits it. */
export function limitsText({ low, high }: Limits): string {
  if (low !== null && high !== null) return `${milliText(low, 3)} a ${milliText(high, 3)}`
  return low === null ? '' : `mín. ${milliText(low, 0)}`
}

/** '1,050 a 1,150' */
export const rangeText = (tolerance: Tolerance): string => limitsText(heightLimits(tolerance))

/** How many pieces are measured at once. */
export function readingsText({ altura, forcaMin, leiturasAltura, leiturasForca }: PlanContent): string {
  const isOne = altura === undefined || forcaMin === undefined || leiturasAltura === leiturasForca
  if (!isOne) return `${leiturasAltura} de altura, ${leiturasForca} de força`
  const count = altura === undefined ? leiturasForca : leiturasAltura
  return countedText(count, 'leitura', 'leituras')
}

/** When they are measured besides the first piece; empty: never. */
export const occasionsText = ({ aCadaPecas, ultimaPeca }: PlanContent): string =>
  [
    ...(aCadaPecas === undefined ? [] : [`a cada ${countText(aCadaPecas)} peças`]),
    ...(ultimaPeca ? ['última peça'] : []),
  ].join(', ')

export const unitText = (value: string, unit: string): string => [value, unit].filter(Boolean).join(' ')

/** 'Plano v3: 1,050 a 1,150 mm · força mín. 75 N · 3 leituras' */
export function planText(plan: PlanContent & { version: number }, forceUnit: string): string {
  const { version, altura, forcaMin } = plan
  const limits = [
    ...(altura ? [`${rangeText(altura)} mm`] : []),
    ...(forcaMin === undefined ? [] : [`força mín. ${unitText(milliText(forcaMin, 0), forceUnit)}`]),
  ]
  return `Plano v${version}: ${[...limits, readingsText(plan)].join(' · ')}`
}

/** The verdict on a typed reading; null where that is no number, or nothing limits it. */
export function verdictOf(
  typed: string,
  limits: Limits | null,
  textOf: (milli: number) => string,
): { isInside: boolean; text: string } | null {
  const reading = readMilli(typed)
  if (reading === null || limits === null) return null
  const { verdict, beyond } = judge(limits, [reading])
  if (verdict === 'dentro') return { isInside: true, text: 'dentro' }
  return { isInside: false, text: `fora: ${textOf(Math.abs(beyond))} ${beyond > 0 ? 'acima' : 'abaixo'}` }
}

/** Decimals of a reading: with all of them it is complete. */
export const READING_DECIMALS = 3

/** The digits that every reading inside begins with, up to the comma or beyond; empty: there are none. */
export function readingStart(limits: Limits | null): string {
  if (limits === null || limits.low === null || limits.high === null) return ''
  const [low, high] = [milliText(limits.low, READING_DECIMALS), milliText(limits.high, READING_DECIMALS)]
  const differAt = [...low].findIndex((digit, at) => digit !== high[at])
  const start = low.length === high.length ? low.slice(0, Math.max(0, differAt)) : ''
  return start.includes(',') ? start : ''
}

export const isCompleteReading = (text: string): boolean => text.split(',')[1]?.length === READING_DECIMALS

/** Places on a drawn scale, in shares of its width; null: not drawn. */
type ToleranceScale = { low: number | null; high: number | null; nominal: number | null; dot: number | null }

/** Room beside the tolerance, in shares of it; of a minimum alone it lies at a third. */
const BESIDE = 0.5

/** A value far outside still stands on the scale, at its edge. */
const EDGE = 0.02

/** Null where nothing limits the value. */
export function toleranceScale({ low, high, nominal }: Limits, reading: number | null): ToleranceScale | null {
  const bounds = low === null ? null : high === null ? { from: low / 2, to: 2 * low } : around(low, high)
  if (bounds === null || low === null || bounds.to <= bounds.from) return null
  const shareOf = (value: number | null) => (value === null ? null : (value - bounds.from) / (bounds.to - bounds.from))
  const at = shareOf(reading)
  return {
    low: shareOf(low),
    high: shareOf(high),
    nominal: high === null ? null : shareOf(nominal),
    dot: at === null ? null : Math.min(1 - EDGE, Math.max(EDGE, at)),
  }
}

function around(low: number, high: number) {
  const room = BESIDE * (high - low)
  return { from: low - room, to: high + room }
}

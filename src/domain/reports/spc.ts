import type { Characteristic } from '../../contract/measurements.ts'
import type { SignalRule } from '../../contract/spc.ts'

/** From so many samples on limits are shown; from so many they are fixed. */
export const PRELIMINARY_SAMPLES = 12
export const FIXED_SAMPLES = 25

/** Expected range and its deviation of n normal values, as printed in the tables: published limits come out digit for digit. */
const rangeFactors: Readonly<Record<number, { d2: number; d3: number }>> = {
  2: { d2: 1.128, d3: 0.8525025 },
  3: { d2: 1.693, d3: 0.888368 },
  4: { d2: 2.059, d3: 0.8798082 },
  5: { d2: 2.326, d3: 0.8640819 },
  6: { d2: 2.534, d3: 0.8480397 },
  7: { d2: 2.704, d3: 0.8332053 },
  8: { d2: 2.847, d3: 0.8198315 },
  9: { d2: 2.97, d3: 0.8078343 },
  10: { d2: 3.078, d3: 0.7970507 },
}

/** Samples of one reading have moving ranges, each of two neighbours. */
export function factorsOf(n: number): { d2: number; d3: number } {
  const factors = rangeFactors[Math.max(n, 2)]
  if (!factors) throw new RangeError(`no control chart is for samples of ${n}`)
  return factors
}

/** Readings in mm or in the plant's unit of force. */
export type Readings = readonly number[]

/** Base of control limits: `k` samples of `n` readings. */
export type LimitBase = { n: number; k: number; mean: number; rangeMean: number }

export type Limits = LimitBase & {
  kind: 'I-MR' | 'X-R'
  sigma: number
  uclMean: number
  lclMean: number
  uclRange: number
  lclRange: number
}

/** Rounding error of the sums, in sigmas: a point on a limit is not beyond it. */
const EPSILON = 1e-9

export const meanOf = (values: Readings): number => values.reduce((sum, value) => sum + value, 0) / values.length

const spreadOf = (values: Readings): number => Math.max(...values) - Math.min(...values)

/** One a sample; of single readings the distance to the one before, so the first has none. */
export const rangesOf = (samples: readonly Readings[]): (number | null)[] =>
  samples.map((values, at) => {
    if (values.length > 1) return spreadOf(values)
    const before = samples[at - 1]
    return before ? Math.abs(meanOf(values) - meanOf(before)) : null
  })

/** Base of samples of one size; null without any, or with one single reading. */
export function baseOf(samples: readonly Readings[]): LimitBase | null {
  const ranges = rangesOf(samples).filter((range) => range !== null)
  const n = samples[0]?.length
  if (n === undefined || ranges.length === 0) return null
  return { n, k: samples.length, mean: meanOf(samples.map(meanOf)), rangeMean: meanOf(ranges) }
}

/** Equal readings differ by what decimals cost. */
export const isWithoutVariation = ({ mean, sigma }: { mean: number; sigma: number }): boolean =>
  sigma <= EPSILON * Math.max(1, Math.abs(mean))

export const sigmaWithin = ({ n, rangeMean }: LimitBase): number => rangeMean / factorsOf(n).d2

/** Null where nothing varies: any next point would lie beyond such limits. */
export function limitsFrom(base: LimitBase): Limits | null {
  const { n, mean, rangeMean } = base
  const { d3 } = factorsOf(n)
  const sigma = sigmaWithin(base)
  if (isWithoutVariation({ mean, sigma })) return null
  const apart = (3 * sigma) / Math.sqrt(n)
  return {
    ...base,
    kind: n === 1 ? 'I-MR' : 'X-R',
    sigma,
    uclMean: mean + apart,
    lclMean: mean - apart,
    uclRange: rangeMean + 3 * d3 * sigma,
    lclRange: Math.max(0, rangeMean - 3 * d3 * sigma),
  }
}

/** How far from the middle a point lies, in deviations of what is drawn. */
export const zOfMean = ({ n, mean, sigma }: Limits, point: number): number => ((point - mean) * Math.sqrt(n)) / sigma
const zOfRange = ({ n, rangeMean, sigma }: Limits, range: number): number =>
  (range - rangeMean) / (factorsOf(n).d3 * sigma)

const isBeyond = (z: number, sigmas: number): boolean => Math.abs(z) > sigmas + EPSILON
const sideOf = (z: number): -1 | 0 | 1 => (z > EPSILON ? 1 : z < -EPSILON ? -1 : 0)

const RUN = 9

const ruleChecks: Record<SignalRule, (z: Readings, at: number) => boolean> = {
  R1: (z, at) => isBeyond(z[at] ?? 0, 3),
  R2: (z, at) => {
    const run = z.slice(Math.max(0, at - RUN + 1), at + 1).map(sideOf)
    return run.length === RUN && run[0] !== 0 && run.every((side) => side === run[0])
  },
  R3: (z, at) => {
    const now = z[at] ?? 0
    const isFar = (one: number) => isBeyond(one, 2) && sideOf(one) === sideOf(now)
    return at >= 2 && isFar(now) && z.slice(at - 2, at).some(isFar)
  },
}

/** Which rules each point of a chart of means breaks. */
export const signalsOf = (z: Readings): SignalRule[][] =>
  z.map((_, at) => (['R1', 'R2', 'R3'] as const).filter((rule) => ruleChecks[rule](z, at)))

const QUIET = 15

/** Places of the points at which fifteen in a row, this one the last, lie within one deviation of the middle. */
export const quietAt = (z: Readings): number[] =>
  [...z.keys()].filter((at) => at >= QUIET - 1 && z.slice(at - QUIET + 1, at + 1).every((one) => !isBeyond(one, 1)))

export type ChartSample = {
  /** Whole thousandths. */
  values: readonly number[]
  /** Invalid: it stays in its place and is in no sum. */
  isOut?: boolean
}

export type Signal = { rule: SignalRule; chart: 'media' | 'amplitude' }

/** `mean` is null of a sample that is out, or of another size than the others: drawn hollow, in no sum. */
export type ChartPoint = { mean: number | null; range: number | null; signals: Signal[] }

export type Chart = {
  points: ChartPoint[]
  limits: Limits | null
  /** Too few samples for limits, nothing that varies, limits of fewer than 25 samples, limits that stay. */
  state: 'few' | 'flat' | 'preliminary' | 'fixed'
  /** Samples of the size that counts. */
  count: number
  /** Readings of a sample that counts. */
  n: number
}

export const readingsOf = (values: readonly number[]): Readings => values.map((milli) => milli / 1000)

/** The size most frequent among the newest 25; of equally frequent ones the newest sample's. Samples: the oldest first. */
export function sizeOf(samples: readonly ChartSample[]): number {
  const sizes = samples
    .filter(({ isOut }) => !isOut)
    .slice(-FIXED_SAMPLES)
    .map(({ values }) => values.length)
    .reverse()
  const timesOf = (size: number) => sizes.filter((one) => one === size).length
  return sizes.reduce((best, size) => (timesOf(size) > timesOf(best) ? size : best), sizes[0] ?? 1)
}

/**
 * Most of the newest samples are of another size than the limits in force, and there are enough of them for others: until those are set
 * they tell nothing. The size, or null. Samples: the oldest first.
 */
export function sizeWithoutLimits(samples: readonly ChartSample[], limits: Pick<LimitBase, 'n'> | null): number | null {
  if (limits === null) return null
  const size = sizeOf(samples)
  const count = samples.filter(({ values, isOut }) => !isOut && values.length === size).length
  return size !== limits.n && count >= PRELIMINARY_SAMPLES ? size : null
}

/** Limits of a series that has no fixed ones yet: of its first 25 samples, or preliminary of 12 to 24. */
function firstLimits(samples: readonly Readings[]): Limits | null {
  const base = samples.length < PRELIMINARY_SAMPLES ? null : baseOf(samples.slice(0, FIXED_SAMPLES))
  return base && limitsFrom(base)
}

/**
 * A series as it is drawn, the oldest sample first. `base`: of the limits in force; null: there are none, and `samples` begins
 * with the first one. Preliminary limits know R1 only.
 */
export function chartOf(samples: readonly ChartSample[], base: LimitBase | null): Chart {
  const n = base?.n ?? sizeOf(samples)
  const isDrawn = ({ values, isOut }: ChartSample) => !isOut && values.length === n
  const drawn = samples.filter(isDrawn).map(({ values }) => readingsOf(values))
  const limits = base ? limitsFrom(base) : firstLimits(drawn)
  const isPreliminary = base === null && drawn.length < FIXED_SAMPLES
  const stateOfLimits = isPreliminary ? 'preliminary' : 'fixed'
  const stateWithout = drawn.length < PRELIMINARY_SAMPLES ? 'few' : 'flat'
  const means = drawn.map(meanOf)
  const ranges = rangesOf(drawn)
  const rules = limits ? signalsOf(means.map((mean) => zOfMean(limits, mean))) : []
  const signalsAt = (at: number): Signal[] => {
    const range = ranges[at] ?? null
    const ofMean = (rules[at] ?? []).filter((rule) => rule === 'R1' || !isPreliminary)
    const isWide = limits !== null && range !== null && isBeyond(zOfRange(limits, range), 3)
    return [
      ...ofMean.map((rule) => ({ rule, chart: 'media' as const })),
      ...(isWide ? [{ rule: 'R1' as const, chart: 'amplitude' as const }] : []),
    ]
  }
  let at = -1
  const points = samples.map((sample): ChartPoint => {
    if (!isDrawn(sample)) return { mean: null, range: null, signals: [] }
    at++
    return { mean: means[at] ?? null, range: ranges[at] ?? null, signals: signalsAt(at) }
  })
  return { points, limits, state: limits ? stateOfLimits : stateWithout, count: drawn.length, n }
}

/** Whether the samples that limits come from hold a point beyond them that nobody has explained. */
export const hasBaseSignals = ({ points }: Chart, isExplained: (at: number) => boolean): boolean =>
  points.some(({ signals }, at) => signals.some(({ rule }) => rule === 'R1') && !isExplained(at))

/** The series of a measurement; null in each of them that has no tool, terminal or gauge. Its names as `nameKey` says them. */
export type SeriesPlace = {
  branch: string
  unitKey: string
  terminalKey: string
  gaugeMilli: number
  characteristic: Characteristic
}

export const seriesKeyOf = ({ branch, unitKey, terminalKey, gaugeMilli, characteristic }: SeriesPlace): string =>
  JSON.stringify([branch, unitKey, terminalKey, gaugeMilli, characteristic])

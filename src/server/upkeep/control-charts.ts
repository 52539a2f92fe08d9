import { setImmediate } from 'node:timers/promises'
import { SERIES_SAMPLES_MAX } from '../../contract/spc.ts'
import { DAY_MS, plantDay } from '../../domain/plant/plant-time.ts'
import {
  baseOf,
  type Chart,
  chartOf,
  FIXED_SAMPLES,
  hasBaseSignals,
  isWithoutVariation,
  limitsFrom,
  type Readings,
  readingsOf,
  type SeriesPlace,
  sizeOf,
  sizeWithoutLimits,
} from '../../domain/reports/spc.ts'
import { spreadOverall } from '../../domain/reports/spc-capability.ts'
import type { Outside } from '../outside.ts'
import { isStoreUnreachable, isUniqueViolation, type Tx } from '../store/db/db.ts'
import {
  findLimits,
  insertLimits,
  insertSeen,
  listFirst,
  listNewest,
  listSeen,
  type Span,
  type StoredLimits,
  type StoredSample,
} from '../store/spc.ts'
import { listUnsummed, type SeriesSummary, type SummedSeries, saveSummary, seriesHash } from '../store/spc-series.ts'

type Needs = Pick<Outside, 'db' | 'config' | 'now'>

/** Samples with the points that they are, the oldest first. */
export type SeriesReading = {
  samples: StoredSample[]
  chart: Chart
  /** Null: there are none yet, or nothing varies. */
  limits: StoredLimits | null
  /** There are more, older ones. */
  isCut: boolean
}

function judged(found: readonly StoredSample[], limits: StoredLimits | null): SeriesReading {
  const samples = found.slice(-SERIES_SAMPLES_MAX)
  return { samples, chart: chartOf(samples, limits), limits, isCut: found.length > samples.length }
}

/**
 * The first limits are those of the first 25 samples, whoever looks first; what is measured or arrives later never moves
 * them. False: there are not as many, or nothing varies.
 */
async function fixFirstLimits(
  { db, config, now }: Needs,
  place: SeriesPlace,
  newest: readonly StoredSample[],
): Promise<boolean> {
  const n = sizeOf(newest)
  if (newest.filter(({ values, isOut }) => !isOut && values.length === n).length < FIXED_SAMPLES) return false
  const samples = await listFirst(db.read, place, n, FIXED_SAMPLES)
  const [first, last] = [samples[0], samples.at(-1)]
  const base = baseOf(samples.map(({ values }) => readingsOf(values)))
  if (!first || !last || !base || !limitsFrom(base)) return false
  const fixed = { ...base, version: 1, from: first.measuredAt, until: last.measuredAt, reason: '', by: null, at: now() }
  try {
    await db.transaction((tx) => insertLimits(tx, seriesHash(place), fixed, plantDay(now(), config.timeZone)))
  } catch (error) {
    // somebody else looked at the same moment
    if (!isUniqueViolation(error)) throw error
  }
  return true
}

const isIn =
  ({ from = 0, before = Number.POSITIVE_INFINITY }: Span) =>
  ({ measuredAt }: StoredSample): boolean =>
    from <= measuredAt && measuredAt < before

/** The newest samples of a span as the limits in force judge them. */
export async function readSeries(call: Needs, place: SeriesPlace, span: Span = {}): Promise<SeriesReading> {
  const { db } = call
  const limits = await findLimits(db.read, seriesHash(place))
  if (limits) return judged(await listNewest(db.read, place, span, SERIES_SAMPLES_MAX + 1), limits)
  // without limits a point is judged by all that there is
  const newest = await listNewest(db.read, place, {}, SERIES_SAMPLES_MAX + 1)
  if (await fixFirstLimits(call, place, newest)) return await readSeries(call, place, span)
  const { samples, chart, ...whole } = judged(newest, null)
  const isShown = samples.map(isIn(span))
  const points = chart.points.filter((_, at) => isShown[at])
  return { ...whole, samples: samples.filter((_, at) => isShown[at]), chart: { ...chart, points } }
}

/** Whether the samples that the limits come from hold a point beyond them that nobody has explained. */
export async function isBaseUnexplained({ db }: Needs, place: SeriesPlace, limits: StoredLimits): Promise<boolean> {
  const span = { from: limits.from, before: limits.until + 1 }
  const samples = await listNewest(db.read, place, span, SERIES_SAMPLES_MAX)
  return hasBaseSignals(chartOf(samples, limits), (at) => samples[at]?.causes.length !== 0)
}

/**
 * Samples that capability is computed from: readings of the size that counts, without a period those since the limits
 * in force.
 */
export function spanOf({ samples, chart, limits }: SeriesReading, isWhole: boolean) {
  const from = isWhole ? 0 : (limits?.from ?? 0)
  const spanned = samples.flatMap((sample, at) => {
    const point = chart.points[at]
    return point && point.mean !== null && sample.measuredAt >= from ? [{ sample, point }] : []
  })
  const readings: Readings[] = spanned.map(({ sample }) => readingsOf(sample.values))
  const hasSignals = spanned.some(({ sample, point }) => point.signals.length > 0 && sample.causes.length === 0)
  return { readings, hasSignals }
}

export const SIGNAL_DAYS = 7

/** Marks the present signals as seen; they stay so, whatever limits come later. */
export async function noteSeen(tx: Tx, series: string, { samples, chart }: SeriesReading, at: number): Promise<void> {
  const signals = samples.flatMap(({ measurement: { id: actId } }, nth) =>
    (chart.points[nth]?.signals ?? []).map((signal) => ({ actId, ...signal })),
  )
  if (signals.length === 0) return
  const seen = await listSeen(tx, series)
  const isNew = ({ actId, rule, chart: of }: (typeof signals)[number]) =>
    !seen.get(actId)?.some((one) => one.rule === rule && one.chart === of)
  await insertSeen(tx, series, signals.filter(isNew), at)
}

function summaryOf(call: Needs, reading: SeriesReading): SeriesSummary {
  const { samples, chart, limits } = reading
  const newest = samples.at(-1)
  const { readings } = spanOf(reading, false)
  const spread = spreadOverall(readings)
  const since = call.now() - SIGNAL_DAYS * DAY_MS
  const isSignal = ({ measuredAt }: StoredSample, at: number) =>
    measuredAt > since && (chart.points[at]?.signals.length ?? 0) > 0
  return {
    samples: samples.filter(({ isOut }) => !isOut).length,
    machine: newest?.measurement.maquina ?? '',
    measuredAt: newest?.measuredAt ?? null,
    readings: spread?.readings ?? 0,
    mean: spread?.mean ?? 0,
    sigma: spread && !isWithoutVariation(spread) ? spread.sigma : 0,
    signalsAt: samples.filter(isSignal).map(({ measuredAt }) => measuredAt),
    asksLimits: sizeWithoutLimits(samples, limits) !== null,
  }
}

const SERIES_AT_ONCE = 20

/** Sums up some of the series that were changed since; answers after which one (in the order of their hashes) the next come, or null. */
export async function sumUpSeries(call: Needs & Pick<Outside, 'log'>, after = ''): Promise<string | null> {
  const changed = await listUnsummed(call.db.read, SERIES_AT_ONCE, after)
  const summed: { row: SummedSeries; reading: SeriesReading; summary: SeriesSummary }[] = []
  for (const row of changed) {
    try {
      const reading = await readSeries(call, row.place)
      summed.push({ row, reading, summary: summaryOf(call, reading) })
    } catch (error) {
      if (isStoreUnreachable(error)) throw error
      // one that cannot be read keeps no other from being summed up
      call.log.warn({ err: error, repeats: row.series }, 'a series of measurements could not be summed up')
    }
    // on SQLite nobody else would be answered meanwhile
    await setImmediate()
  }
  if (summed.length > 0)
    await call.db.transaction(async (tx) => {
      for (const { row, reading, summary } of summed) {
        await noteSeen(tx, row.series, reading, call.now())
        await saveSummary(tx, row, summary)
      }
    })
  return changed.length === SERIES_AT_ONCE ? (changed.at(-1)?.series ?? null) : null
}

/** Sums up all of them. */
export async function sumUpAll(call: Needs & Pick<Outside, 'log'>): Promise<void> {
  try {
    for (let after: string | null = ''; after !== null; after = await sumUpSeries(call, after)) await setImmediate()
  } catch (error) {
    call.log.warn({ err: error, repeats: true }, 'series of measurements could not be summed up')
  }
}

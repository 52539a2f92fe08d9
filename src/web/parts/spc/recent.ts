import type { RecentSeries } from '../../../contract/measurements.ts'
import { chartOf, FIXED_SAMPLES, meanOf, readingsOf } from '../../../domain/reports/spc.ts'
import { decimalsOf, pressText } from '../../../domain/reports/spc-texts.ts'
import { type ControlChart, firstRule } from './drawing.ts'

export type RecentSample = RecentSeries['amostras'][number]

/** The server's samples, followed by those that wait on this device. */
export function mergedSamples(known: readonly RecentSample[], waiting: readonly RecentSample[]): RecentSample[] {
  const ids = new Set(known.map(({ id }) => id))
  return [...known, ...waiting.filter(({ id }) => !ids.has(id))].toSorted((one, other) =>
    one.medidoEm < other.medidoEm ? -1 : one.medidoEm > other.medidoEm ? 1 : 0,
  )
}

/** The newest samples of a series under the limits in force, by the same rules as the server's. */
export function recentOf({ base, caracteristica }: RecentSeries, all: readonly RecentSample[]) {
  const samples = all.map(({ valores }) => ({ values: valores }))
  const limitBase = base && { n: base.n, k: FIXED_SAMPLES, mean: base.media, rangeMean: base.amplitudeMedia }
  const chart = chartOf(samples, limitBase)
  const { limits } = chart
  const points = all.map(({ valores, veredito }, at) => {
    const { mean, signals } = chart.points[at] ?? { mean: null, signals: [] }
    return {
      value: mean ?? meanOf(readingsOf(valores)),
      look: mean === null ? ('other' as const) : veredito === 'fora' ? ('outside' as const) : ('plain' as const),
      signal: firstRule(signals.flatMap((one) => (one.chart === 'media' ? [one.rule] : []))),
    }
  })
  const drawn: ControlChart = {
    points: points.slice(-FIXED_SAMPLES),
    limits: limits && {
      ...{ center: limits.mean, upper: limits.uclMean, lower: limits.lclMean },
      isPreliminary: chart.state !== 'fixed',
    },
    marks: [],
    decimals: decimalsOf(caracteristica, samples),
    isSmall: true,
  }
  return {
    drawn,
    sentence: pressText(chart, samples, caracteristica),
    hasSignal: (chart.points.at(-1)?.signals ?? []).length > 0,
  }
}

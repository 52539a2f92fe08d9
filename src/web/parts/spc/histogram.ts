import type { Tolerances } from '../../../domain/reports/spc-capability.ts'
import { decimalText } from '../../../domain/reports/spc-texts.ts'
import { roundStep, type Shape, type Size, straight, textWidth, words } from '../charts/shapes.ts'

/** Single readings against their tolerance, in whole thousandths: the question that charts of means cannot answer. */
export type Histogram = {
  readings: readonly number[]
  tolerance: Tolerances
  /** Of a reading. */
  decimals: number
}

const BARS = 14
const TICKS = 3

const edgesOf = ({ tolerance: { lsl, usl } }: Histogram) => [
  ...(lsl === null ? [] : [{ name: 'mín.', milli: Math.round(lsl * 1000) }]),
  ...(usl === null ? [] : [{ name: 'máx.', milli: Math.round(usl * 1000) }]),
]

const isOutside = ({ tolerance: { lsl, usl } }: Histogram, milli: number): boolean =>
  (lsl !== null && milli < Math.round(lsl * 1000)) || (usl !== null && milli > Math.round(usl * 1000))

export const outsideCount = (histogram: Histogram): number =>
  histogram.readings.filter((milli) => isOutside(histogram, milli)).length

type Column = { at: number; inside: number; outside: number }

/** Each bar has its step's multiple in its middle, so that a reading on a limit stands on its line. */
export function columnsOf(histogram: Histogram): { step: number; columns: Column[] } {
  const { readings, decimals } = histogram
  const all = [...readings, ...edgesOf(histogram).map(({ milli }) => milli)]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const step = roundStep(Math.max((high - low) / BARS, 10 ** (3 - decimals)))
  const columns = Map.groupBy(readings, (milli) => Math.round(milli / step))
  return {
    step,
    columns: [...columns]
      .map(([at, some]) => {
        const outside = some.filter((milli) => isOutside(histogram, milli)).length
        return { at: at * step, inside: some.length - outside, outside }
      })
      .toSorted((one, other) => one.at - other.at),
  }
}

export function histogramShapes(histogram: Histogram, { width, height, fontPx }: Size): Shape[] {
  const { step, columns } = columnsOf(histogram)
  const edges = edgesOf(histogram)
  const centers = [...columns.map(({ at }) => at), ...edges.map(({ milli }) => milli)]
  const [low, high] = [Math.min(...centers) - step, Math.max(...centers) + step]
  const most = Math.max(...columns.map(({ inside, outside }) => inside + outside))
  const left = textWidth(String(most), fontPx) + 10
  const [right, top, bottom] = [width - 8, (0.6 + 1.3 * edges.length) * fontPx, height - 2 * fontPx]
  const xOf = (milli: number) => left + ((milli - low) / (high - low)) * (right - left)
  const yOf = (count: number) => bottom - (count / most) * (bottom - top)
  const text = (milli: number) => decimalText(milli / 1000, histogram.decimals)
  const wide = Math.max(2, xOf(step) - xOf(0) - 1)
  const tick = roundStep(Math.max((high - low) / TICKS, step))
  const ticks = Array.from(
    { length: Math.floor(high / tick) - Math.ceil(low / tick) + 1 },
    (_, at) => (Math.ceil(low / tick) + at) * tick,
  )
  const box = (at: number, from: number, to: number) =>
    [xOf(at) - wide / 2, yOf(to), wide, yOf(from) - yOf(to)] as const
  return [
    straight([left, yOf(most)], [right, yOf(most)], 'line'),
    straight([left, bottom], [right, bottom], 'muted'),
    words([left - 6, yOf(most) + 0.35 * fontPx], String(most), { tone: 'muted', anchor: 'end', fontPx }),
    { kind: 'bars', boxes: columns.map(({ at, inside }) => box(at, 0, inside)), tone: 'series' },
    { kind: 'bars', boxes: columns.map(({ at, inside, outside }) => box(at, inside, inside + outside)), tone: 'bad' },
    ...edges.flatMap(({ name, milli }, row): Shape[] => {
      const x = xOf(milli)
      const [gap, anchor] = x < (left + right) / 2 ? ([5, 'start'] as const) : ([-5, 'end'] as const)
      const y = (1 + 1.3 * row) * fontPx
      return [
        straight([x, y - 0.8 * fontPx], [x, bottom], 'ink', { width: 2 }),
        words([x + gap, y], `${name} ${text(milli)}`, { tone: 'ink', anchor, fontPx }),
      ]
    }),
    ...ticks.map((milli) =>
      words([xOf(milli), height - 0.4 * fontPx], text(milli), { tone: 'muted', anchor: 'middle', fontPx }),
    ),
  ]
}

import type { ChartSeries } from '../../../domain/reports/charts.ts'
import { formatCount } from '../../text/format.ts'
import type { ChartContent } from './content.ts'
import {
  isHollow,
  legendOf,
  type Mark,
  type Meaning,
  type Place,
  roundStep,
  type Shape,
  type Size,
  straight,
  type Text,
  type Tone,
  textWidth,
  words,
} from './shapes.ts'

// Two colours must do: what is drawn beside its like differs by stroke and mark, which also prints without colour.
const dashes = [undefined, [8, 4], [2, 3]] as const
const marks: readonly Mark[] = ['dot', 'square', 'triangle', 'diamond', 'ring', 'hollowSquare', 'hollowTriangle']

/** More than these are a line already. */
const MARKED_POINTS_MAX = 60
const MARK_PX = 4
export const BAR_PX_MAX = 48
/** Share of a category's width. */
const BAR_SHARE = 0.8
const TICKS_MAX = 8
/** A name that stands under its bars, and one beside its bar, in sizes of its text. */
const NAME_UNDER = 9
const NAME_BESIDE = 12

/** One of the series, and how it is told apart from the others. */
export type Drawn = ChartSeries & {
  tone: Tone
  isBar: boolean
  mark: Mark | null
  dash: readonly [number, number] | null
}

/** Parts of one bar have neither stroke nor mark, and their order. */
const stackTones: readonly Tone[] = ['series', 'secondSeries', 'thirdSeries', 'rest']

export const drawnOf = ({ kind, series, categories, isStacked = false }: ChartContent): Drawn[] =>
  series.map((one, at) => ({
    ...one,
    tone: one.isLimit
      ? 'bad'
      : ((isStacked ? stackTones[at] : undefined) ?? (at % 2 === 0 ? 'series' : 'secondSeries')),
    isBar: kind === 'bar' && !one.isLevel,
    mark: one.isLevel || categories.length > MARKED_POINTS_MAX ? null : (marks[at % marks.length] ?? null),
    dash: one.isLimit ? [8, 4] : (dashes[Math.floor(at / 2) % dashes.length] ?? null),
  }))

export type Plot = {
  size: Size
  isLying: boolean
  shapes: readonly Shape[]
  /** Which category is drawn there. */
  categoryAt: (place: Place) => number
  /** Where a category is, along the axis that says its name, and how much of it. */
  middleOf: (at: number) => number
  slot: number
  /** The category's line, and its points. */
  pointerAt: (at: number) => readonly Shape[]
}

type Area = { left: number; right: number; top: number; bottom: number }
type Axes = { area: Area; isLying: boolean; ticks: readonly number[]; slot: number; along: (value: number) => number }

/** A single row of bars is named by the title. */
export const hasLegend = ({ kind, series }: ChartContent): boolean => kind === 'line' || series.length > 1

/** `hidden` are the names of series that are not drawn: the axis is as if they were not there. */
export function plotOf(content: ChartContent, size: Size, hidden: ReadonlySet<string> = new Set()): Plot {
  const drawn = drawnOf(content).filter(({ name }) => !hidden.has(name))
  const axes = axesOf(content, content.isStacked ? [totalOf(drawn)] : drawn, size)
  const { area, isLying, slot, along } = axes
  const start = isLying ? area.top : area.left
  const middleOf = (at: number) => start + (at + 0.5) * slot
  const placeOf = (at: number, value: number): Place =>
    isLying ? [along(value), middleOf(at)] : [middleOf(at), along(value)]
  const bars = drawn.filter(({ isBar }) => isBar)
  const lines = drawn.filter(({ isBar }) => !isBar)
  const last = content.categories.length - 1
  return {
    size,
    isLying,
    shapes: [
      ...gridOf(axes, size),
      ...namesOf(content, axes, middleOf, size),
      ...bars.map((one, nth) =>
        content.isStacked
          ? barsOf(one, { from: -0.5, count: 1, below: totalOf(bars.slice(0, nth)).values }, axes, middleOf)
          : barsOf(one, { from: (nth - bars.length / 2) / bars.length, count: bars.length, below: [] }, axes, middleOf),
      ),
      ...lines.flatMap((one) => [
        ...lineOf(one, placeOf, content.ahead?.categories ?? 0),
        ...limitName(one, axes, size),
      ]),
      ...aheadOf(content, lines, placeOf, size),
    ],
    categoryAt: ([x, y]) => Math.max(0, Math.min(last, Math.floor(((isLying ? y : x) - start) / slot))),
    middleOf,
    slot,
    pointerAt: (at) => [
      straight(
        isLying ? [area.left, middleOf(at)] : [middleOf(at), area.top],
        isLying ? [area.right, middleOf(at)] : [middleOf(at), area.bottom],
        'muted',
      ),
      ...lines.map(
        ({ values, tone }): Shape => ({
          kind: 'dot',
          places: [placeOf(at, values[at] ?? 0)],
          radius: MARK_PX + 1,
          tone,
        }),
      ),
    ],
  }
}

type Values = Pick<Drawn, 'values'>

const totalOf = (drawn: readonly Values[]): Values => ({
  values: (drawn[0]?.values ?? []).map((_, at) => drawn.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
})

/** Whole numbers: nothing is counted in halves. */
function ticksOf(drawn: readonly Values[], room: number): number[] {
  const [low, high] = drawn
    .flatMap(({ values }) => values)
    .reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [0, 0])
  const step = Math.max(1, roundStep(Math.max(1, high - low) / Math.max(1, Math.min(TICKS_MAX, Math.floor(room)))))
  const first = Math.floor(low / step)
  const count = Math.max(1, Math.ceil(high / step) - first)
  return Array.from({ length: count + 1 }, (_, at) => (first + at) * step)
}

const widest = (texts: readonly string[], fontPx: number) =>
  texts.reduce((most, text) => Math.max(most, textWidth(text, fontPx)), 0)

function axesOf(
  { categories, series, isLying = false, ahead }: ChartContent,
  drawn: readonly Values[],
  size: Size,
): Axes {
  const { width, height, fontPx } = size
  // a limit may be the highest line, and has its name over it
  const [top, bottom] = [(series.some(({ isLimit }) => isLimit) ? 1.6 : 0.8) * fontPx, height - 2 * fontPx]
  const nameMax = (isLying ? NAME_BESIDE : NAME_UNDER) * fontPx
  const names = Math.min(nameMax, widest(categories, fontPx))
  const figures = (ticks: readonly number[]) => widest(ticks.map(formatCount), fontPx)
  const lengthOf = (left: number, right: number) =>
    isLying ? (right - left) / (1.6 * figures(ticksOf(drawn, 4))) : (bottom - top) / (2.5 * fontPx)
  // the first and the last name may be broader than their category
  const outside = Math.max(8, (names - (0.8 * width) / categories.length) / 2)
  const right = width - (isLying ? figures(ticksOf(drawn, 4)) / 2 : outside)
  const ticks = ticksOf(drawn, lengthOf(names + 8, right))
  const left = isLying ? names + 8 : Math.max(outside, figures(ticks) + 8)
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const along = (value: number) =>
    isLying
      ? left + ((value - low) / (high - low)) * (right - left)
      : bottom - ((value - low) / (high - low)) * (bottom - top)
  const slot =
    (isLying ? bottom - top : right - left) / Math.max(1, categories.length + Math.ceil(ahead?.categories ?? 0))
  return { area: { left, right, top, bottom }, isLying, ticks, slot, along }
}

/** A line and a figure at each tick; the one at 0 carries the bars. */
function gridOf({ area, isLying, ticks, along }: Axes, { fontPx }: Size): Shape[] {
  const { left, right, top, bottom } = area
  return ticks.flatMap((value): Shape[] => {
    const [at, tone] = [along(value), value === 0 ? 'muted' : 'line'] as const
    const text = { kind: 'text', text: formatCount(value), tone: 'muted', fontPx } as const
    return isLying
      ? [straight([at, top], [at, bottom], tone), { ...text, at: [at, bottom + 1.4 * fontPx], anchor: 'middle' }]
      : [straight([left, at], [right, at], tone), { ...text, at: [left - 6, at + 0.35 * fontPx], anchor: 'end' }]
  })
}

/** As long as fits, with a sign that there is more of it: the table says all. */
function shortened(text: string, width: number, fontPx: number): string {
  if (textWidth(text, fontPx) <= width) return text
  const letters = [...text]
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, fontPx) > width) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Names of categories that there is room for, from the first. */
function namesOf(
  { categories }: ChartContent,
  { area, isLying, slot }: Axes,
  middleOf: (at: number) => number,
  { fontPx }: Size,
): Text[] {
  const texts = categories.map((name) => shortened(name, (isLying ? NAME_BESIDE : NAME_UNDER) * fontPx, fontPx))
  const room = isLying ? 1.3 * fontPx : widest(texts, fontPx) + fontPx
  const every = Math.max(1, Math.ceil(room / slot))
  return texts.flatMap((text, at): Text[] => {
    if (at % every !== 0) return []
    const shared = { kind: 'text', text, tone: 'muted', fontPx } as const
    return isLying
      ? [{ ...shared, at: [area.left - 8, middleOf(at) + 0.35 * fontPx], anchor: 'end' }]
      : [{ ...shared, at: [middleOf(at), area.bottom + 1.4 * fontPx], anchor: 'middle' }]
  })
}

/** `from` is where it begins, from the middle of its category, in parts of all that stand side by side; `below`: what it stands on. */
type BarPlace = { from: number; count: number; below: readonly number[] }

function barsOf(
  { values, tone }: Drawn,
  { from, count, below }: BarPlace,
  { isLying, slot, along }: Axes,
  middleOf: (at: number) => number,
): Shape {
  const thick = Math.min(BAR_PX_MAX, (BAR_SHARE * slot) / count)
  const boxes = values.map((value, at) => {
    const side = middleOf(at) + from * count * thick
    const ground = below[at] ?? 0
    const [low, high] = [along(ground), along(ground + value)].toSorted((one, other) => one - other) as [number, number]
    return isLying ? ([low, side, high - low, thick] as const) : ([side, low, thick, high - low] as const)
  })
  return { kind: 'bars', boxes, tone }
}

function lineOf(
  { values, tone, dash, mark, isLevel, isLimit }: Drawn,
  placeOf: (at: number, value: number) => Place,
  ahead: number,
): Shape[] {
  const places = values.map((value, at) => placeOf(at, value))
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0]
  // a level of one month alone would be a point without a mark
  const drawn = isLimit
    ? [placeOf(-0.5, first), ...places, placeOf(values.length - 0.5 + Math.ceil(ahead), last)]
    : isLevel && values.length === 1
      ? [placeOf(-0.5, first), placeOf(0.5, first)]
      : places
  const line: Shape = { kind: 'line', places: drawn, tone, width: 2, ...(dash ? { dash } : {}) }
  return mark ? [line, ...marksOf(mark, places, tone)] : [line]
}

/** Over the right end of its line: nobody looks for it in the legend. */
function limitName({ isLimit, values, name }: Drawn, { area, along }: Axes, { fontPx }: Size): Shape[] {
  const limit = values.at(-1) ?? 0
  const at: Place = [area.right, along(limit) - 0.4 * fontPx]
  return isLimit ? [words(at, `${name} ${formatCount(limit)}`, { tone: 'badInk', anchor: 'end', fontPx })] : []
}

/** From where a level stands now to where it will meet its limit, dotted: it is no count. */
function aheadOf(
  { ahead, categories }: ChartContent,
  lines: readonly Drawn[],
  placeOf: (at: number, value: number) => Place,
  { fontPx }: Size,
): Shape[] {
  const from = lines.find(({ name }) => name === ahead?.from)
  if (!ahead || !from) return []
  const last = categories.length - 1
  const [x, y] = placeOf(last + ahead.categories, ahead.value)
  return [
    straight(placeOf(last, from.values[last] ?? 0), [x, y], from.tone, { width: 2, dash: [2, 4] }),
    { kind: 'ring', places: [[x, y]], radius: MARK_PX, tone: 'bad' },
    words([x, y + 1.5 * fontPx], ahead.text, { tone: 'ink', anchor: 'middle', fontPx }),
  ]
}

/** A hollow mark stands on its line: without ground in it the line would fill it. */
const marksOf = (mark: Mark, places: readonly Place[], tone: Tone): Shape[] => [
  ...(isHollow(mark) ? [{ kind: 'dot' as const, places, radius: MARK_PX, tone: 'surface' as const }] : []),
  { kind: mark, places, radius: MARK_PX, tone },
]

/** A line is told apart by its stroke as well as by its mark: both must be seen. */
export const SIGN_PX = 32

/** As the series is drawn, beside its name. */
export function signOf({ isBar, tone, dash, mark }: Drawn, [x, y]: Place): Shape[] {
  if (isBar) return [{ kind: 'bars', boxes: [[x - 10, y - 6, 20, 12]], tone }]
  const half = SIGN_PX / 2 - 2
  return [
    straight([x - half, y], [x + half, y], tone, { width: 2, ...(dash ? { dash } : {}) }),
    ...(mark ? marksOf(mark, [[x, y]], tone) : []),
  ]
}

/** 'Limite · Previsto: qui 26/11 (3 dias)' */
export const nameOf = ({ name, note }: ChartSeries): string => (note ? `${name} · ${note}` : name)

/** Under a picture, where nobody can press. */
export const plotLegend = (content: ChartContent, size: Pick<Size, 'width' | 'fontPx'>) =>
  legendOf(
    drawnOf(content).map((one): Meaning => ({ text: nameOf(one), sign: (at) => signOf(one, at) })),
    { ...size, signPx: SIGN_PX + 4 },
  )

/** More lines than these cover the chart that they are of. */
const READ_MAX = 10

export type Reading = { category: string; rows: readonly (Drawn & { value: number })[]; restCount: number }

/** Values to read over a category: with many lines the highest ones. */
export function readingOf(content: ChartContent, hidden: ReadonlySet<string>, at: number): Reading {
  const all = drawnOf(content)
    .filter(({ name }) => !hidden.has(name))
    .map((one) => ({ ...one, value: one.values[at] ?? 0 }))
  const rows = all.length <= READ_MAX ? all : all.toSorted((one, other) => other.value - one.value).slice(0, READ_MAX)
  return { category: content.categories[at] ?? '', rows, restCount: all.length - rows.length }
}

export const restText = (count: number): string => (count === 1 ? 'e mais 1 linha' : `e mais ${count} linhas`)

/** 'jan/26: Crimpagens 1.200, Limite 100.000' */
export function readingText({ category, rows, restCount }: Reading): string {
  const figures = rows.map(({ name, value }) => `${name} ${formatCount(value)}`)
  return `${category}: ${[...figures, ...(restCount > 0 ? [restText(restCount)] : [])].join(', ')}`
}

import type { Series, SignalRule } from '../../../contract/spc.ts'
import type { Tolerances } from '../../../domain/reports/spc-capability.ts'
import { decimalText } from '../../../domain/reports/spc-texts.ts'
import {
  legendOf,
  type Mark,
  type Place,
  roundStep,
  type Shape,
  type Size,
  straight,
  textWidth,
  words,
} from '../charts/shapes.ts'

export type ChartPoint = {
  /** Null: nothing to draw, as of the first moving range. */
  value: number | null
  /** A reading outside of tolerance; a sample of another size; one that counts nowhere. */
  look: 'plain' | 'outside' | 'other' | 'invalid'
  /** Digit of the first rule that it breaks: beyond a limit weighs most. In brackets: it was so when it was seen, by other limits. */
  signal: string
}

type Change = Series['marcas'][number]['tipo']

export type ControlChart = {
  points: readonly ChartPoint[]
  /** Day of each point, as the axis writes it; left out at the press. */
  days?: readonly string[]
  limits: { center: number; upper: number; lower: number; isPreliminary: boolean } | null
  /** A band, of charts of single readings only: means and ranges have no tolerance. */
  tolerance?: Tolerances
  /** Changes before a point, of each kind one. */
  marks: readonly { at: number; change: Change }[]
  /** Decimals of means and limits: one more than the readings have. */
  decimals: number
  /** At the press: the newest point large, and no axes. */
  isSmall?: boolean
}

/** Between two points, at least: narrower is scrolled. */
export const SLOT_PX_MIN = 9

const TICKS = 4
/** Free share of the height above and below the drawing. */
const AIR = 0.08

type Scale = { xOf: (at: number) => number; yOf: (value: number) => number; slot: number }

/** One of 1, 2, 5 of its power of ten, and no finer than the readings: heights need 0,001. */
export const tickStep = (range: number, decimals: number): number =>
  roundStep(Math.max(range / TICKS, 10 ** (1 - decimals)))

const edgesOf = ({ tolerance }: ControlChart): number[] =>
  tolerance ? [tolerance.lsl, tolerance.usl].filter((edge) => edge !== null) : []

function extentOf(chart: ControlChart): [low: number, high: number] {
  const { points, limits, decimals } = chart
  // one that was taken out for a lost comma must not press the others flat
  const drawn = points.flatMap(({ value, look }) => (value === null || look === 'invalid' ? [] : [value]))
  const all = [...drawn, ...(limits ? [limits.upper, limits.lower] : []), ...edgesOf(chart)]
  if (all.length === 0) return [0, 1]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const air = Math.max((high - low) * AIR, 10 ** -decimals * 5)
  return [low - air, high + air]
}

function scaleOf(chart: ControlChart, { width, height, fontPx }: Size) {
  const [low, high] = extentOf(chart)
  const { isSmall = false, decimals, limits } = chart
  const left = isSmall ? 4 : textWidth(decimalText(high, decimals - 1), fontPx) + 12
  const right = width - (limits ? textWidth(`Média ${decimalText(high, decimals)}`, fontPx) + 8 : 8)
  const top = (0.8 + ROW_EM * changesOf(chart).length) * fontPx
  const bottom = height - (isSmall ? 0.8 : 3.2) * fontPx
  const slot = (right - left) / Math.max(1, chart.points.length)
  return {
    ...{ low, high, left, right, top, bottom, slot },
    xOf: (at: number) => left + (at + 0.5) * slot,
    yOf: (value: number) => Math.max(top, Math.min(bottom, bottom - ((value - low) / (high - low)) * (bottom - top))),
  }
}

function axesOf(chart: ControlChart, size: Size, scale: ReturnType<typeof scaleOf>): Shape[] {
  const { low, high, xOf, yOf, left, right, slot } = scale
  const { fontPx, height } = size
  const step = tickStep(high - low, chart.decimals)
  const first = Math.ceil(low / step)
  const ticks = Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, at) => (first + at) * step)
  const beside = { tone: 'muted', anchor: 'end', fontPx } as const
  const below = { tone: 'muted', anchor: 'middle', fontPx } as const
  const every = [1, 2, 5, 10, 20, 50, 100].find((one) => one * slot >= 2.5 * fontPx) ?? 200
  return [
    ...ticks.flatMap((value): Shape[] => [
      straight([left, yOf(value)], [right, yOf(value)], 'line'),
      words([left - 6, yOf(value) + 0.35 * fontPx], decimalText(value, chart.decimals - 1), beside),
    ]),
    ...chart.points.flatMap((_, at): Shape[] =>
      (at + 1) % every === 0 ? [words([xOf(at), height - 1.6 * fontPx], `${at + 1}`, below)] : [],
    ),
    ...daysOf(chart, size, xOf),
  ]
}

const DAY_EVERY = 10

/** Under the first sample and each tenth. */
const daysOf = ({ days = [] }: ControlChart, { height, fontPx }: Size, xOf: Scale['xOf']): Shape[] =>
  days.flatMap((text, at): Shape[] =>
    at === 0 || (at + 1) % DAY_EVERY === 0
      ? [words([xOf(at), height - 0.4 * fontPx], text, { tone: 'ink', anchor: 'middle', fontPx })]
      : [],
  )

function toleranceShapes(chart: ControlChart, { fontPx }: Size, scale: ReturnType<typeof scaleOf>): Shape[] {
  const { tolerance, decimals } = chart
  if (!tolerance || edgesOf(chart).length === 0) return []
  const { left, right, top, bottom, yOf } = scale
  const upper = tolerance.usl === null ? top : yOf(tolerance.usl)
  const lower = tolerance.lsl === null ? bottom : yOf(tolerance.lsl)
  const look = { tone: 'muted', anchor: 'start', fontPx } as const
  const edges = [
    { edge: tolerance.usl, name: 'máx.', below: 1.1 * fontPx },
    { edge: tolerance.lsl, name: 'mín.', below: -0.3 * fontPx },
  ]
  return [
    { kind: 'bars', boxes: [[left, upper, right - left, lower - upper]], tone: 'tolerance' },
    ...edges.flatMap(({ edge, name, below }): Shape[] =>
      edge === null ? [] : [words([left + 6, yOf(edge) + below], `${name} ${decimalText(edge, decimals - 1)}`, look)],
    ),
  ]
}

/** Number of the first rule that a point breaks, beside its sign; the table lists all of them. */
export const firstRule = (rules: readonly SignalRule[]): string => rules.toSorted()[0]?.slice(1) ?? ''

/** Each with its name and its figure at the right end, where the newest points are. */
function limitsOf({ limits, decimals }: ControlChart, { fontPx }: Size, scale: ReturnType<typeof scaleOf>): Shape[] {
  if (!limits) return []
  const { left, right, yOf } = scale
  const { center, upper, lower, isPreliminary } = limits
  const rows = [
    { name: 'LSC', value: upper, tone: 'bad' as const, dash: isPreliminary },
    { name: 'Média', value: center, tone: 'muted' as const, dash: false },
    { name: 'LIC', value: lower, tone: 'bad' as const, dash: isPreliminary },
  ]
  const look = { tone: 'ink', anchor: 'start', fontPx } as const
  return rows.flatMap(({ name, value, tone, dash }): Shape[] => {
    const y = yOf(value)
    return [
      straight([left, y], [right, y], tone, { width: 1, ...(dash ? { dash: [6, 5] } : {}) }),
      words([right + 5, y + 0.35 * fontPx], `${name} ${decimalText(value, decimals)}`, look),
    ]
  })
}

const isCounted = ({ look }: ChartPoint) => look === 'plain' || look === 'outside'

function pointShapes(chart: ControlChart, { fontPx }: Size, { xOf, yOf, slot }: Scale): Shape[] {
  const { points, isSmall = false } = chart
  const usual = Math.max(2, Math.min(4.5, slot * 0.4))
  return points.flatMap(({ value, look, signal }, at): Shape[] => {
    if (value === null) return []
    const place: Place = [xOf(at), yOf(value)]
    const radius = isSmall && at === points.length - 1 ? usual * 1.9 : usual
    return [...signOf(look, place, radius), ...(signal === '' ? [] : signalOf(signal, place, radius, fontPx))]
  })
}

function signOf(look: ChartPoint['look'], at: Place, radius: number): Shape[] {
  if (look === 'plain') return [{ kind: 'dot', places: [at], radius, tone: 'series' }]
  if (look === 'outside') return [{ kind: 'diamond', places: [at], radius: radius * 1.6, tone: 'badInk' }]
  const ring: Shape = { kind: 'ring', places: [at], radius, tone: 'muted' }
  if (look === 'other') return [ring]
  const [x, y] = at
  const arm = radius * 1.8
  return [ring, straight([x - arm, y + arm], [x + arm, y - arm], 'muted', { width: 1.5 })]
}

/** Told without colour too: a ring, and which rules. */
const signalOf = (signal: string, [x, y]: Place, radius: number, fontPx: number): Shape[] => [
  { kind: 'ring', places: [[x, y]], radius: radius + 3, tone: 'bad' },
  words([x, y - radius - 6], signal, { tone: 'badInk', anchor: 'middle', fontPx: 0.9 * fontPx }),
]

const changes: Record<Change, { sign: Mark; text: string }> = {
  lote: { sign: 'reel', text: 'lote' },
  maquina: { sign: 'factory', text: 'máquina' },
  manutencao: { sign: 'wrench', text: 'manutenção' },
  plano: { sign: 'sheet', text: 'plano' },
}

/** Height of the row that each kind of change has over the chart, so that none covers another. */
const ROW_EM = 1.3
const SIGN_EM = 0.4

const changesOf = ({ marks }: ControlChart): Change[] =>
  (Object.keys(changes) as Change[]).filter((change) => marks.some((mark) => mark.change === change))

/** Signs that would cover the one before them are left out; their lines stay. */
function apart(places: readonly Place[], least: number): Place[] {
  let last = Number.NEGATIVE_INFINITY
  return places.filter(([x]) => {
    const isFree = x - last >= least
    if (isFree) last = x
    return isFree
  })
}

function markShapes(chart: ControlChart, { fontPx }: Size, { xOf, slot, bottom }: ReturnType<typeof scaleOf>): Shape[] {
  return changesOf(chart).flatMap((change, row): Shape[] => {
    const y = (0.7 + ROW_EM * row) * fontPx
    const places = chart.marks.flatMap((mark): Place[] =>
      mark.change === change ? [[xOf(mark.at) - slot / 2, y]] : [],
    )
    return [
      ...places.map(([x]) =>
        straight([x, y + (SIGN_EM + 0.1) * fontPx], [x, bottom], 'muted', { width: 1, dash: [2, 3] }),
      ),
      {
        kind: changes[change].sign,
        places: apart(places, 2.2 * SIGN_EM * fontPx),
        radius: SIGN_EM * fontPx,
        tone: 'ink',
      },
    ]
  })
}

export function drawingOf(chart: ControlChart, size: Size): Shape[] {
  const scale = scaleOf(chart, size)
  const places = chart.points.flatMap((point, at): Place[] =>
    point.value !== null && isCounted(point) ? [[scale.xOf(at), scale.yOf(point.value)]] : [],
  )
  return [
    ...toleranceShapes(chart, size, scale),
    ...(chart.isSmall ? [] : axesOf(chart, size, scale)),
    ...markShapes(chart, size, scale),
    ...limitsOf(chart, size, scale),
    { kind: 'line', places, tone: 'series', width: 1.5 },
    ...pointShapes(chart, size, scale),
  ]
}

const signs: readonly { look?: ChartPoint['look']; text: string }[] = [
  { look: 'plain', text: 'amostra' },
  { look: 'outside', text: 'leitura fora da tolerância' },
  { look: 'other', text: 'outro número de leituras' },
  { look: 'invalid', text: 'inválida' },
  { text: '1 além do limite' },
  { text: '2 nove seguidos do mesmo lado' },
  { text: '3 dois de três perto do limite' },
  { text: '(1) sinal quando visto, por outros limites' },
]

/** The legend of control charts, with the changes that these have. */
export const signsOf = (
  charts: readonly { chart: ControlChart }[],
  size: Pick<Size, 'width' | 'fontPx'>,
): ReturnType<typeof legendOf> =>
  legendOf(
    [
      ...signs.map(({ look, text }) => ({
        text,
        sign: (at: Place): Shape[] =>
          look
            ? signOf(look, at, 0.35 * size.fontPx)
            : [{ kind: 'ring', places: [at], radius: 0.45 * size.fontPx, tone: 'bad' }],
      })),
      ...charts
        .slice(0, 1)
        .flatMap(({ chart }) => changesOf(chart))
        .map((change) => ({
          text: changes[change].text,
          sign: (at: Place): Shape[] => [
            { kind: changes[change].sign, places: [at], radius: SIGN_EM * size.fontPx, tone: 'ink' },
          ],
        })),
    ],
    { ...size, signPx: 1.4 * size.fontPx },
  )

/** Where each point is hovered over, as high as the chart is. */
export function columnsOf(chart: ControlChart, size: Size): { x: number; width: number }[] {
  const { xOf, slot } = scaleOf(chart, size)
  return chart.points.map((_, at) => ({ x: xOf(at) - slot / 2, width: slot }))
}

/** Which point a finger meant. */
export function nearestPoint(chart: ControlChart, size: Size, x: number): number {
  const { left, slot } = scaleOf(chart, size)
  return Math.max(0, Math.min(chart.points.length - 1, Math.floor((x - left) / slot)))
}

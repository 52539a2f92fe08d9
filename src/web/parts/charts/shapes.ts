/** A chart as lines, bars, marks and words: what an SVG shows on the screen and on paper, and a canvas in a picture. */
export const tones = {
  ink: '--color-ink',
  muted: '--color-muted',
  line: '--color-line',
  surface: '--color-surface',
  series: '--color-series-1',
  secondSeries: '--color-series-2',
  thirdSeries: '--color-warn-fill',
  rest: '--color-idle-fill',
  /** Ground of a tolerance, under everything else. */
  tolerance: '--color-ok-soft',
  bad: '--color-bad-fill',
  badInk: '--color-bad-ink',
} as const

/** A colour by the theme's custom property: an SVG follows the theme by itself. */
export type Tone = keyof typeof tones
export type Place = readonly [x: number, y: number]
export type Size = { width: number; height: number; fontPx: number }

type Outline = (at: Place, radius: number) => string

/** A hundredth of a pixel is seen by nobody, and the path of 10,000 points is half as long. */
const px = (value: number) => Math.round(value * 100) / 100

const circle: Outline = ([x, y], radius) => {
  const [r, across] = [px(radius), px(2 * radius)]
  return `M${px(x - radius)},${px(y)}a${r},${r},0,1,0,${across},0a${r},${r},0,1,0,${-across},0Z`
}
const polygon =
  (...corners: readonly Place[]): Outline =>
  ([x, y], radius) =>
    `M${corners.map(([dx, dy]) => `${px(x + dx * radius)},${px(y + dy * radius)}`).join('L')}Z`
const square = polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9])
const triangle = polygon([0, -1.1], [1, 0.8], [-1, 0.8])

/** The left side of a wrench, of which the right one is the mirror image. */
const wrenchSide: readonly Place[] = [
  [-0.25, 1.1],
  [-0.25, -0.1],
  [-0.7, -0.45],
  [-0.7, -1],
  [-0.3, -1.1],
  [-0.3, -0.6],
]
const wrench = polygon(...wrenchSide, ...wrenchSide.map(([x, y]): Place => [-x, y]).toReversed())
const factory = polygon([-1, 1], [-1, -0.1], [-0.3, 0.35], [-0.3, -0.1], [0.4, 0.35], [0.4, -1], [1, -1], [1, 1])
/** A coil seen from its side, hollow in the middle. */
const reel: Outline = (at, radius) => circle(at, radius) + circle(at, 0.35 * radius)
const bar = (y: number) => polygon([-0.4, y], [0.4, y])
/** A sheet of two lines. */
const sheet: Outline = (at, radius) =>
  [polygon([-0.8, -1], [0.8, -1], [0.8, 1], [-0.8, 1]), bar(-0.3), bar(0.3)].map((part) => part(at, radius)).join('')

const marks = {
  dot: { outline: circle, isHollow: false },
  square: { outline: square, isHollow: false },
  triangle: { outline: triangle, isHollow: false },
  diamond: { outline: polygon([0, -1], [1, 0], [0, 1], [-1, 0]), isHollow: false },
  ring: { outline: circle, isHollow: true },
  hollowSquare: { outline: square, isHollow: true },
  hollowTriangle: { outline: triangle, isHollow: true },
  reel: { outline: reel, isHollow: true },
  factory: { outline: factory, isHollow: false },
  wrench: { outline: wrench, isHollow: false },
  sheet: { outline: sheet, isHollow: true },
} as const
export type Mark = keyof typeof marks

/** Filled, or its outline alone, through which a line is seen. */
export const isHollow = (mark: Mark): boolean => marks[mark].isHollow

export type Text = {
  kind: 'text'
  at: Place
  text: string
  tone: Tone
  anchor: 'start' | 'middle' | 'end'
  fontPx: number
}
type Stroke = { width: number; dash?: readonly [number, number] }
type Line = Stroke & { kind: 'line'; places: readonly Place[]; tone: Tone }
type Bars = {
  kind: 'bars'
  boxes: readonly (readonly [x: number, y: number, width: number, height: number])[]
  tone: Tone
}
/** As many as there are places: one path for the marks of a whole line. */
type Marks = { kind: Mark; places: readonly Place[]; radius: number; tone: Tone }
export type Shape = Line | Bars | Marks | Text

export const straight = (from: Place, to: Place, tone: Tone, stroke: Stroke = { width: 1 }): Shape => ({
  ...{ kind: 'line', places: [from, to], tone },
  ...stroke,
})

/** A text at its base line, from, around or up to its place. */
export const words = (at: Place, text: string, look: Pick<Text, 'tone' | 'anchor' | 'fontPx'>): Text => ({
  ...{ kind: 'text', at, text },
  ...look,
})

/** In the language of an SVG's `d`, which a canvas reads as well. */
export function pathOf(shape: Exclude<Shape, Text>): string {
  if (shape.kind === 'line') return shape.places.map(([x, y], at) => `${at ? 'L' : 'M'}${px(x)},${px(y)}`).join('')
  if (shape.kind === 'bars') {
    return shape.boxes
      .map(([x, y, width, height]) => `M${px(x)},${px(y)}h${px(width)}v${px(height)}h${px(-width)}Z`)
      .join('')
  }
  const { outline } = marks[shape.kind]
  return shape.places.map((at) => outline(at, shape.radius)).join('')
}

/** Null: the path is filled. */
export function strokeOf(shape: Exclude<Shape, Text>): Stroke | null {
  if (shape.kind === 'line') return shape
  return shape.kind !== 'bars' && isHollow(shape.kind) ? { width: 1.5 } : null
}

const widthOf = (letter: string) => (/[MWmw%]/.test(letter) ? 0.9 : /[\dA-ZÀ-Þ]/.test(letter) ? 0.66 : 0.53)

/** Upper bound of a text's width in px, in the page's font and in the fonts that stand in for it. */
export const textWidth = (text: string, fontPx: number): number =>
  [...text].reduce((width, letter) => width + widthOf(letter), 0) * fontPx

/** 1, 2 or 5 of a power of ten, and never less than what is asked for. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9)
  return ([1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10) * power
}

/** A sign, drawn around its middle, and what it means. */
export type Meaning = { text: string; sign: (at: Place) => readonly Shape[] }

/** Legend of the signs, in as many lines as it takes. */
export function legendOf(
  meanings: readonly Meaning[],
  { width, fontPx, signPx }: Pick<Size, 'width' | 'fontPx'> & { signPx: number },
): { shapes: Shape[]; size: Size } {
  const lineHeight = 1.8 * fontPx
  let [x, y] = [0, lineHeight / 2]
  const shapes = meanings.flatMap(({ sign, text }): Shape[] => {
    const needed = signPx + textWidth(text, fontPx) + fontPx
    if (x > 0 && x + needed > width) [x, y] = [0, y + lineHeight]
    const left = x
    x += needed
    return [
      ...sign([left + signPx / 2, y]),
      words([left + signPx, y + 0.35 * fontPx], text, { tone: 'ink', anchor: 'start', fontPx }),
    ]
  })
  return { shapes, size: { width, height: y + lineHeight / 2, fontPx } }
}

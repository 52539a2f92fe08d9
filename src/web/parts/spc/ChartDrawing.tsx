import type { Shape, Size, Tone } from './drawing.ts'

const strokes: Record<Tone, string> = {
  ink: 'stroke-ink',
  muted: 'stroke-muted',
  line: 'stroke-line',
  series: 'stroke-series-1',
  bad: 'stroke-bad-fill',
}
const fills: Record<Tone, string> = {
  ink: 'fill-ink',
  muted: 'fill-muted',
  line: 'fill-line',
  series: 'fill-series-1',
  bad: 'fill-bad-ink',
}

type Props = {
  shapes: readonly Shape[]
  size: Size
  /** The chart in words. */
  label: string
  onPress?: (x: number) => void
  /** What is said of a point under the mouse. */
  tips?: readonly { x: number; width: number; text: string }[]
}

/** A picture to assistive technology: a table beside it says the same. */
export const ChartDrawing = ({ shapes, size: { width, height }, label, onPress, tips = [] }: Props) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the rows of the table do the same by keyboard
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${width} ${height}`}
    width={width}
    height={height}
    className={`block max-w-none ${onPress ? 'cursor-pointer' : ''}`}
    onClick={({ currentTarget, clientX }) => onPress?.(clientX - currentTarget.getBoundingClientRect().left)}
  >
    {shapes.map((shape, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a shape has no name, and is drawn anew with the others
      <Drawn key={at} shape={shape} />
    ))}
    {tips.map(({ x, width: tipWidth, text }) => (
      <rect key={x} x={x} y={0} width={tipWidth} height={height} className="fill-transparent">
        <title>{text}</title>
      </rect>
    ))}
  </svg>
)

function Drawn({ shape }: { shape: Shape }) {
  if (shape.kind === 'text') {
    const [x, y] = shape.at
    return (
      <text
        x={x}
        y={y}
        textAnchor={shape.anchor}
        fontSize={shape.fontPx}
        className={`${fills[shape.tone]} font-medium`}
      >
        {shape.text}
      </text>
    )
  }
  if (shape.kind === 'line') {
    return (
      <polyline
        points={shape.places.map((place) => place.join()).join(' ')}
        fill="none"
        strokeWidth={shape.width}
        strokeDasharray={shape.dash?.join(' ')}
        className={strokes[shape.tone]}
      />
    )
  }
  const [x, y] = shape.at
  if (shape.kind === 'diamond') return <polygon points={diamondOf(shape)} className={fills[shape.tone]} />
  return shape.kind === 'dot' ? (
    <circle cx={x} cy={y} r={shape.radius} className={fills[shape.tone]} />
  ) : (
    <circle cx={x} cy={y} r={shape.radius} strokeWidth={1.5} className={`fill-surface/0 ${strokes[shape.tone]}`} />
  )
}

const diamondOf = ({ at: [x, y], radius }: { at: readonly [number, number]; radius: number }) =>
  [`${x},${y - radius}`, `${x + radius},${y}`, `${x},${y + radius}`, `${x - radius},${y}`].join(' ')

import { pathOf, type Shape, type Size, strokeOf, tones } from './shapes.ts'

type Props = {
  shapes: readonly Shape[]
  size: Pick<Size, 'width' | 'height'>
  /** The chart in words; without them it belongs to what stands beside it. */
  label?: string
  onPress?: (x: number) => void
  /** Text for a point under the mouse. */
  tips?: readonly { x: number; width: number; text: string }[]
}

/** A picture to assistive technology: a table beside it says the same. */
export const ChartDrawing = ({ shapes, size: { width, height }, label, onPress, tips = [] }: Props) => (
  <svg
    role={label ? 'img' : undefined}
    aria-label={label}
    aria-hidden={label ? undefined : true}
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
      <rect key={x} x={x} y={0} width={tipWidth} height={height} fill="transparent">
        <title>{text}</title>
      </rect>
    ))}
  </svg>
)

function Drawn({ shape }: { shape: Shape }) {
  const colour = `var(${tones[shape.tone]})`
  if (shape.kind === 'text') {
    const [x, y] = shape.at
    return (
      <text x={x} y={y} textAnchor={shape.anchor} fontSize={shape.fontPx} fill={colour} className="font-medium">
        {shape.text}
      </text>
    )
  }
  const stroke = strokeOf(shape)
  if (!stroke) return <path d={pathOf(shape)} fill={colour} />
  return (
    <path
      d={pathOf(shape)}
      fill="none"
      stroke={colour}
      strokeWidth={stroke.width}
      strokeDasharray={stroke.dash?.join(' ')}
      strokeLinejoin="round"
    />
  )
}

import { barsOf } from '../../../domain/text/code-128.ts'

const QUIET_ZONE = 10
const BAR_HEIGHT = 60

type Props = { code: string; label: string }

/** Code 128, for a scanner to read of a card or of the screen: black on white in any theme. */
export function BarCode({ code, label }: Props) {
  const { bars, width } = barsOf(code)
  return (
    <svg
      viewBox={`0 0 ${width + 2 * QUIET_ZONE} ${BAR_HEIGHT}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="w-full max-w-sm bg-white"
    >
      {bars.map(({ at, width: wide }) => (
        <rect key={at} x={at + QUIET_ZONE} width={wide} height={BAR_HEIGHT} fill="#000" />
      ))}
    </svg>
  )
}

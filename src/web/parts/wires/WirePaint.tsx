import { useId } from 'react'
import { isHardToTell, wireColours } from '../../../domain/acts/wires.ts'

type Props = {
  code: string
  /** Leaves the upper part of the base free for what is printed on it. */
  isPrinted?: boolean
}

/** Where stripes run, in shares of the wire's height: one of a quarter, two of 18 %, more of 12 %. */
function stripeBands(count: number, isPrinted: boolean): { top: number; height: number }[] {
  const height = count === 1 ? 0.25 : count === 2 ? 0.18 : 0.12
  const gap = count > 2 ? 0.05 : 0.07
  const extent = count * height + (count - 1) * gap
  const first = isPrinted ? 0.9 - extent : (1 - extent) / 2
  return Array.from({ length: count }, (_, index) => ({ top: first + index * (height + gap), height }))
}

const percent = (share: number) => `${100 * share}%`

/** A wire's colours, over the whole of the SVG that it stands in: the base, its stripes, hatched where unknown. */
export function WirePaint({ code, isPrinted = false }: Props) {
  const hatch = useId()
  const [base, ...stripes] = wireColours(code)
  if (!base) {
    return (
      <rect
        {...inset}
        rx="3"
        fill="none"
        stroke="var(--color-edge)"
        strokeWidth="1.5"
        strokeDasharray="5 4"
        className="[height:calc(100%-2px)] [width:calc(100%-2px)]"
      />
    )
  }
  const fillOf = (hex: string | null) => hex ?? `url(#${hatch})`
  const bands = stripeBands(stripes.length, isPrinted)
  const isOutlined = (hex: string | null) => !hex || !base.hex || isHardToTell(base.hex, hex)
  return (
    <>
      <pattern id={hatch} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="8" height="8" fill="var(--color-sunken)" />
        <rect width="3" height="8" fill="var(--color-idle-fill)" />
      </pattern>
      <rect width="100%" height="100%" fill={fillOf(base.hex)} />
      {stripes.map(({ code: stripe, hex }, index) => {
        const { top = 0, height = 0 } = bands[index] ?? {}
        return (
          <rect
            key={stripe}
            x="-2"
            y={percent(top)}
            height={percent(height)}
            fill={fillOf(hex)}
            className="[width:calc(100%+4px)]"
            {...(isOutlined(hex) ? { stroke: outlineOn(base.hex), strokeWidth: 1 } : {})}
          />
        )
      })}
    </>
  )
}

const inset = { x: 1, y: 1 }

/** Between two colours that are hard to tell apart; on a very dark base a dark line would be one more of them. */
const outlineOn = (base: string | null) => (base && isHardToTell(base, '#1C1C1C') ? '#FFFFFF' : '#1C1C1C')

/** An end of a wire: a crimp (or bare strands), the joint in question, or somewhere that is only named. */
export type WireEnd =
  | { kind: 'crimp'; terminal: string | null; seal: string | null }
  | { kind: 'joint'; name: string }
  | { kind: 'elsewhere'; name: string }

type Props = {
  end: WireEnd
  /** Height of the wire's body. */
  heightPx: number
  isRight?: boolean
}

/** Less is no terminal any more: further an end does not give way to the engraving. */
const SHARE_MIN = 0.4

const COPPER = '#C77B3F'
const COPPER_DARK = '#8F5426'

/** Drawn for the left; the right is its mirror image. The wire begins at the right edge. */
export function WireEndDrawing({ end, heightPx, isRight = false }: Props) {
  const widthPx = end.kind === 'crimp' ? 88 : end.kind === 'joint' ? 64 : 28
  return (
    <svg
      viewBox={`0 0 ${widthPx} 48`}
      preserveAspectRatio="none"
      className={`h-full shrink ${isRight ? '-scale-x-100' : ''}`}
      style={{ width: widthPx, minWidth: SHARE_MIN * widthPx }}
      aria-hidden="true"
    >
      {end.kind === 'elsewhere' ? <GoesOn heightPx={heightPx} /> : <Strands from={widthPx} />}
      {end.kind === 'joint' && <Joint />}
      {end.kind === 'crimp' && end.terminal && <Terminal />}
      {end.kind === 'crimp' && end.seal && <Seal heightPx={heightPx} />}
    </svg>
  )
}

/** Strands laid bare by the stripping. */
const Strands = ({ from }: { from: number }) => (
  <g>
    <path d={`M${from} 17H34l-4 2 3 3-5 2 5 2-3 3 4 2h${from - 34}z`} fill={COPPER} />
    <path d={`M34 20.5H${from}M32 24H${from}M34 27.5H${from}`} stroke={COPPER_DARK} strokeWidth="1" fill="none" />
  </g>
)

const Joint = () => (
  <g fill={COPPER} stroke={COPPER_DARK} strokeWidth="1.25">
    <rect x="1" y="9" width="32" height="30" rx="4" />
    <path d="M8 13v22M14 13v22M20 13v22M26 13v22" fill="none" />
  </g>
)

const Terminal = () => (
  <g fill="var(--color-idle-fill)" stroke="var(--color-muted)" strokeWidth="1.25" strokeLinejoin="round">
    <path d="M4 15h26l5-3h5v24h-5l-5-3H4l-3-9z" />
    <path d="M9 20.5h17M9 27.5h17" fill="none" />
    <path d="M40 18h5v12h-5z" />
    <path d="M45 12h17v24H45z" />
    <path d="M50.5 12v24M56.5 12v24" fill="none" />
  </g>
)

/** Three ribs around the wire, as thick as it is and a little more. */
function Seal({ heightPx }: { heightPx: number }) {
  const ribs = [
    { x: 68, reach: 1 },
    { x: 75, reach: 4 },
    { x: 82, reach: 1 },
  ]
  return (
    <g fill="var(--color-muted)" stroke="var(--color-sunken)" strokeWidth="1">
      {ribs.map(({ x, reach }) => {
        const height = Math.min(48, heightPx + 2 * reach)
        return <rect key={x} x={x} y={24 - height / 2} width="6" height={height} rx="3" />
      })}
    </g>
  )
}

/** Cut off in the drawing only. */
const GoesOn = ({ heightPx }: { heightPx: number }) => (
  <g stroke="var(--color-edge)" strokeWidth="2" strokeDasharray="5 4" fill="none">
    <path d={`M28 ${24 - heightPx / 2 + 1}H2M28 ${24 + heightPx / 2 - 1}H2`} />
  </g>
)

import { gaugeText } from '../../../domain/acts/recording-form.ts'
import { printOn, wireColourName, wireColours } from '../../../domain/acts/wires.ts'
import { readNumber } from '../../../domain/text/numbers.ts'
import { formatCount, orDash } from '../../text/format.ts'
import { type WireEnd, WireEndDrawing } from './WireEndDrawing.tsx'
import { WirePaint } from './WirePaint.tsx'

export type Wire = {
  colour: string
  gauge: string
  marking: string
  barcode: string
  lengthMm?: number
  /** Side 1 is left, side 2 is right, everywhere. */
  left: WireEnd
  right: WireEnd
}

type Props = {
  wire: Wire
  /** The page already says in words beside it which wire it is. */
  isUncaptioned?: boolean
}

/** The wire as it lies on the bench, as thick as its gauge allows, with what is on its ends. */
export function WireDrawing({ wire, isUncaptioned = false }: Props) {
  const { colour, gauge, marking, barcode, lengthMm, left, right } = wire
  const [base] = wireColours(colour)
  return (
    <figure className="@container min-w-0 rounded-md bg-sunken px-3 py-2">
      <div role="img" aria-label={wireText(wire)} title={wireColourName(colour)} className="flex h-12 items-center">
        <WireEndDrawing end={left} heightPx={bodyPx(gauge)} />
        <WireBody colour={colour} gauge={gauge} marking={marking} />
        <WireEndDrawing end={right} heightPx={bodyPx(gauge)} isRight />
      </div>
      {!isUncaptioned && (
        <figcaption className="code grid grid-cols-2 items-start gap-x-4 text-sm text-muted @2xl:grid-cols-[1fr_auto_1fr]">
          <span className="break-words">{endText(left)}</span>
          <span className="order-last col-span-2 flex flex-wrap justify-center gap-x-3 @2xl:order-none @2xl:col-span-1">
            {base?.hex !== null && (
              <span className="font-semibold text-ink">{base ? colour.trim().toUpperCase() : '-'}</span>
            )}
            <span>{wireColourName(colour)}</span>
            <span className="whitespace-nowrap text-ink">{orDash(gaugeText(gauge))} mm²</span>
            {lengthMm !== undefined && <span className="whitespace-nowrap text-ink">{formatCount(lengthMm)} mm</span>}
            <span className="whitespace-nowrap">{orDash(barcode)}</span>
          </span>
          <span className="text-right break-words">{endText(right)}</span>
        </figcaption>
      )}
    </figure>
  )
}

/** Thicker by the root of the section, so that neighbours in a list are told apart and the largest still fits. */
function bodyPx(gauge: string): number {
  const mm2 = readNumber(gauge)
  return Number.isNaN(mm2) ? 30 : Math.round(Math.min(44, 24 + 9 * Math.sqrt(mm2)))
}

const endText = (end: WireEnd) => (end.kind === 'crimp' ? (end.terminal ?? 'Sem terminal') : orDash(end.name))

const endWords = (end: WireEnd, side: string) => {
  if (end.kind !== 'crimp') return `${side}: ${orDash(end.name)}`
  if (!end.terminal) return `${side}: sem terminal`
  return `${side}: terminal ${end.terminal}${end.seal ? ` com selo ${end.seal}` : ''}`
}

/** The drawing in words, for people who cannot see it. */
const wireText = ({ colour, gauge, marking, barcode, left, right }: Wire) =>
  [
    `Cabo ${wireColourName(colour).toLowerCase()}`,
    `${orDash(gaugeText(gauge))} mm²`,
    `gravação ${orDash(marking)}`,
    `código de barras ${orDash(barcode)}`,
    endWords(left, 'esquerda'),
    endWords(right, 'direita'),
  ].join(', ')

/** The longest that is printed three times along the wire. */
const SHORT_MARKING = 12
const printAt = ['50%', '16%', '84%']

function WireBody({ colour, gauge, marking }: Pick<Wire, 'colour' | 'gauge' | 'marking'>) {
  const [base, ...stripes] = wireColours(colour)
  const ink = base?.hex ? printOn(base.hex) : 'var(--color-ink)'
  const middle = ['50%', '36%', '30%'][stripes.length] ?? '26%'
  const print = marking.trim()
  return (
    <svg
      height={bodyPx(gauge)}
      className={`min-w-0 flex-1 rounded-sm ${base ? 'ring-1 ring-edge' : ''}`}
      aria-hidden="true"
    >
      <WirePaint code={colour} isPrinted />
      {base?.hex && (
        // Light from above: what makes a bar a wire.
        <>
          <rect width="100%" height="12%" fill="#FFFFFF" opacity="0.3" />
          <rect y="88%" width="100%" height="12%" fill="#000000" opacity="0.22" />
        </>
      )}
      {printAt.slice(0, print.length <= SHORT_MARKING ? 3 : 1).map((x, index) => (
        <text
          key={x}
          x={x}
          y={middle}
          textAnchor="middle"
          dominantBaseline="central"
          fill={ink}
          {...(base?.hex ? {} : { stroke: 'var(--color-sunken)', strokeWidth: 4, paintOrder: 'stroke' })}
          className={`code text-xs font-semibold tracking-widest ${index > 0 ? 'hidden @lg:block' : ''}`}
        >
          {print || (base ? '' : '-')}
        </text>
      ))}
    </svg>
  )
}

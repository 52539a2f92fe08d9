import { printOn, wireColourName, wireColours } from '../../../domain/acts/wires.ts'
import { gaugeText } from '../../../domain/forms/recording-form.ts'
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
  const heightPx = bodyPx(gauge)
  const print = marking.trim()
  return (
    <figure className="@container min-w-0 rounded-md bg-sunken px-3 py-2">
      <div role="img" aria-label={wireText(wire)} title={wireColourName(colour)} className="flex h-12 flex-col">
        <div className="flex min-h-0 flex-1 items-center">
          <WireEndDrawing end={left} heightPx={heightPx} />
          <WireBody colour={colour} heightPx={heightPx} print={print} />
          <WireEndDrawing end={right} heightPx={heightPx} isRight />
        </div>
        {print.length > SHORT && <PrintBelow print={print} />}
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

/** Of the drawing, in which ends and body are as high as their share of it. */
const HEIGHT_PX = 48

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

/** Longest engravings, of the widest letters: three times along a wide wire, once on each wire, once on a wide one. */
const REPEATED = 7
const SHORT = 9
const MEDIUM = 24

/** Beside the one in the middle. */
const repeatedAt = ['16%', '84%']

type BodyProps = { colour: string; heightPx: number; print: string }

/** Never narrower than its engraving: the ends give way. */
function WireBody({ colour, heightPx, print }: BodyProps) {
  const [base, ...stripes] = wireColours(colour)
  const top = ['50%', '36%', '30%'][stripes.length] ?? '26%'
  const style = { color: base?.hex ? printOn(base.hex) : 'var(--color-ink)', top }
  const look = `code -translate-y-1/2 px-1.5 text-xs font-semibold tracking-widest whitespace-nowrap ${base?.hex ? '' : 'bg-sunken'}`
  const room = print.length <= SHORT ? '' : print.length <= MEDIUM ? 'hidden @lg:block' : 'hidden'
  return (
    <div
      data-body
      className={`relative min-w-max flex-1 overflow-hidden rounded-sm ${base ? 'ring-1 ring-edge' : ''}`}
      style={{ height: `${(100 * heightPx) / HEIGHT_PX}%` }}
      aria-hidden="true"
    >
      <svg className="absolute size-full" aria-hidden="true">
        <WirePaint code={colour} isPrinted />
        {base?.hex && (
          // Light from above: what makes a bar a wire.
          <>
            <rect width="100%" height="12%" fill="#FFFFFF" opacity="0.3" />
            <rect y="88%" width="100%" height="12%" fill="#000000" opacity="0.22" />
          </>
        )}
      </svg>
      <span data-print="body" className={`relative mx-auto block w-max ${look} ${room}`} style={style}>
        {print || (base ? '' : '-')}
      </span>
      {print !== '' &&
        print.length <= REPEATED &&
        repeatedAt.map((left) => (
          <span
            key={left}
            data-print="body"
            className={`absolute hidden -translate-x-1/2 @lg:block ${look}`}
            style={{ ...style, left }}
          >
            {print}
          </span>
        ))}
    </div>
  )
}

/** Below the wire, with a leader, where the body has no room for it. */
const PrintBelow = ({ print }: { print: string }) => (
  <p
    data-print="below"
    aria-hidden="true"
    className={`code shrink-0 text-center text-xs font-semibold break-words ${print.length <= MEDIUM ? '@lg:hidden' : ''}`}
  >
    <span className="mx-auto block h-1 w-px bg-edge" />
    {print}
  </p>
)

import type { CutItem } from '../../../contract/items.ts'
import { sectionOf } from '../../../domain/recordings.ts'
import { wireColourName, wireColours } from '../../../domain/wires.ts'
import { formatCount } from '../../format.ts'

/** The wire as it will lie on the bench: side 1 left, side 2 right, with what is crimped on its ends. */
export function WireDrawing({ item }: { item: CutItem }) {
  const [left, right] = [sectionOf(item, 'l1'), sectionOf(item, 'l2')]
  return (
    <figure
      aria-label={`Cabo ${wireColourName(item.Z1_COR).toLowerCase()}, ${formatCount(item.Z1_COMPR)} mm`}
      className="rounded-md bg-sunken px-3 py-3"
    >
      <div className="flex items-center">
        <WireEnd terminal={left.terminal} seal={left.seal} />
        <WireBody colour={item.Z1_COR} marking={item.Z1_GRAVA} />
        <WireEnd terminal={right.terminal} seal={right.seal} isRight />
      </div>
      <figcaption className="code mt-1 flex justify-between gap-4 text-sm text-muted">
        <span>{left.terminal ?? 'Sem terminal'}</span>
        <span className="font-medium text-ink">{formatCount(item.Z1_COMPR)} mm</span>
        <span>{right.terminal ?? 'Sem terminal'}</span>
      </figcaption>
    </figure>
  )
}

function WireBody({ colour, marking }: { colour: string; marking: string }) {
  const [base, ...stripes] = wireColours(colour)
  return (
    <div
      className={`relative flex h-7 min-w-0 flex-1 items-center justify-center overflow-hidden rounded-sm ring-1 ring-edge ${base ? '' : 'border border-dashed border-edge'}`}
      style={{ background: base?.hex ?? 'var(--color-idle-fill)' }}
    >
      {base?.hex === null && <Hatch />}
      {stripes.map(({ code, hex }, index) => (
        <span
          key={code}
          className="absolute inset-x-0 border-y border-surface/60"
          style={{
            background: hex ?? 'var(--color-idle-fill)',
            height: stripes.length === 1 ? '25%' : '18%',
            top: `${(100 * (index + 1)) / (stripes.length + 1) - (stripes.length === 1 ? 12.5 : 9)}%`,
          }}
        />
      ))}
      {marking.trim() && (
        <span className="code relative truncate rounded-sm bg-surface/90 px-2 text-xs font-semibold tracking-widest text-ink">
          {marking}
        </span>
      )}
    </div>
  )
}

const Hatch = () => (
  <svg className="absolute inset-0 size-full text-surface" aria-hidden="true">
    <title>Cor desconhecida</title>
    <pattern id="hatch" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0v10" stroke="currentColor" strokeWidth="4" />
    </pattern>
    <rect width="100%" height="100%" fill="url(#hatch)" />
  </svg>
)

type EndProps = { terminal: string | null; seal: string | null; isRight?: boolean }

/** From the tip inwards: terminal (or the bare strands), crimp barrel, seal. */
const WireEnd = ({ terminal, seal, isRight }: EndProps) => (
  <svg
    viewBox="0 0 96 40"
    className={`h-10 w-24 shrink-0 max-md:w-16 ${isRight ? '-scale-x-100' : ''}`}
    preserveAspectRatio="xMaxYMid meet"
    aria-hidden="true"
  >
    <title>{terminal ? 'Terminal' : 'Ponta sem terminal'}</title>
    <path d="M40 15h56v10H40z" fill="#c77b3f" />
    <path d="M40 18.5h56M40 21.5h56" stroke="#8f5426" strokeWidth="0.75" />
    {terminal && (
      <g fill="var(--color-idle-fill)" stroke="var(--color-muted)" strokeWidth="1.25" strokeLinejoin="round">
        <path d="M4 14h26l4-3h6v18h-6l-4-3H4l-2-6z" />
        <path d="M46 10h16v20H46z" />
        <path d="M40 15h6v10h-6z" />
        <path d="M9 18h17" fill="none" />
      </g>
    )}
    {seal && (
      <g fill="var(--color-bad-fill)" stroke="var(--color-bad-ink)" strokeWidth="1">
        <rect x="70" y="9" width="6" height="22" rx="3" />
        <rect x="77" y="7" width="6" height="26" rx="3" />
        <rect x="84" y="9" width="6" height="22" rx="3" />
      </g>
    )}
  </svg>
)

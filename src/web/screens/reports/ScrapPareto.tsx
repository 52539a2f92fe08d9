import type { ScrapLine } from '../../../contract/scrap-reports.ts'
import { permilleText } from '../../../domain/reports/scrap-reports.ts'
import { formatCount } from '../../text/format.ts'
import { Card } from '../../ui/Page.tsx'

const BARS_MAX = 20
/** Two parts of five for names. */
const NAMES = 'minmax(0, 2fr)'
const BARS = 'minmax(0, 3fr)'

type Props = {
  title: string
  lines: readonly ScrapLine[]
  nameOf: (line: ScrapLine) => string
  /** With the line of the shares so far, which only means something from the largest bar on. */
  isCumulative: boolean
}

/** Middle of each bar, in thousandths of the chart. */
const pointsOf = (lines: readonly ScrapLine[]): string =>
  lines.map(({ acumulado }, at) => `${acumulado},${Math.round(((at + 0.5) * 1000) / lines.length)}`).join(' ')

/** Lying bars, each beside its name; the table beside them has the same numbers. */
export function ScrapPareto({ title, lines, nameOf, isCumulative }: Props) {
  const shown = lines.filter(({ pecas }) => pecas > 0).slice(0, BARS_MAX)
  const most = Math.max(1, ...shown.map(({ pecas }) => pecas))
  return (
    <Card>
      <figure aria-label={title} className="flex flex-col gap-3">
        <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
          {title}
          {isCumulative && <span className="text-sm font-normal text-muted">Linha: acumulado, até 100%</span>}
        </figcaption>
        <div className="relative grid" style={{ gridTemplateColumns: `${NAMES} ${BARS}`, columnGap: '0.75rem' }}>
          {shown.map((line) => (
            <Bar key={line.nome} name={nameOf(line)} share={line.pecas / most} pieces={line.pecas} />
          ))}
          {isCumulative && shown.length > 1 && (
            <svg
              aria-hidden
              viewBox="0 0 1000 1000"
              preserveAspectRatio="none"
              className="pointer-events-none absolute inset-y-0 right-0 h-full text-warn-ink"
              // as wide as the bars
              style={{ width: 'calc(60% - 0.45rem)' }}
            >
              <polyline
                points={pointsOf(shown)}
                fill="none"
                vectorEffect="non-scaling-stroke"
                strokeWidth={2}
                stroke="currentColor"
              />
            </svg>
          )}
        </div>
        <p className="sr-only">
          {shown.map((line) => `${nameOf(line)}: ${line.pecas}, acumulado ${permilleText(line.acumulado)}`).join('. ')}
        </p>
        {lines.length > shown.length && shown.length === BARS_MAX && (
          <p className="text-sm text-muted">O gráfico mostra os {BARS_MAX} maiores.</p>
        )}
      </figure>
    </Card>
  )
}

const Bar = ({ name, share, pieces }: { name: string; share: number; pieces: number }) => (
  <>
    <span className="flex min-h-9 items-center justify-end py-1 text-right text-sm wrap-anywhere">{name}</span>
    <span className="flex items-center gap-2 border-l border-edge">
      <span className="bg-brand" style={{ width: `${share * 80}%`, minWidth: 2, height: '1.5rem' }} />
      <span className="text-sm">{formatCount(pieces)}</span>
    </span>
  </>
)

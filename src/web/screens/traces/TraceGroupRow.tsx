import type { ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import { useSettings } from '../../parts/settings.ts'
import type { RowPlace } from '../../ui/Table.tsx'
import { TraceLink } from './TraceLink.tsx'
import type { Traced } from './trace-address.ts'
import type { TraceGroup } from './traces.ts'

type Props = { group: TraceGroup; current: Traced; place: RowPlace }

/** The head over the lines of one item: of which order it is, and where both are traced from. */
export function TraceGroupRow({ group, current, place }: Props) {
  const { plants } = useSettings()
  const { first, lines } = group
  const countText = lines.length === 1 ? '1 apontamento' : `${formatCount(lines.length)} apontamentos`
  return (
    <tr {...place} className="max-md:block">
      <th
        scope="rowgroup"
        colSpan={8}
        className="border-b border-line bg-sunken px-3 py-1 text-left font-normal lg:px-4 max-md:block max-md:rounded-lg max-md:border"
      >
        <span className="sticky left-3 lg:left-4 inline-flex max-w-[calc(100vw-4rem)] flex-wrap items-center gap-x-5">
          <Named name="Ordem">
            <TraceLink term={first.ordem} kind="ordem" current={current} />
          </Named>
          {first.posicao !== '' && (
            <Named name="Junção">
              <strong className="code inline-flex min-h-11 items-center">{first.posicao}</strong>
            </Named>
          )}
          {first.item !== '' && (
            <Named name="Item">
              <strong className="code inline-flex min-h-11 items-center">{first.item}</strong>
            </Named>
          )}
          {first.barras !== '' && (
            <Named name="Código de barras">
              <TraceLink term={first.barras} kind="barras" current={current} />
            </Named>
          )}
          <span className="text-sm text-muted">
            {plants.find(({ code }) => code === first.filial)?.label ?? first.filial} · {countText}
          </span>
        </span>
      </th>
    </tr>
  )
}

const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="inline-flex flex-wrap items-center gap-x-2">
    <span className="text-sm text-muted">{name}</span>
    {children}
  </span>
)

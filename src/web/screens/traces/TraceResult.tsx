import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { SubjectKind } from '../../../contract/containments.ts'
import { type Trace, type TraceFilter, type TraceKind, traces } from '../../../contract/traces.ts'
import { entriesOf } from '../../../domain/reports/trace-entries.ts'
import { kindLabels } from '../../../domain/reports/traces.ts'
import { SuspectLink } from '../../parts/containments/SuspectLink.tsx'
import { useSettings } from '../../parts/settings.ts'
import { SheetActions } from '../../parts/traces/SheetActions.tsx'
import { formatCount, formatRecentInstant } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { TraceTable } from './TraceTable.tsx'
import type { Traced } from './traces.ts'
import { groupEntries, keepTrace, type useTrace } from './traces.ts'

/** Read by the browser itself, as the server streams them: a sheet may have more lines than fit into a page's memory. */
const fileHref = (path: string, { term, kind }: Traced, filter: TraceFilter | null) =>
  `${path}?${new URLSearchParams({ termo: term, tipo: kind, ...(filter ? { filtro: filter } : {}) })}`

const TraceActions = ({ current, filter }: { current: Traced; filter: TraceFilter | null }) => (
  <SheetActions
    title="Folha de contenção"
    sheet={fileHref(traces.sheet.path, current, filter)}
    csv={fileHref(traces.csv.path, current, filter)}
    failureText="Não foi possível preparar a folha de contenção."
  />
)

const suspectKinds: Partial<Record<TraceKind, SubjectKind>> = {
  lote: 'lote',
  miniaplicador: 'ferramenta',
  maquina: 'maquina',
  instrumento: 'instrumento',
}

/** `branch`: where it was used last; a containment is of one plant, and names the others. */
function Suspects({ current: { term, kind }, branch }: { current: Traced; branch: string | undefined }) {
  const subject = suspectKinds[kind]
  if (!subject) return null
  return <SuspectLink subject={{ tipo: subject, termo: term, ...(branch ? { filial: branch } : {}) }} />
}

type Props = {
  current: Traced
  filter: TraceFilter | null
  trace: ReturnType<typeof useTrace>
  failure: ReactNode
}

export function TraceResult({ current, filter, trace, failure }: Props) {
  const { timeZone } = useSettings()
  const { data, dataUpdatedAt, refetch } = trace
  const pages = useMemo(() => data?.pages ?? [], [data])
  const groups = useMemo(
    () => groupEntries(pages.flatMap(({ linhas, amostras = [] }) => entriesOf(linhas, amostras))),
    [pages],
  )
  const { term, kind } = current
  useEffect(() => keepTrace({ term, kind }), [term, kind])
  const counts = data?.pages[0]?.contagens
  if (!counts) return null
  return (
    <section aria-label="Resultado" className="flex flex-col gap-4">
      {failure && (
        <Alert kind="warning" action={<Button onPress={() => void refetch()}>Tentar novamente</Button>}>
          Dados de {formatRecentInstant(new Date(dataUpdatedAt).toISOString(), timeZone)}. {failure}
        </Alert>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4 shadow-card">
        <h2 className="min-w-0">
          <span className="block text-sm font-medium text-muted">{kindLabels[kind]}</span>
          <span className="code block text-2xl font-semibold wrap-anywhere">{term}</span>
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:w-full">
          <Suspects current={current} branch={pages[0]?.linhas[0]?.filial} />
          <TraceActions current={current} filter={filter} />
        </div>
        <Counts counts={counts} />
      </div>
      <TraceTable groups={groups} current={current} />
      {pages.some(({ linhas }) => linhas.some(({ etapa }) => etapa === 'juncao')) && (
        <p className="text-sm text-muted">A montagem não é apontada aqui: avise a linha.</p>
      )}
      <MoreLines
        shown={pages.reduce((sum, { linhas }) => sum + linhas.length, 0)}
        samples={pages.reduce((sum, { amostras = [] }) => sum + amostras.length, 0)}
        total={counts.apontamentos}
        trace={trace}
      />
    </section>
  )
}

const figures = [
  { key: 'apontamentos', one: 'apontamento', many: 'apontamentos' },
  { key: 'itens', one: 'item', many: 'itens' },
  { key: 'ordens', one: 'ordem', many: 'ordens' },
  { key: 'pecas', one: 'peça', many: 'peças' },
] as const

const Counts = ({ counts }: { counts: Trace['contagens'] }) => (
  <ul className="flex w-full flex-wrap gap-x-12 gap-y-3 border-t border-line pt-3">
    {figures.map(({ key, one, many }) => (
      <li key={key} className="flex min-w-28 flex-col">
        <strong className="text-3xl">{formatCount(counts[key])}</strong>{' '}
        <span className="text-sm text-muted">{counts[key] === 1 ? one : many}</span>
      </li>
    ))}
  </ul>
)

type MoreProps = { shown: number; samples: number; total: number; trace: Props['trace'] }

/** Samples stand between the recordings that are counted. */
function shownText({ shown, samples, total }: Omit<MoreProps, 'trace'>, hasMore: boolean): string {
  const and = samples === 0 ? '' : ` e ${samples === 1 ? '1 medição' : `${formatCount(samples)} medições`}`
  if (hasMore)
    return `Mostrando ${formatCount(shown)} de ${formatCount(total)} apontamentos${and}, os mais novos primeiro.`
  if (shown === 0) return `Nenhum apontamento${and}.`
  if (shown === 1) return `Mostrando o único apontamento${and}.`
  return `Mostrando todos os ${formatCount(shown)} apontamentos${and}, os mais novos primeiro.`
}

function MoreLines({ trace, ...counts }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = trace
  const note = useRef<HTMLParagraphElement>(null)
  const isFailed = isFetchNextPageError && !isFetchingNextPage
  const showMore = async () => {
    const { hasNextPage: hasMore } = await fetchNextPage({ cancelRefetch: false })
    // The button is gone: the focus must not fall to nowhere.
    if (!hasMore) note.current?.focus()
  }
  return (
    <div className="flex flex-col items-center gap-2">
      <p ref={note} role="status" tabIndex={-1} className="text-sm text-muted">
        {isFailed ? 'Não foi possível carregar mais apontamentos.' : shownText(counts, hasNextPage)}
      </p>
      {hasNextPage && (
        <Button size="lg" busy={isFetchingNextPage} busyText="Carregando..." onPress={() => void showMore()}>
          {isFailed ? 'Tentar novamente' : 'Mostrar mais'}
        </Button>
      )}
    </div>
  )
}

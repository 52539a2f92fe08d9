import { Download, ExternalLink, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type Trace, type TraceFilter, traces } from '../../../contract/traces.ts'
import { kindLabels } from '../../../domain/traces.ts'
import { formatCount, formatRecentInstant } from '../../app/format.ts'
import { useSettings } from '../../parts/settings.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { TraceTable } from './TraceTable.tsx'
import type { Traced } from './traces.ts'
import { groupLines, keepTrace, type useTrace } from './traces.ts'

/** Read by the browser itself, as the server streams them: a sheet may have more lines than fit into a page's memory. */
const fileHref = (path: string, { term, kind }: Traced, filter: TraceFilter | null) =>
  `${path}?${new URLSearchParams({ termo: term, tipo: kind, ...(filter ? { filtro: filter } : {}) })}`

export function TraceActions({ current, filter }: { current: Traced; filter: TraceFilter | null }) {
  const sheet = fileHref(traces.sheet.path, current, filter)
  const [state, setState] = useState<'idle' | 'loading' | 'printing' | 'failed'>('idle')
  const [attempt, setAttempt] = useState(0)
  const prepare = () => {
    setAttempt(attempt + 1)
    setState('loading')
  }
  return (
    <>
      <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">
        <Button
          size="lg"
          icon={<Printer {...icon.md} />}
          busy={state === 'loading'}
          busyText="Preparando a folha..."
          onPress={prepare}
        >
          Folha de contenção
        </Button>
        {state === 'loading' ? (
          <Button size="lg" variant="quiet" onPress={() => setState('idle')}>
            Cancelar
          </Button>
        ) : (
          <ButtonLink href={sheet} target="_blank" variant="quiet" icon={<ExternalLink {...icon.md} />}>
            Abrir em nova aba
          </ButtonLink>
        )}
        <ButtonLink href={fileHref(traces.csv.path, current, filter)} download icon={<Download {...icon.md} />}>
          Exportar CSV
        </ButtonLink>
      </div>
      {state === 'failed' && (
        <div className="w-full">
          <Alert onDismiss={() => setState('idle')} action={<Button onPress={prepare}>Tentar novamente</Button>}>
            Não foi possível preparar a folha de contenção.
          </Alert>
        </div>
      )}
      {(state === 'loading' || state === 'printing') && (
        // Another frame each time: one that has its sheet already would not load again.
        <SheetFrame
          key={attempt}
          src={sheet}
          onPrint={() => setState('printing')}
          onFailure={() => setState('failed')}
        />
      )}
    </>
  )
}

type FrameProps = { src: string; onPrint: () => void; onFailure: () => void }

/** Not shown, but laid out: what is not displayed some browsers print as an empty page. */
function SheetFrame({ src, onPrint, onFailure }: FrameProps) {
  return (
    <iframe
      title="Folha de contenção"
      aria-hidden
      tabIndex={-1}
      src={src}
      onLoad={({ currentTarget: { contentDocument, contentWindow } }) => {
        if (!contentWindow || !isWhole(contentDocument)) return onFailure()
        onPrint()
        contentWindow.focus()
        contentWindow.print()
      }}
      className="invisible fixed size-px border-0"
    />
  )
}

/** A refusal is no sheet; one whose end is missing was cut off on the way, and would call safe what it leaves out. */
const isWhole = (sheet: Document | null) => sheet?.contentType === 'text/html' && sheet.getElementById('fim') !== null

type Props = {
  current: Traced
  filter: TraceFilter | null
  trace: ReturnType<typeof useTrace>
  failure: ReactNode
}

export function TraceResult({ current, filter, trace, failure }: Props) {
  const { timeZone } = useSettings()
  const { data, dataUpdatedAt, refetch } = trace
  const lines = useMemo(() => (data?.pages ?? []).flatMap(({ linhas }) => linhas), [data])
  const groups = useMemo(() => groupLines(lines), [lines])
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
        <TraceActions current={current} filter={filter} />
        <Counts counts={counts} />
      </div>
      <TraceTable groups={groups} current={current} />
      <MoreLines shown={lines.length} total={counts.apontamentos} trace={trace} />
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

type MoreProps = { shown: number; total: number; trace: Props['trace'] }

function MoreLines({ shown, total, trace }: MoreProps) {
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
        {isFailed
          ? 'Não foi possível carregar mais apontamentos.'
          : hasNextPage
            ? `Mostrando ${formatCount(shown)} de ${formatCount(total)} apontamentos, os mais novos primeiro.`
            : shown === 1
              ? 'Mostrando o único apontamento.'
              : `Mostrando todos os ${formatCount(shown)} apontamentos, os mais novos primeiro.`}
      </p>
      {hasNextPage && (
        <Button size="lg" busy={isFetchingNextPage} busyText="Carregando..." onPress={() => void showMore()}>
          {isFailed ? 'Tentar novamente' : 'Mostrar mais'}
        </Button>
      )}
    </div>
  )
}

import { ScanBarcode, SearchX, Waypoints } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import {
  TRACE_TERM_LENGTH_MAX,
  type Trace,
  type TraceFilter,
  type TraceKind,
  traceFilters,
} from '../../../contract/traces.ts'
import { cleanLot } from '../../../domain/forms/recording-form.ts'
import { filterLabels, kindLabels } from '../../../domain/reports/traces.ts'
import { unmarked } from '../../../domain/text/frames.ts'
import { useOpenRead } from '../../parts/containments/useOpenRead.ts'
import { Failure } from '../../parts/Failure.tsx'
import { takeTypedBadge } from '../../parts/scanner/badges.ts'
import { useScanAnswer } from '../../parts/scanner/useScanAnswer.ts'
import { useScanner } from '../../parts/scanner/useScanner.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Card, EmptyState } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { TextField, takeFocus } from '../../ui/TextField.tsx'
import { TraceResult } from './TraceResult.tsx'
import { recentTraces, type TraceRequest, useTrace, useTraceAddress } from './traces.ts'

const Hint = ({ onOpen }: { onOpen: (request: TraceRequest) => void }) => {
  const recent = recentTraces()
  return (
    <EmptyState
      icon={<Waypoints {...icon.xl} />}
      action={
        recent.length > 0 && (
          <div className="flex flex-wrap items-center justify-center gap-2">
            <span className="text-sm">Últimos:</span>
            {recent.map((traced) => (
              <Button
                key={traced.term}
                title={`${kindLabels[traced.kind]} ${traced.term}`}
                onPress={() => onOpen(traced)}
              >
                <span className="code max-w-64 truncate">{traced.term}</span>
              </Button>
            ))}
          </div>
        )
      }
    >
      Leia ou digite um lote, código de barras, ordem, mini aplicador, máquina ou instrumento para ver tudo o que foi
      feito com ele.
    </EmptyState>
  )
}

const NothingFound = ({ term }: { term: string }) => (
  <EmptyState icon={<SearchX {...icon.xl} />}>
    <span className="wrap-anywhere text-ink">Nenhum apontamento com "{term}".</span>
    <span className="mt-2 block text-base">
      Confira o código inteiro, com zeros e traços. O que um tablet sem rede apontou aparece aqui quando ele voltar à
      rede.
    </span>
  </EmptyState>
)

const nothingPassed: Record<TraceFilter, string> = {
  'fora-do-minimo': 'força abaixo do mínimo',
  'nao-medido': 'força ou altura não medida',
  'fora-do-plano': 'medição fora do plano de controle',
}

const NothingPassed = ({ filter, all }: { filter: TraceFilter; all: number }) => (
  <EmptyState icon={<SearchX {...icon.xl} />}>
    {all === 0
      ? 'Nenhuma medição tem'
      : all === 1
        ? 'O único apontamento não tem'
        : `Nenhum dos ${formatCount(all)} apontamentos tem`}{' '}
    {nothingPassed[filter]}.
  </EmptyState>
)

type TraceFormProps = {
  term: string
  onTermChange: (term: string) => void
  error: string | undefined
  onTrace: () => void
  isBusy: boolean
  boxRef: Ref<HTMLInputElement>
}

function TraceForm({ term, onTermChange, error, onTrace, isBusy, boxRef }: TraceFormProps) {
  return (
    <Card>
      <Form onSubmit={onTrace} className="flex flex-wrap items-start gap-4">
        <div className="min-w-72 flex-1 max-md:min-w-full">
          <TextField
            label="Lote, código de barras, ordem, mini aplicador ou máquina"
            placeholder="Leia a etiqueta ou digite"
            value={term}
            onChange={onTermChange}
            error={error}
            maxLength={TRACE_TERM_LENGTH_MAX}
            leading={<ScanBarcode {...icon.md} />}
            code
            inputRef={boxRef}
          />
        </div>
        <div className="max-md:w-full md:w-48 md:pt-6">
          <Button
            type="submit"
            variant="primary"
            wide
            icon={<Waypoints {...icon.md} />}
            busy={isBusy}
            busyText="Rastreando..."
          >
            Rastrear
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const chip =
  'min-h-11 rounded-full border border-edge bg-surface px-4 font-semibold hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink'

type FilterProps = { filter: TraceFilter | null; onFilter: (filter: TraceFilter | null) => void }

const FilterChoice = ({ filter, onFilter }: FilterProps) => (
  <fieldset className="flex flex-wrap items-center gap-2">
    <legend className="sr-only">Somente</legend>
    <span aria-hidden className="text-sm text-muted">
      Somente:
    </span>
    {traceFilters.map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === filter}
        onClick={() => onFilter(one === filter ? null : one)}
        className={chip}
      >
        {filterLabels[one]}
      </button>
    ))}
  </fieldset>
)

type Props = { found: Trace['encontrados']; kind: TraceKind | null; onChoose: (kind: TraceKind) => void }

/** Only where there is something to choose: the same text may be a lot and an order. */
function KindChoice({ found, kind, onChoose }: Props) {
  if (!found.some(({ tipo }) => tipo !== kind)) return null
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">Este código é</legend>
      <span aria-hidden className="text-sm text-muted">
        Este código é:
      </span>
      {found.map(({ tipo, apontamentos }) => (
        <button
          key={tipo}
          type="button"
          aria-pressed={tipo === kind}
          onClick={() => tipo !== kind && onChoose(tipo)}
          className={chip}
        >
          {kindLabels[tipo]} ({formatCount(apontamentos)})
        </button>
      ))}
    </fieldset>
  )
}

export function TracePanel() {
  const { term, kind, filter, open, onFilter } = useTraceAddress()
  const [typed, setTyped] = useState(term)
  const [isEmptySubmitted, setEmptySubmitted] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const openRead = useOpenRead()
  const trace = useTrace({ term, kind, filter })
  const { data, error, isFetching, isFetchingNextPage, isFetchNextPageError, refetch } = trace
  const first = data?.pages[0]

  // Also after a link or 'back': the box says what is shown, and what is scanned next replaces it.
  useEffect(() => {
    setTyped(term)
    const showing = requestAnimationFrame(() => {
      // A person walking along the tabs by keyboard keeps the focus there.
      if (document.activeElement?.matches('[role=tab]:focus-visible')) return
      takeFocus(box.current)
    })
    return () => cancelAnimationFrame(showing)
  }, [term])

  const traceTerm = (request: string) => {
    if (takeTypedBadge(request)) return setTyped('')
    if (openRead(request)) return
    // As lots are kept.
    const next = cleanLot(unmarked(request))
    setEmptySubmitted(next === '')
    takeFocus(box.current)
    if (next === '') return
    if (next === term) void refetch()
    else open({ term: next, kind: null })
  }
  const isFound = !error && first !== undefined && first.encontrados.length > 0
  const { noteScan } = useScanAnswer(trace, { term, isFound })
  useScanner((code, isFresh) => {
    setTyped(code)
    if (!isFresh) return
    noteScan(cleanLot(code))
    traceTerm(code)
  }, box)

  const isReading = isFetching && !isFetchingNextPage
  const failure = error && !isFetching && !isFetchNextPageError ? <Failure error={error} /> : null
  return (
    <div className="flex flex-col gap-4">
      <TraceForm
        term={typed}
        onTermChange={(text) => {
          setTyped(text)
          setEmptySubmitted(false)
        }}
        error={isEmptySubmitted ? 'Leia ou digite um código.' : undefined}
        onTrace={() => traceTerm(typed)}
        isBusy={isReading}
        boxRef={box}
      />
      {failure && !first && (
        <Alert action={<Button onPress={() => void refetch()}>Tentar novamente</Button>}>{failure}</Alert>
      )}
      {term === '' && <Hint onOpen={open} />}
      {first && (
        <KindChoice found={first.encontrados} kind={first.tipo} onChoose={(next) => open({ term, kind: next })} />
      )}
      {term !== '' && (filter || isFound) && <FilterChoice filter={filter} onFilter={onFilter} />}
      {term !== '' && !first && isReading && <Spinner>Rastreando...</Spinner>}
      {first && <Found term={term} filter={filter} first={first} trace={trace} failure={failure} />}
    </div>
  )
}

type FoundProps = {
  term: string
  filter: TraceFilter | null
  first: Trace
  trace: ReturnType<typeof useTrace>
  failure: ReactNode
}

function Found({ term, filter, first, trace, failure }: FoundProps) {
  const { tipo, encontrados, contagens, amostras = [] } = first
  if (tipo !== null && contagens.apontamentos + amostras.length > 0) {
    const current = { term, kind: tipo }
    return <TraceResult key={`${tipo} ${term}`} current={current} filter={filter} trace={trace} failure={failure} />
  }
  const known = encontrados.find((found) => found.tipo === tipo)
  const all = known?.apontamentos ?? 0
  return filter && known ? <NothingPassed filter={filter} all={all} /> : <NothingFound term={term} />
}

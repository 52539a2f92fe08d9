import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { type EndHistory, endHistories } from '../../../contract/end-histories.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { CUT_TEXT, endText } from '../../../domain/histories/end-histories.ts'
import { historySummary } from '../../../domain/histories/end-history-sheets.ts'
import { ReadingState } from '../../parts/ReadingState.tsx'
import { SheetActions } from '../../parts/traces/SheetActions.tsx'
import { useAddress } from '../../parts/useAddress.ts'
import { ApiError, errorText } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { links, traceSearch } from '../../text/links.ts'
import { Alert } from '../../ui/Alert.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { EntryTable } from './EntryTable.tsx'
import { PrintedHistory } from './PrintedHistory.tsx'
import { usePlantLabel, useShown } from './shown.ts'

type Place = NonNullable<Input<typeof endHistories.get>['query']>

/** The place in the address, which somebody may have typed. */
type Named = Partial<Omit<Place, 'parte'>> & { parte: string | null }

const fields = ['filial', 'codigoBarras', 'ordem', 'posicao'] as const

/** The server says what is wrong with an address that somebody has typed. */
function usePlace() {
  const { params } = useAddress()
  const named = fields.flatMap((field) => {
    const value = params.get(field)
    return value === null ? [] : [[field, value] as const]
  })
  const place: Named = { ...Object.fromEntries(named), parte: params.get('parte') }
  const isNamed = place.parte !== null && place.filial !== undefined
  return { place: place as Place, isNamed, act: params.get('ato') }
}

const fileHref = (path: string, place: Place) => `${path}?${new URLSearchParams(place as Record<string, string>)}`

/** Of an end that is unknown a server of this version says that nothing was done there. */
const failureOf = (error: Error) =>
  error instanceof ApiError && error.status === 404
    ? 'O servidor ainda não mostra a história da medição. Tente depois da atualização.'
    : errorText(error)

/** All that happened at one end, the oldest first. */
export function EndHistoryScreen() {
  const { place, isNamed, act } = usePlace()
  // a screen that is left sees the next one's address before it goes
  const reading = useQuery({ ...query(endHistories.get, { query: place }), enabled: isNamed })
  const { data } = reading
  return (
    <>
      <PageHeading title="História da medição" subtitle={data && <Where history={data} />} />
      {isNamed ? (
        <ReadingState reading={reading} loadingText="Carregando a história..." failureOf={failureOf} />
      ) : (
        <EmptyState icon={<History {...icon.xl} />}>Abra a história por um apontamento na Rastreabilidade.</EmptyState>
      )}
      {data && (
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
          <SheetActions
            title="Imprimir"
            sheet={fileHref(endHistories.sheet.path, place)}
            csv={fileHref(endHistories.csv.path, place)}
            failureText="Não foi possível preparar a história da medição."
          />
        </div>
      )}
      {data?.cortado && <Alert kind="warning">{CUT_TEXT}</Alert>}
      {data?.entradas.length === 0 && (
        <EmptyState icon={<History {...icon.xl} />}>Nada foi medido nem apontado aqui.</EmptyState>
      )}
      {data && data.entradas.length > 0 && (
        <>
          <Summary history={data} />
          <EntryTable history={data} act={act} />
          <PrintedHistory history={data} />
        </>
      )}
    </>
  )
}

/** As the printed sheet begins. */
function Summary({ history }: { history: EndHistory }) {
  const { momentText } = useShown(history)
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {historySummary(history, momentText).map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const link =
  'code inline-flex min-h-11 items-center font-medium text-brand-ink underline decoration-current/40 underline-offset-4 hover:decoration-current'

/** Which end, and where its order and item are traced from. */
function Where({ history: { extremo } }: { history: EndHistory }) {
  const { filial, ordem, item, codigoBarras, posicao, terminal } = extremo
  const plant = usePlantLabel(filial)
  const named = [posicao && `Posição ${posicao}`, item && `Item ${item}`, terminal && `Terminal ${terminal}`].filter(
    Boolean,
  )
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <strong className="text-ink">{endText(extremo)}</strong>
      {ordem !== '' && (
        <Link to={links.reports} search={traceSearch({ term: ordem, kind: 'ordem' })} className={link}>
          OP {ordem}
        </Link>
      )}
      {named.map((text) => (
        <span key={text}>{text}</span>
      ))}
      {codigoBarras !== '' && (
        <Link to={links.reports} search={traceSearch({ term: codigoBarras, kind: 'barras' })} className={link}>
          {codigoBarras}
        </Link>
      )}
      <span>{plant || filial}</span>
    </span>
  )
}

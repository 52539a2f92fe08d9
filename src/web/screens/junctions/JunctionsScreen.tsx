import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, Merge, PackageSearch } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { JUNCTION_ORDER_LENGTH_MAX, type Junction } from '../../../contract/junctions.ts'
import { isJunctionOpen, junctionPercent } from '../../../domain/acts/junction-balance.ts'
import { yesNoText } from '../../../domain/forms/junctions.ts'
import { unmarked } from '../../../domain/text/frames.ts'
import { useJunctionHere } from '../../acts/queue-db.ts'
import { failureText } from '../../parts/Failure.tsx'
import { cachedJunctionSearch, type JunctionSearch, useJunctionSearch } from '../../parts/lookups/junctions.ts'
import { useJunctionLists } from '../../parts/lookups/known.ts'
import { JunctionProduct } from '../../parts/lookups/ProductHeader.tsx'
import { SearchError } from '../../parts/lookups/SearchError.tsx'
import { orderField, SearchForm, useSearchPlant } from '../../parts/lookups/SearchForm.tsx'
import { SearchNote } from '../../parts/lookups/SearchNote.tsx'
import { type Stale, StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { junctionReading } from '../../parts/lookups/settled-readings.ts'
import { takeTypedBadge } from '../../parts/scanner/badges.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { useScanner } from '../../parts/scanner/useScanner.ts'
import { lasting } from '../../server/query.ts'
import { formatPercent, orDash } from '../../text/format.ts'
import { junctionDetailsPath } from '../../text/links.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import { takeFocus } from '../../ui/TextField.tsx'

/** `changed`: positions of which the ERP says otherwise than the copy that was shown. */
type Props = { search: JunctionSearch; items: readonly Junction[]; changed: ReadonlySet<string> }

const JunctionTable = ({ search, items, changed }: Props) => (
  <Table label="Junções">
    <TableHead>
      <Th sticky>Posição</Th>
      <Th>Terminal</Th>
      <Th>Grupo MP</Th>
      <Th>Estanqueidade</Th>
      <Th>Cabo Especial</Th>
      <Th>% Junção</Th>
      <Th align="right" stickyEnd>
        Detalhes
      </Th>
    </TableHead>
    <TableBody>
      {items.map((junction) => (
        <JunctionRow
          key={`${junction.Z8_POSICAO}|${junction.Z8_GRUPOMP}`}
          search={search}
          junction={junction}
          isFlashing={changed.has(junction.Z8_POSICAO)}
        />
      ))}
    </TableBody>
  </Table>
)

type RowProps = { search: JunctionSearch; junction: Junction; isFlashing: boolean }

function JunctionRow({ search, junction: read, isFlashing }: RowProps) {
  const navigate = useNavigate()
  const { junction, here } = useJunctionHere(search, read)
  const percent = junctionPercent(junction)
  return (
    <Row isFlashing={isFlashing}>
      <Td label="Posição" sticky>
        <strong className="code text-lg whitespace-pre md:max-lg:text-base">{orDash(junction.Z8_POSICAO)}</strong>
      </Td>
      <Td label="Terminal" isThird>
        <span className="code">{orDash(junction.Z8_TERMINA)}</span>
      </Td>
      <Td label="Grupo MP" isThird>
        <span className="code">{orDash(junction.Z8_GRUPOMP)}</span>
      </Td>
      <Td label="Estanqueidade" isThird>
        {yesNoText(junction.Z8_ESTANQU)}
      </Td>
      <Td label="Cabo Especial" isThird>
        {yesNoText(junction.Z8_CABOESP)}
      </Td>
      <Td label="% Junção" isThird>
        <ProgressBar
          label="% Junção"
          percent={percent}
          text={formatPercent(percent)}
          note={here > 0 ? 'aguardando envio' : junction.aguardandoErp > 0 ? 'aguardando ERP' : undefined}
        />
      </Td>
      <Td align="right" stickyEnd>
        <Button
          variant="quiet"
          size="tight"
          aria-label={`Detalhes da junção ${junction.Z8_POSICAO}`}
          onPress={() => void navigate({ href: junctionDetailsPath(search.plant, search.order, junction.Z8_POSICAO) })}
        >
          <span className="md:hidden">Detalhes</span>
          <ArrowRight {...icon.md} />
        </Button>
      </Td>
    </Row>
  )
}

const EMPTY_ORDER_MESSAGE = 'Digite uma ordem de produção válida'
const BARCODE_MESSAGE = 'Para Junções, utilize apenas ordem de produção (não código de barras)'

const nothing: JunctionSearch = { plant: '', order: '' }

export function JunctionsScreen() {
  const [search, setSearch] = useState<JunctionSearch | null>(() => cachedJunctionSearch()?.search ?? null)
  const [order, setOrder] = useState(search?.order ?? '')
  const [orderError, setOrderError] = useState<string>()
  const place = useSearchPlant(search?.plant)
  const box = useRef<HTMLInputElement>(null)
  const focusBox = () => takeFocus(box.current)
  useEffect(() => box.current?.select(), [])

  const { data, error, errorUpdateCount, isFetching, refetch, stale, changed } = useJunctionSearch(search ?? nothing)

  const searchFor = (wantedOrder: string) => {
    focusBox()
    if (takeTypedBadge(wantedOrder)) return setOrder('')
    const next = { plant: place.plant, order: unmarked(wantedOrder) }
    setOrderError(next.order === '' ? EMPTY_ORDER_MESSAGE : undefined)
    if (next.order === '') return
    if (next.order === search?.order && next.plant === search.plant) void refetch()
    else setSearch(next)
  }
  // The box would cut it down to something that looks like an order.
  useScanner((_, isFresh) => {
    setOrder('')
    setOrderError(BARCODE_MESSAGE)
    if (isFresh) playSound('bad')
    focusBox()
  }, box)

  return (
    <>
      <PageHeading title="Junções" subtitle="Pesquise e aponte as junções de uma ordem de produção" />
      <SearchForm
        {...orderField}
        term={order}
        onTermChange={(typed) => {
          setOrder(typed)
          setOrderError(undefined)
        }}
        error={orderError}
        maxLength={JUNCTION_ORDER_LENGTH_MAX}
        {...place}
        onSearch={() => !isFetching && searchFor(order)}
        isBusy={isFetching}
        inputRef={box}
      />
      {error && !isFetching && (
        <SearchError
          key={errorUpdateCount}
          text={failureText(error, 'Erro ao obter junções do sistema')}
          onRetry={() => searchFor(search?.order ?? '')}
          onGone={focusBox}
        />
      )}
      {search && <SearchNote term={search.order} plant={search.plant} isUpdating={isFetching && data !== undefined} />}
      {data && search && <Results search={search} items={data.items} stale={stale} changed={changed} />}
      {!data && isFetching && <Spinner>Buscando junções no ERP...</Spinner>}
      {!search && (
        <EmptyState icon={<Merge {...icon.xl} className="rotate-90" />}>
          Digite uma ordem de produção e clique em "Pesquisar" para buscar junções.
        </EmptyState>
      )}
    </>
  )
}

/** Reads ahead what the forms of an order's junctions need, one junction after another: the next one needs no network. */
function useWarmJunctions({ plant, order }: JunctionSearch, found: readonly Junction[]): void {
  const client = useQueryClient()
  useJunctionLists(found.length > 0 ? plant : '')
  const open = JSON.stringify(found.filter(isJunctionOpen).map(({ Z8_POSICAO }) => Z8_POSICAO))
  useEffect(() => {
    const warm = async () => {
      for (const position of JSON.parse(open) as string[]) {
        await client.prefetchQuery({ ...junctionReading({ plant, order, position }), ...lasting })
      }
    }
    void warm()
  }, [client, plant, order, open])
}

function Results({ stale, search, ...table }: Props & { stale: Stale }) {
  const first = table.items[0]
  const order = first?.ordem ?? search.order
  useWarmJunctions({ ...search, order }, table.items)
  return (
    <>
      <StaleNote {...stale} />
      {first ? (
        <>
          <JunctionProduct junction={first} />
          <JunctionTable {...table} search={{ ...search, order }} />
        </>
      ) : (
        <EmptyState icon={<PackageSearch {...icon.xl} />}>
          Nenhuma junção encontrada para a ordem de produção informada.
        </EmptyState>
      )}
    </>
  )
}

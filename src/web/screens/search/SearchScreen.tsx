import { useNavigate } from '@tanstack/react-router'
import { ChevronRight, PackageSearch, ScanBarcode } from 'lucide-react'
import { memo, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type CutItem, type Part, SEARCH_TERM_LENGTH_MAX } from '../../../contract/items.ts'
import { unmarked } from '../../../domain/text/frames.ts'
import { isSameCode } from '../../../domain/text/spellings.ts'
import { useItemHere } from '../../acts/queue-db.ts'
import { deferred } from '../../device/deferred.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { nextFrame } from '../../device/turns.ts'
import { lateExtra } from '../../parts/Late.tsx'
import { ItemCells, ItemHeads } from '../../parts/lookups/ItemCells.tsx'
import {
  type ItemSearch,
  keepItemSearch,
  lastItemSearch,
  takeUnanswered,
  useItemSearch,
} from '../../parts/lookups/items.ts'
import { useWarmLists } from '../../parts/lookups/known.ts'
import { ProductHeader } from '../../parts/lookups/ProductHeader.tsx'
import { SearchError } from '../../parts/lookups/SearchError.tsx'
import { SearchForm, useSearchPlant } from '../../parts/lookups/SearchForm.tsx'
import { SearchNote } from '../../parts/lookups/SearchNote.tsx'
import { type Stale, StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { takeTypedBadge } from '../../parts/scanner/badges.ts'
import { useScanAnswer } from '../../parts/scanner/useScanAnswer.ts'
import { useScanner } from '../../parts/scanner/useScanner.ts'
import { errorText, Unreachable } from '../../server/api.ts'
import { EDITING_ITEM_KEY, links } from '../../text/links.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { takeFocus } from '../../ui/TextField.tsx'
import { OtherPlants } from './OtherPlants.tsx'
import { useOutsideHere } from './outside-here.ts'
import { StageChips, useStages } from './StageChips.tsx'

/** `changed`: what the ERP says otherwise than the copy that was shown. */
type TableProps = { items: readonly CutItem[]; flashing: string | null; changed: ReadonlySet<string> }

const SoughtMeaning = lateExtra(
  deferred(async () => (await import('../../parts/scanner/SoughtMeaning.tsx')).SoughtMeaning),
)

/** The item that was opened last from a list of this tab: whoever comes back finds the place. */
const OPENED_KEY = 'cut-crimp-opened'

function ItemTable({ items, flashing, changed }: TableProps) {
  const [opened] = useState(() => readFromTab(OPENED_KEY))
  const shownKey = flashing ?? (typeof opened === 'string' ? opened : null)
  const outside = useOutsideHere(items[0]?.Z1_FILIAL ?? '')
  return (
    <Table label="Itens" rowCount={items.length + 1}>
      <TableHead>
        <ItemHeads />
        <Th align="right" stickyEnd>
          DETALHES
        </Th>
      </TableHead>
      <LongRows items={items} keyOf={(item) => item.Z1_CODBAR} shownKey={shownKey}>
        {(item, place) => (
          <ItemRow
            item={item}
            outside={outside.get(item.Z1_CODBAR)}
            isFlashing={isSameCode(item.Z1_CODBAR, flashing ?? '') || changed.has(item.Z1_CODBAR)}
            {...place}
          />
        )}
      </LongRows>
    </Table>
  )
}

type RowProps = {
  item: CutItem
  /** Ends that this device has recorded outside their plan. */
  outside: Part[] | undefined
  isFlashing: boolean
} & RowPlace

function useOpenItem() {
  const navigate = useNavigate()
  return (item: CutItem) => {
    writeToTab(EDITING_ITEM_KEY, item)
    writeToTab(OPENED_KEY, item.Z1_CODBAR)
    void navigate({ to: links.itemEdit, state: { item } })
  }
}

/** Opens the item where a search finds exactly one. The way back leads to the list of its order. */
function useOpenOnly([only, ...others]: readonly CutItem[], box: RefObject<HTMLInputElement | null>) {
  const openItem = useOpenItem()
  return async () => {
    if (!only || others.length > 0) return
    keepItemSearch({ plant: only.Z1_FILIAL, term: only.Z1_OP })
    // what was found is painted before a form is drawn
    await nextFrame()
    // else somebody has gone elsewhere meanwhile, or is on the way: this screen stays until the script of the next one has come
    if (box.current && window.location.pathname === links.cutCrimp) openItem(only)
  }
}

const ItemRow = memo(function ItemRow({ item: read, outside = [], isFlashing, ...place }: RowProps) {
  const openItem = useOpenItem()
  const { item, here } = useItemHere(read)
  const foraDoPlano = [...(item.foraDoPlano ?? []), ...outside]
  return (
    <Row place={place} isFlashing={isFlashing} onPress={() => openItem(read)}>
      <ItemCells item={{ ...item, foraDoPlano }} here={here} />
      <Td align="right" stickyEnd>
        {/* Its press is the row's. */}
        <Button variant="quiet" size="tight" aria-label={`Ver detalhes do item ${item.Z1_ITEMEST}`}>
          <span className="md:@max-[60rem]:whitespace-normal">Ver detalhes</span>
          <ChevronRight {...icon.sm} className="md:@max-[60rem]:hidden" />
        </Button>
      </Td>
    </Row>
  )
})

const itemField = {
  label: 'Código de barras ou ordem de produção',
  placeholder: 'Código de barras (22 caracteres) ou ordem de produção',
  maxLength: SEARCH_TERM_LENGTH_MAX,
  leading: <ScanBarcode {...icon.md} />,
}

const EMPTY_TERM_MESSAGE = 'Leia ou digite um código.'

const nothing: ItemSearch = { plant: '', term: '' }

/** The typed fields, the plant, and the last search. */
function useSearchForm() {
  const [search, setSearch] = useState(lastItemSearch)
  const [term, setTerm] = useState(search?.term ?? '')
  const place = useSearchPlant(search?.plant)
  const [problem, setProblem] = useState<string>()
  const box = useRef<HTMLInputElement>(null)
  const focusBox = () => takeFocus(box.current)
  // Once the screen is drawn: asked for sooner, the focus makes a browser lay out all of it in the same breath.
  useEffect(() => {
    const timer = setTimeout(() => {
      // somebody who was quicker types there already: nothing of it is to be replaced
      if (document.activeElement === box.current) return
      // the list may have come back to its place
      takeFocus(box.current, { preventScroll: true })
    })
    return () => clearTimeout(timer)
  }, [])

  /** `refetch`: what was searched last is asked for again. */
  const searchFor = (typed: string, refetch: () => unknown, at = place.plant) => {
    focusBox()
    if (takeTypedBadge(typed)) return setTerm('')
    const next: ItemSearch = { plant: at, term: unmarked(typed) }
    setProblem(next.term === '' ? EMPTY_TERM_MESSAGE : undefined)
    if (next.term === '') return
    place.onPlantChange(at)
    keepItemSearch(next)
    if (next.term === search?.term && next.plant === search.plant) void refetch()
    else setSearch(next)
  }
  const type = (typed: string) => {
    setTerm(typed)
    setProblem(undefined)
  }
  return { search, term, type, place, problem, box, focusBox, searchFor }
}

function useReadElsewhere(answer: (code: string) => void): void {
  const take = useEffectEvent(() => {
    const code = takeUnanswered()
    if (code !== null) answer(code)
  })
  useEffect(() => take(), [])
}

export function SearchScreen() {
  const { search, term, type, place, problem, box, focusBox, ...form } = useSearchForm()
  const reading = useItemSearch(search ?? nothing)
  const { data, error, errorUpdateCount, isFetching, refetch, stale, answer, changed } = reading
  const searchFor = (typed: string, at?: string) => form.searchFor(typed, refetch, at)
  const isAnswered = !error || error instanceof Unreachable
  const isFound = isAnswered && data !== undefined && data.items.length > 0
  const [otherTerm, setOtherTerm] = useState<string | null>(null)
  const shown = { term: search?.term ?? '', isFound, onFound: useOpenOnly(data?.items ?? [], box) }
  const { flashing, noteScan } = useScanAnswer(answer, shown)
  const answerScan = (code: string) => {
    noteScan(code)
    searchFor(code)
  }
  useScanner((code, isFresh) => {
    type(code)
    if (isFresh) answerScan(code)
  }, box)
  useReadElsewhere(answerScan)

  return (
    <>
      <PageHeading title="Apontamento de Corte e Crimpagem" subtitle="Pesquise e aponte os itens de produção do ERP" />
      <SearchForm
        {...itemField}
        term={term}
        onTermChange={type}
        error={problem}
        {...place}
        onSearch={() => searchFor(term)}
        isBusy={isFetching}
        inputRef={box}
      />
      {error && !isFetching && (
        <SearchError
          key={errorUpdateCount}
          text={errorText(error)}
          onRetry={() => searchFor(search?.term ?? '')}
          onGone={focusBox}
        />
      )}
      {search && (
        <SearchNote
          term={search.term}
          plant={search.plant}
          isUpdating={isFetching && data !== undefined}
          isOther={otherTerm === search.term}
        />
      )}
      {data && search && (
        <Results
          key={`${search.plant} ${search.term}`}
          search={search}
          items={data.items}
          stale={stale}
          flashing={flashing}
          changed={changed}
          onSearchAt={(at) => searchFor(search.term, at)}
          onKnown={setOtherTerm}
        />
      )}
      {!data && isFetching && <Spinner>Buscando itens no ERP...</Spinner>}
      {!data && !isFetching && (
        <EmptyState icon={<ScanBarcode {...icon.xl} />}>
          Digite um código de barras ou ordem de produção e clique em "Pesquisar" para buscar itens.
        </EmptyState>
      )}
    </>
  )
}

type ResultsProps = TableProps & {
  search: ItemSearch
  stale: Stale
  onSearchAt: (plant: string) => void
  onKnown: (term: string) => void
}

function Results({ search, items, stale, onSearchAt, onKnown, ...table }: ResultsProps) {
  const { shown, ...stages } = useStages(items, `${search.plant} ${search.term}`)
  const [first] = items
  useWarmLists(first?.Z1_FILIAL ?? '')
  return (
    <>
      <StaleNote {...stale} />
      {first ? (
        <>
          <ProductHeader product={first} />
          {items.length > 1 && <StageChips {...stages} />}
          <ItemTable {...table} items={shown} />
        </>
      ) : (
        <>
          <OtherPlants search={search} onSearchAt={onSearchAt} />
          <EmptyState icon={<PackageSearch {...icon.xl} />} action={<SoughtMeaning {...search} onKnown={onKnown} />}>
            Nenhum item encontrado para os critérios de pesquisa informados.
          </EmptyState>
        </>
      )}
    </>
  )
}

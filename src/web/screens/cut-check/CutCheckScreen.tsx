import { PackageCheck, PackageSearch } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { failureText } from '../../parts/failure-text.ts'
import { OrderSearchForm } from '../../parts/OrderSearchForm.tsx'
import { ProductHeader } from '../../parts/ProductHeader.tsx'
import { SearchError } from '../../parts/SearchError.tsx'
import { SearchNote } from '../../parts/SearchNote.tsx'
import { StaleNote } from '../../parts/StaleNote.tsx'
import { useSettings } from '../../parts/settings.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { EmptyState, PageHeading } from '../../ui/Page.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { CheckProgress } from './CheckProgress.tsx'
import { CheckTable } from './CheckTable.tsx'
import { CodeForm } from './CodeForm.tsx'
import { useCheckSearch } from './check-search.ts'
import { checkedItems } from './checked-items.ts'
import { orderProblem } from './order.ts'
import { ReceiptDialog } from './ReceiptDialog.tsx'
import { useReceipts } from './receipts.ts'

/** What went wrong last; the same words again are a new one. */
type Problem = { text: string; id: number }

export function CutCheckScreen() {
  const { plants } = useSettings()
  const check = useCheckSearch()
  const { search, list, isFetching } = check
  const [order, setOrder] = useState(search?.order ?? '')
  const [chosenPlant, setPlant] = useState(search?.plant)
  const [problem, setProblem] = useState<Problem | null>(null)
  const orderBox = useRef<HTMLInputElement>(null)
  const plant = chosenPlant ?? plants[0]?.code ?? ''
  const tell = (text: string | null) =>
    setProblem((before) => (text === null ? null : { text, id: (before?.id ?? 0) + 1 }))
  const receipts = useReceipts({
    branch: search?.plant ?? '',
    items: list?.items ?? [],
    markReceived: check.markReceived,
    onProblem: tell,
  })
  const { focusBox } = receipts
  // Where the next scan belongs: to the list once there is one.
  const hasItems = (list?.items.length ?? 0) > 0
  useEffect(() => {
    if (hasItems) focusBox()
  }, [hasItems, focusBox])

  const searchNow = () => {
    const wrong = orderProblem(order)
    tell(wrong)
    orderBox.current?.focus()
    orderBox.current?.select()
    if (!wrong) check.searchFor({ plant, order: order.trim() })
  }
  const searchFailed = check.error && !list && !isFetching

  return (
    <>
      <PageHeading title="Conferência de Corte" subtitle="Pesquise e confira os itens de produção do ERP" />
      <OrderSearchForm
        order={order}
        onOrderChange={setOrder}
        plant={plant}
        plants={plants}
        onPlantChange={setPlant}
        onSearch={searchNow}
        isBusy={isFetching && !list}
        boxRef={orderBox}
      />
      <CodeForm {...receipts.form} isBusy={receipts.isBusy} />
      {problem && <SearchError key={`problem ${problem.id}`} text={problem.text} onGone={() => receipts.focusBox()} />}
      {searchFailed && (
        <SearchError
          key={`search ${check.errorUpdateCount}`}
          text={failureText(check.error, 'Erro ao buscar itens no Protheus')}
          onRetry={() => search && check.searchFor(search)}
          onGone={() => orderBox.current?.focus()}
        />
      )}
      {search && <SearchNote term={search.order} plant={search.plant} isUpdating={isFetching && list !== undefined} />}
      {list && <Results list={list} isOutdated={check.error !== null && !isFetching} receipts={receipts} />}
      {!list && isFetching && <Spinner>Carregando itens do Protheus...</Spinner>}
      {!search && (
        <EmptyState icon={<PackageCheck {...icon.xl} />}>
          Digite uma ordem de produção e clique em "Pesquisar" para buscar itens.
        </EmptyState>
      )}
      {receipts.asked && <ReceiptDialog {...receipts.asked} />}
    </>
  )
}

type ResultsProps = {
  list: NonNullable<ReturnType<typeof useCheckSearch>['list']>
  isOutdated: boolean
  receipts: ReturnType<typeof useReceipts>
}

function Results({ list: { items, dadosDe }, isOutdated, receipts }: ResultsProps) {
  const first = items[0]
  const checked = useMemo(() => checkedItems(items, receipts.here), [items, receipts.here])
  return (
    <>
      <StaleNote readAt={dadosDe} />
      {isOutdated && (
        <p role="status" className="text-sm text-muted">
          Não foi possível atualizar a lista. O recebimento pode ter mudado.
        </p>
      )}
      {first ? (
        <>
          <ProductHeader product={first} />
          <CheckProgress checked={checked} />
          <CheckTable items={checked} flashing={receipts.flashing} />
        </>
      ) : (
        <EmptyState icon={<PackageSearch {...icon.xl} />}>
          Nenhum item encontrado para os critérios de pesquisa informados.
        </EmptyState>
      )}
    </>
  )
}

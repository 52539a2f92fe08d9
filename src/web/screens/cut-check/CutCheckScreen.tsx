import { CircleCheck, CircleDashed, CloudUpload, PackageCheck, PackageSearch, ScanBarcode } from 'lucide-react'
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { orderProblem } from '../../../domain/acts/check-orders.ts'
import { completionPercent, gaugeText, isSectionOpen } from '../../../domain/forms/recording-form.ts'
import { KeepContained, SuspectBanner } from '../../parts/containments/SuspectsAtWork.tsx'
import { failureText } from '../../parts/Failure.tsx'
import { Barcode, ItemCells, ItemHeads } from '../../parts/lookups/ItemCells.tsx'
import { ProductHeader } from '../../parts/lookups/ProductHeader.tsx'
import { SearchError } from '../../parts/lookups/SearchError.tsx'
import { orderField, SearchForm, useSearchPlant } from '../../parts/lookups/SearchForm.tsx'
import { SearchNote } from '../../parts/lookups/SearchNote.tsx'
import { StaleNote } from '../../parts/lookups/StaleNote.tsx'
import { Denied, useMay } from '../../parts/permissions.tsx'
import { WirePaint } from '../../parts/wires/WirePaint.tsx'
import { formatCount, formatPercent } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Card, EmptyState, PageHeading } from '../../ui/Page.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Spinner, SpinnerMark } from '../../ui/Spinner.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { TextField, takeFocus } from '../../ui/TextField.tsx'
import { type CheckedItem, checkedItems, missingText, useCheckSearch } from './check-search.ts'
import { useReceipts } from './receipts.ts'

type CheckTableProps = { items: readonly CheckedItem[]; flashing: string | null }

/** Not drawn anew with each key that a scanner types above it. */
const CheckTable = memo(function CheckTable({ items, flashing }: CheckTableProps) {
  return (
    <Table label="Itens" rowCount={items.length + 1}>
      <TableHead>
        <ItemHeads />
        <Th stickyEnd>RECEBIMENTO</Th>
      </TableHead>
      <LongRows items={items} keyOf={({ item }) => item.Z1_CODBAR} shownKey={flashing}>
        {(checked, place) => <CheckRow checked={checked} isFlashing={checked.item.Z1_CODBAR === flashing} {...place} />}
      </LongRows>
    </Table>
  )
})

type RowProps = { checked: CheckedItem; isFlashing: boolean } & RowPlace

const CheckRow = memo(function CheckRow({ checked, isFlashing, ...place }: RowProps) {
  return (
    <Row place={place} isFlashing={isFlashing}>
      <ItemCells item={checked.item} />
      <Td label="RECEBIMENTO" stickyEnd>
        <ReceiptMark receipt={checked.receipt} />
      </Td>
    </Row>
  )
})

const marks = {
  open: { Icon: CircleDashed, tone: 'text-muted', text: 'Não recebido', note: '' },
  confirmed: { Icon: CircleCheck, tone: 'text-ok-ink', text: 'Recebido', note: '' },
  atServer: { Icon: CircleCheck, tone: 'text-ok-ink', text: 'Recebido', note: 'aguardando ERP' },
  here: { Icon: CloudUpload, tone: 'text-ok-ink', text: 'Recebido', note: 'aguardando envio' },
}

function ReceiptMark({ receipt }: { receipt: CheckedItem['receipt'] }) {
  const { Icon, tone, text, note } = marks[receipt]
  return (
    <span className="inline-flex flex-col">
      <span
        className={`inline-flex items-center gap-x-2 font-medium whitespace-nowrap md:max-lg:flex-col md:max-lg:items-start md:max-lg:text-sm md:max-lg:whitespace-normal ${tone}`}
      >
        <Icon {...icon.md} className="shrink-0" />
        {text}
      </span>
      {note && <span className="text-xs text-muted">{note}</span>}
    </span>
  )
}

type ReceiptDialogProps = {
  item: CutItem
  isReceived: boolean
  /** Another code that was read meanwhile. */
  interrupting: string | null
  onYes: () => void
  onNo: () => void
}

/** Dialog about the item held in the hand, to be compared with what the list says of it. */
const ReceiptDialog = ({ item, isReceived, interrupting, onYes, onNo }: ReceiptDialogProps) => (
  <ConfirmDialog
    title="Confirmar Recebimento"
    kind="success"
    confirmText="Sim"
    cancelText="Não"
    isAnswer
    onConfirm={onYes}
    onClose={onNo}
  >
    <p className="text-lg">
      Deseja confirmar o recebimento do Item {item.Z1_ITEMEST} {item.Z1_COR.toUpperCase()} {gaugeText(item.Z1_BITOLA)}{' '}
      {item.Z1_GRAVA}?
    </p>
    <p className="flex flex-wrap items-center gap-x-6 gap-y-1 text-lg">
      {/* the question has its name */}
      <svg viewBox="0 0 72 24" className="h-6 w-18 shrink-0 rounded-sm ring-1 ring-edge" aria-hidden="true">
        <WirePaint code={item.Z1_COR} />
      </svg>
      <span className="code">
        <Barcode of={item} />
      </span>
    </p>
    {isSectionOpen(item, 'cabo') && (
      <Alert kind="warning">Corte {formatPercent(completionPercent(item, 'cabo'))}</Alert>
    )}
    {isReceived && <Alert kind="warning">Este item já foi recebido.</Alert>}
    <SuspectBanner
      isPlain
      place={{ branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR, order: item.Z1_OP, position: '' }}
    />
    {interrupting && (
      <Alert>
        Outro código foi lido: <strong className="code">{interrupting}</strong>. Responda primeiro e depois leia
        novamente.
      </Alert>
    )}
  </ConfirmDialog>
)

type Props = {
  code: string
  type: (text: string) => void
  enter: () => void
  box: RefObject<HTMLInputElement | null>
  isBusy: boolean
}

/** Where the scanner types. The 22nd character is enough; Enter is for who types by hand. */
function CodeForm({ code, type, enter, box, isBusy }: Props) {
  return (
    <Card>
      <Form onSubmit={enter}>
        <TextField
          label="Código de barras"
          value={code}
          onChange={type}
          placeholder="Leia ou digite o código de barras (22 caracteres)"
          maxLength={BARCODE_LENGTH}
          leading={<ScanBarcode {...icon.md} />}
          code
          inputRef={box}
          tag={
            isBusy && (
              <span role="status" className="animate-late flex items-center gap-2 text-sm text-muted">
                <SpinnerMark />
                Confirmando recebimento...
              </span>
            )
          }
        />
      </Form>
    </Card>
  )
}

/** How much of the order has been received, and what is missing: read from across the hall. */
function CheckProgress({ checked }: { checked: readonly CheckedItem[] }) {
  const received = checked.filter(({ receipt }) => receipt !== 'open').length
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-2">
        <div className="min-w-64 grow basis-64 text-2xl">
          <ProgressBar
            label="Recebimento"
            percent={(100 * received) / checked.length}
            text={`${formatCount(received)} de ${formatCount(checked.length)} recebidos`}
          />
        </div>
        <p className="code min-w-0 grow-2 basis-96 max-md:basis-full">
          {missingText(checked) ?? 'Nada falta: tudo recebido.'}
        </p>
      </div>
    </Card>
  )
}

/** The last thing that went wrong; the same words again are a new one. */
type Problem = { text: string; hint?: string | undefined; id: number }

function useProblem() {
  const [problem, setProblem] = useState<Problem | null>(null)
  const tell = (text: string | null, hint?: string) =>
    setProblem((before) => (text === null ? null : { text, hint, id: (before?.id ?? 0) + 1 }))
  return { problem, tell }
}

const ProblemNote = ({ id, text, hint, onGone }: Problem & { onGone: () => void }) => (
  <div className="flex flex-col gap-1">
    <SearchError key={id} text={text} onGone={onGone} />
    {hint && <p className="code px-4 font-semibold">{hint}</p>}
  </div>
)

export function CutCheckScreen() {
  const check = useCheckSearch()
  const { search, list, isFetching } = check
  const [order, setOrder] = useState(search?.order ?? '')
  const place = useSearchPlant(search?.plant)
  const { plant } = place
  const orderBox = useRef<HTMLInputElement>(null)
  const { problem, tell } = useProblem()
  const receipts = useReceipts({
    branch: search?.plant ?? '',
    items: list?.items ?? [],
    markReceived: check.markReceived,
    onProblem: tell,
  })
  const { focusBox } = receipts
  const dismiss = () => {
    tell(null)
    focusBox()
  }
  // Where the next scan belongs: to the list once there is one.
  const hasItems = (list?.items.length ?? 0) > 0
  useEffect(() => {
    if (hasItems) focusBox()
  }, [hasItems, focusBox])

  const searchNow = () => {
    const wrong = orderProblem(order)
    tell(wrong)
    takeFocus(orderBox.current)
    if (!wrong) check.searchFor({ plant, order: order.trim() })
  }
  const searchFailed = check.error && !list && !isFetching

  return (
    <>
      <PageHeading title="Conferência de Corte" subtitle="Pesquise e confira os itens de produção do ERP" />
      <SearchForm
        {...orderField}
        term={order}
        onTermChange={setOrder}
        {...place}
        onSearch={() => (list || !isFetching) && searchNow()}
        isBusy={isFetching && !list}
        inputRef={orderBox}
      />
      {useMay('record') ? <CodeForm {...receipts.form} isBusy={receipts.isBusy} /> : <Denied permission="record" />}
      {problem && <ProblemNote {...problem} onGone={dismiss} />}
      {searchFailed && (
        <SearchError
          key={`search ${check.errorUpdateCount}`}
          text={failureText(check.error, 'Erro ao buscar itens no Protheus')}
          onRetry={() => search && check.searchFor(search)}
          onGone={() => orderBox.current?.focus()}
        />
      )}
      {search && <SearchNote term={search.order} plant={search.plant} isUpdating={isFetching && list !== undefined} />}
      {list && (
        <Results list={list} reading={check} isOutdated={check.error !== null && !isFetching} receipts={receipts} />
      )}
      {!list && isFetching && <Spinner>Carregando itens do Protheus...</Spinner>}
      {!search && (
        <EmptyState icon={<PackageCheck {...icon.xl} />}>
          Digite uma ordem de produção e clique em "Pesquisar" para buscar itens.
        </EmptyState>
      )}
      <KeepContained branch={search?.plant ?? ''} />
      {receipts.awaiting && <ReceiptDialog {...receipts.awaiting} />}
    </>
  )
}

type ResultsProps = {
  list: NonNullable<ReturnType<typeof useCheckSearch>['list']>
  reading: ReturnType<typeof useCheckSearch>
  isOutdated: boolean
  receipts: ReturnType<typeof useReceipts>
}

function Results({ list: { items, dadosDe }, reading, isOutdated, receipts }: ResultsProps) {
  const first = items[0]
  const checked = useMemo(() => checkedItems(items, receipts.here), [items, receipts.here])
  return (
    <>
      <StaleNote readAt={dadosDe} reading={reading} />
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

import { FilterX } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { RetryAlert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { Table, TableBody, TableHead, Row as TableRow, Td, Th } from '../../ui/Table.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Column<Row> = { label: string; of: (row: Row) => string }

type Props<Row> = {
  reading: { isFetching: boolean; refetch: () => unknown }
  title: string
  onClose: () => void
  onSelect: (row: Row) => void
  filterLabel: string
  filterPlaceholder: string
  /** The filter looks in all of them. */
  columns: readonly Column<Row>[]
  /** More about a row, beside its columns. */
  detail?: { label: string; show: (row: Row) => ReactNode }
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  loadingText: string
  noMatchText: string
  /** Why there is no row at all; `fallback` is then offered in its place. */
  emptyText: string
  fallback?: Row
  /** Why there are not more. */
  note?: string | null
  /** The look-up failed: a sentence that says so. */
  errorText?: string | null
}

const folded = (text: string) => text.toLocaleLowerCase('pt-BR')

/** A list to pick one row from. Mounted while it is open; the focus goes back to the button that opened it. */
export function SelectorDialog<Row>(props: Props<Row>) {
  const { reading, title, onClose, columns, rows, fallback, errorText } = props
  const [filter, setFilter] = useState('')
  const filterBox = useRef<HTMLInputElement>(null)
  // The button is disabled by its own press: the focus must not fall out of the dialog.
  const clearFilter = () => {
    setFilter('')
    filterBox.current?.focus()
  }
  const searched = folded(filter.trim())
  const matches = rows?.filter((row) => columns.some(({ of }) => folded(of(row)).includes(searched))) ?? []
  const isEmpty = rows?.length === 0
  const offered = isEmpty && fallback ? [fallback] : matches

  return (
    <Dialog title={title} onClose={onClose} width="lg">
      <div className="flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <div className="min-w-0 flex-1">
          <TextField
            autoFocus
            inputRef={filterBox}
            label={props.filterLabel}
            placeholder={props.filterPlaceholder}
            value={filter}
            onChange={setFilter}
          />
        </div>
        <Button size="lg" icon={<FilterX {...icon.md} />} isDisabled={filter === ''} onPress={clearFilter}>
          Limpar filtro
        </Button>
      </div>
      {errorText && (
        <RetryAlert
          kind={rows ? 'warning' : 'error'}
          isUntitled
          isRetrying={reading.isFetching}
          busyText="Consultando..."
          onRetry={reading.refetch}
        >
          {errorText}
        </RetryAlert>
      )}
      {!rows && !errorText && <Spinner>{props.loadingText}</Spinner>}
      {isEmpty && !errorText && <Note>{props.emptyText}</Note>}
      {rows && !isEmpty && matches.length === 0 && <Note>{props.noMatchText}</Note>}
      {props.note && <Note>{props.note}</Note>}
      {offered.length > 0 && <SelectorTable {...props} rows={offered} />}
    </Dialog>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="py-2 text-muted">
    {children}
  </p>
)

type TableProps<Row> = Pick<Props<Row>, 'title' | 'columns' | 'detail' | 'onSelect'> & { rows: readonly Row[] }

function SelectorTable<Row>({ title, columns, detail, rows, onSelect }: TableProps<Row>) {
  return (
    <Table label={title} heightMax="max-h-[500px]">
      <TableHead>
        {columns.map(({ label }) => (
          <Th key={label}>{label}</Th>
        ))}
        {detail && <Th>{detail.label}</Th>}
        <Th align="right">Ação</Th>
      </TableHead>
      <TableBody>
        {rows.map((row) => {
          const cells = columns.map(({ label, of }) => ({ label, text: of(row) }))
          return (
            <TableRow key={cells.map(({ text }) => text).join('\n')}>
              {cells.map(({ label, text }) => (
                <Td key={label} label={label}>
                  <span className="code">{text}</span>
                </Td>
              ))}
              {detail && <Td label={detail.label}>{detail.show(row)}</Td>}
              <Td align="right">
                <div className="max-md:w-full md:inline-block">
                  <Button
                    wide
                    aria-label={`Selecionar ${cells.map(({ text }) => text).join(' ')}`}
                    onPress={() => onSelect(row)}
                  >
                    Selecionar
                  </Button>
                </div>
              </Td>
            </TableRow>
          )
        })}
      </TableBody>
    </Table>
  )
}

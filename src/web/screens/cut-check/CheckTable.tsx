import { CircleCheck, CircleDashed, CloudUpload } from 'lucide-react'
import { memo, useState } from 'react'
import { ItemCells, ItemHeads } from '../../parts/lookups/ItemCells.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { CheckedItem } from './checked-items.ts'

type Props = { items: readonly CheckedItem[]; flashing: string | null }

/** Not drawn anew with each key that a scanner types above it. */
export const CheckTable = memo(function CheckTable({ items, flashing }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  return (
    <Table label="Itens" frameRef={setFrame} rowCount={items.length + 1}>
      <TableHead>
        <ItemHeads />
        <Th heldEnd>RECEBIMENTO</Th>
      </TableHead>
      <LongRows items={items} keyOf={({ item }) => item.Z1_CODBAR} frame={frame}>
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
      <Td label="RECEBIMENTO" heldEnd>
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

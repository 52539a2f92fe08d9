import { CircleCheck, CircleDashed, CloudUpload } from 'lucide-react'
import { memo, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { completionPercent, gaugeText } from '../../../domain/recording-form.ts'
import { sectionOf } from '../../../domain/recordings.ts'
import { formatPercent, orDash } from '../../format.ts'
import { Barcode } from '../../parts/Barcode.tsx'
import { WireColour } from '../../parts/WireColour.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { CheckedItem } from './checked-items.ts'

type Props = { items: readonly CheckedItem[]; flashing: string | null }

/** Not drawn anew with each key that a scanner types above it. */
export const CheckTable = memo(function CheckTable({ items, flashing }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  return (
    <Table
      label="Itens"
      heightMax="max-h-[min(600px,calc(100dvh-6rem))]"
      frameRef={setFrame}
      rowCount={items.length + 1}
    >
      <TableHead>
        <Th held>Item</Th>
        <Th>Cor</Th>
        <Th align="right">Bitola</Th>
        <Th>Gravação</Th>
        <Th>Código de Barras</Th>
        <Th>% Corte</Th>
        <Th>%Terminal LD1</Th>
        <Th>%Terminal LD2</Th>
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
  const { item } = checked
  return (
    <Row place={place} isFlashing={isFlashing}>
      <Td label="Item" held>
        <strong className="code text-lg md:max-lg:text-base">{orDash(item.Z1_ITEMEST)}</strong>
      </Td>
      <Td label="Cor" isThird>
        <WireColour code={item.Z1_COR} isColumn />
      </Td>
      <Td label="Bitola" align="right" isThird>
        <span className="whitespace-nowrap">{orDash(gaugeText(item.Z1_BITOLA))}</span>
      </Td>
      <Td label="Gravação" isThird>
        <span className={item.Z1_GRAVA.length <= 12 ? 'lg:whitespace-nowrap' : ''}>{orDash(item.Z1_GRAVA)}</span>
      </Td>
      <Td label="Código de Barras">
        <Barcode text={item.Z1_CODBAR} />
      </Td>
      <Td label="% Corte" isThird>
        <PartProgress item={item} part="cabo" label="% Corte" />
      </Td>
      <Td label="%Terminal LD1" isThird>
        <PartProgress item={item} part="l1" label="%Terminal LD1" />
      </Td>
      <Td label="%Terminal LD2" isThird>
        <PartProgress item={item} part="l2" label="%Terminal LD2" />
      </Td>
      <Td label="RECEBIMENTO" heldEnd>
        <ReceiptMark receipt={checked.receipt} />
      </Td>
    </Row>
  )
})

function PartProgress({ item, part, label }: { item: CutItem; part: Part; label: string }) {
  const percent = completionPercent(item, part)
  const isWithout = part !== 'cabo' && sectionOf(item, part).terminal === null
  return (
    <ProgressBar
      label={label}
      percent={percent}
      text={formatPercent(percent)}
      note={item.aguardandoErp[part] > 0 ? 'aguardando ERP' : isWithout ? 'sem terminal' : undefined}
    />
  )
}

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

import { useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { completionPercent, gaugeText } from '../../../domain/recording-form.ts'
import { sectionOf } from '../../../domain/recordings.ts'
import { formatPercent, orDash } from '../../format.ts'
import { EDITING_ITEM_KEY, links } from '../../links.ts'
import { Barcode } from '../../parts/Barcode.tsx'
import { WireColour } from '../../parts/WireColour.tsx'
import { type ItemHere, useItemHere } from '../../parts/waiting-here.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'

export function ItemTable({ items }: { items: readonly CutItem[] }) {
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
        <Th align="right" heldEnd>
          DETALHES
        </Th>
      </TableHead>
      <LongRows items={items} keyOf={(item) => item.Z1_CODBAR} frame={frame}>
        {(item, place) => <ItemRow item={item} {...place} />}
      </LongRows>
    </Table>
  )
}

const ItemRow = memo(function ItemRow({ item, ...place }: { item: CutItem } & RowPlace) {
  const navigate = useNavigate()
  const shown = useItemHere(item)
  const open = () => {
    sessionStorage.setItem(EDITING_ITEM_KEY, JSON.stringify(item))
    void navigate({ to: links.itemEdit, state: { item } })
  }
  return (
    <Row place={place}>
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
        <span className={markingLook(item.Z1_GRAVA)}>{orDash(item.Z1_GRAVA)}</span>
      </Td>
      <Td label="Código de Barras">
        <Barcode text={item.Z1_CODBAR} />
      </Td>
      <Td label="% Corte" isThird>
        <PartProgress {...shown} part="cabo" label="% Corte" />
      </Td>
      <Td label="%Terminal LD1" isThird>
        <PartProgress {...shown} part="l1" label="%Terminal LD1" />
      </Td>
      <Td label="%Terminal LD2" isThird>
        <PartProgress {...shown} part="l2" label="%Terminal LD2" />
      </Td>
      <Td align="right" heldEnd>
        <Button variant="quiet" size="tight" onPress={open} aria-label={`Ver detalhes do item ${item.Z1_ITEMEST}`}>
          <span className="md:max-lg:whitespace-normal">Ver detalhes</span>
          <ChevronRight {...icon.sm} className="md:max-lg:hidden" />
        </Button>
      </Td>
    </Row>
  )
})

/** Never broken at a hyphen where there is room for it. */
const markingLook = ({ length }: string) =>
  length <= 7 ? 'whitespace-nowrap' : length <= 12 ? 'lg:whitespace-nowrap' : ''

const noteOf = ({ item, here }: ItemHere, part: Part) => {
  if (here[part] > 0) return 'aguardando envio'
  if (item.aguardandoErp[part] > 0) return 'aguardando ERP'
  return part !== 'cabo' && sectionOf(item, part).terminal === null ? 'sem terminal' : undefined
}

function PartProgress({ item, here, part, label }: ItemHere & { part: Part; label: string }) {
  const percent = completionPercent(item, part)
  return (
    <ProgressBar label={label} percent={percent} text={formatPercent(percent)} note={noteOf({ item, here }, part)} />
  )
}

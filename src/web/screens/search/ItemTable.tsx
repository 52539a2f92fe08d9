import { useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import type { CutItem, Part } from '../../../contract/items.ts'
import { completionPercent, gaugeText } from '../../../domain/recording-form.ts'
import { sectionOf } from '../../../domain/recordings.ts'
import { formatPercent, orDash } from '../../format.ts'
import { EDITING_ITEM_KEY, links } from '../../links.ts'
import { WireColour } from '../../parts/WireColour.tsx'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'

export function ItemTable({ items }: { items: readonly CutItem[] }) {
  return (
    <Table label="Itens">
      <TableHead>
        <Th held>Item</Th>
        <Th>Cor</Th>
        <Th align="right">Bitola</Th>
        <Th>Gravação</Th>
        <Th>Código de Barras</Th>
        <Th>% Corte</Th>
        <Th>%Terminal LD1</Th>
        <Th>%Terminal LD2</Th>
        <Th align="right">DETALHES</Th>
      </TableHead>
      <TableBody>
        {items.map((item) => (
          <ItemRow key={item.Z1_CODBAR} item={item} />
        ))}
      </TableBody>
    </Table>
  )
}

const ItemRow = memo(function ItemRow({ item }: { item: CutItem }) {
  const navigate = useNavigate()
  const open = () => {
    sessionStorage.setItem(EDITING_ITEM_KEY, JSON.stringify(item))
    void navigate({ to: links.itemEdit, state: { item } })
  }
  return (
    <Row>
      <Td label="Item" held>
        <strong className="code text-lg">{orDash(item.Z1_ITEMEST)}</strong>
      </Td>
      <Td label="Cor">
        <WireColour code={item.Z1_COR} />
      </Td>
      <Td label="Bitola" align="right">
        <span className="whitespace-nowrap">{orDash(gaugeText(item.Z1_BITOLA))}</span>
      </Td>
      <Td label="Gravação">{orDash(item.Z1_GRAVA)}</Td>
      <Td label="Código de Barras">
        <span className="code whitespace-nowrap">{item.Z1_CODBAR}</span>
      </Td>
      <Td label="% Corte">
        <PartProgress item={item} part="cabo" label="% Corte" />
      </Td>
      <Td label="%Terminal LD1">
        <PartProgress item={item} part="l1" label="%Terminal LD1" />
      </Td>
      <Td label="%Terminal LD2">
        <PartProgress item={item} part="l2" label="%Terminal LD2" />
      </Td>
      <Td align="right">
        <Button onPress={open} aria-label={`Ver detalhes do item ${item.Z1_ITEMEST}`}>
          Ver detalhes
          <ChevronRight {...icon.sm} />
        </Button>
      </Td>
    </Row>
  )
})

function PartProgress({ item, part, label }: { item: CutItem; part: Part; label: string }) {
  const percent = completionPercent(item, part)
  const isMissing = part !== 'cabo' && sectionOf(item, part).terminal === null
  const note = item.aguardandoErp[part] > 0 ? 'aguardando ERP' : isMissing ? 'sem terminal' : undefined
  return <ProgressBar label={label} percent={percent} text={formatPercent(percent)} note={note} />
}

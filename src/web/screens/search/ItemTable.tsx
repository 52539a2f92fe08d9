import { useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { CutItem } from '../../../contract/items.ts'
import { EDITING_ITEM_KEY, links } from '../../app/links.ts'
import { keepInTab } from '../../device/store.ts'
import { ItemCells, ItemHeads } from '../../parts/lookups/ItemCells.tsx'
import { useItemHere } from '../../recording/queue-db.ts'
import { Button } from '../../ui/Button.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'

type Props = { items: readonly CutItem[]; flashing: string | null }

export function ItemTable({ items, flashing }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  return (
    <Table label="Itens" frameRef={setFrame} rowCount={items.length + 1}>
      <TableHead>
        <ItemHeads />
        <Th align="right" heldEnd>
          DETALHES
        </Th>
      </TableHead>
      <LongRows items={items} keyOf={(item) => item.Z1_CODBAR} frame={frame}>
        {(item, place) => <ItemRow item={item} isFlashing={item.Z1_CODBAR === flashing} {...place} />}
      </LongRows>
    </Table>
  )
}

type RowProps = { item: CutItem; isFlashing: boolean } & RowPlace

const ItemRow = memo(function ItemRow({ item, isFlashing, ...place }: RowProps) {
  const navigate = useNavigate()
  const shown = useItemHere(item)
  const open = () => {
    keepInTab(EDITING_ITEM_KEY, item)
    void navigate({ to: links.itemEdit, state: { item } })
  }
  return (
    <Row place={place} isFlashing={isFlashing}>
      <ItemCells {...shown} />
      <Td align="right" heldEnd>
        <Button variant="quiet" size="tight" onPress={open} aria-label={`Ver detalhes do item ${item.Z1_ITEMEST}`}>
          <span className="md:max-lg:whitespace-normal">Ver detalhes</span>
          <ChevronRight {...icon.sm} className="md:max-lg:hidden" />
        </Button>
      </Td>
    </Row>
  )
})

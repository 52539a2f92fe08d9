import { useState } from 'react'
import type { HistoryEntry } from '../../../contract/end-histories.ts'
import { momentTextOf } from '../../../domain/plant/plant-time.ts'
import { historyCells, type Said } from '../../../domain/reports/end-histories.ts'
import { useSettings } from '../../parts/settings.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'

type Props = {
  entries: readonly HistoryEntry[]
  /** Where somebody came from: it stands out. */
  act: string | null
}

export function EntryTable({ entries, act }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  return (
    <Table label="História da medição" frameRef={setFrame} rowCount={entries.length + 1}>
      <TableHead>
        <Th sticky>Quando e o quê</Th>
        <Th width="min-w-40">Valores, limites e veredito</Th>
        <Th>Instrumento, ferramenta e material</Th>
        <Th>Quem</Th>
        <Th>O que foi feito</Th>
      </TableHead>
      <LongRows items={entries} keyOf={({ id }) => id} frame={frame} shownKey={act}>
        {(entry, place) => <EntryRow entry={entry} place={place} isChosen={entry.id === act} />}
      </LongRows>
    </Table>
  )
}

function EntryRow({ entry, place, isChosen }: { entry: HistoryEntry; place: RowPlace; isChosen: boolean }) {
  const { timeZone, forceUnit } = useSettings()
  const cells = historyCells(entry, { momentText: momentTextOf(timeZone), forceUnit })
  return (
    <Row place={place} isSelected={isChosen}>
      <Td sticky>
        <span className="flex min-w-40 flex-col max-md:w-full">
          <span className="whitespace-nowrap">{cells.moment}</span>
          <strong>{cells.title}</strong>
          {cells.late !== '' && <span className="text-sm font-medium text-warn-ink">{cells.late}</span>}
        </span>
      </Td>
      <Td label="Valores" isBlank={cells.values.length === 0}>
        <Texts of={cells.values} />
      </Td>
      <Td label="Com o quê" isBlank={cells.means.length === 0}>
        <Texts of={cells.means.map((text) => ({ text, isBad: false }))} />
      </Td>
      <Td label="Quem">{cells.people.join(', ')}</Td>
      <Td label="O que foi feito" isBlank={cells.outcome.length === 0}>
        <Texts of={cells.outcome} />
      </Td>
    </Row>
  )
}

const Texts = ({ of }: { of: readonly Said[] }) => (
  <span className="flex min-w-0 flex-col gap-1 max-md:items-end">
    {of.map(({ text, isBad }) => (
      <span key={text} className={`wrap-break-word ${isBad ? 'font-medium text-bad-ink' : ''}`}>
        {text}
      </span>
    ))}
  </span>
)

import type { EndHistory, HistoryEntry } from '../../../contract/end-histories.ts'
import { historyCells, type Said } from '../../../domain/histories/end-histories.ts'
import { historyHeads } from '../../../domain/histories/end-history-sheets.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { useShown } from './shown.ts'

type Props = {
  history: EndHistory
  /** Where somebody came from: it stands out. */
  act: string | null
}

const [when, values, means, who, done] = historyHeads

export function EntryTable({ history, act }: Props) {
  const { entradas } = history
  const shown = useShown(history)
  return (
    <Table label="História da medição" rowCount={entradas.length + 1}>
      <TableHead>
        <Th sticky>{when}</Th>
        <Th width="min-w-40">{values}</Th>
        <Th>{means}</Th>
        <Th>{who}</Th>
        <Th>{done}</Th>
      </TableHead>
      <LongRows items={entradas} keyOf={({ id }) => id} shownKey={act}>
        {(entry, place) => <EntryRow entry={entry} shown={shown} place={place} isChosen={entry.id === act} />}
      </LongRows>
    </Table>
  )
}

type RowProps = { entry: HistoryEntry; shown: ReturnType<typeof useShown>; place: RowPlace; isChosen: boolean }

function EntryRow({ entry, shown, place, isChosen }: RowProps) {
  const cells = historyCells(entry, shown)
  return (
    <Row place={place} isSelected={isChosen}>
      <Td sticky>
        <span className="flex min-w-40 flex-col max-md:w-full">
          <span className="whitespace-nowrap">{cells.moment}</span>
          <strong>{cells.title}</strong>
          {cells.notes.map((note) => (
            <span key={note} className="text-sm font-medium text-warn-ink">
              {note}
            </span>
          ))}
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

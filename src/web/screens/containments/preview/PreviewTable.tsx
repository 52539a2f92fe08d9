import { useMemo } from 'react'
import type { SuspectRecording } from '../../../../contract/containments.ts'
import { formatCount } from '../../../text/format.ts'
import { LongRows } from '../../../ui/LongRows.tsx'
import { Row, Table, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { Mark, nameOf, RecordingCells, RecordingHeads } from '../RecordingCells.tsx'
import { byItem } from '../shown.ts'
import { Tick } from '../Tick.tsx'

type Props = {
  label: string
  rows: readonly SuspectRecording[]
  /** Recordings left out; null: nobody may leave any out here. */
  without: ReadonlySet<string> | null
  onChoose: (recording: string, isTaken: boolean) => void
}

/** False: it holds pieces of the window for certain. */
export const mayBeLeftOut = ({ certeza }: SuspectRecording): boolean => certeza !== 'certo'

/** Recordings of a window, those of one item together. */
export function PreviewTable({ label, rows, without, onChoose }: Props) {
  const sorted = useMemo(() => byItem(rows), [rows])
  return (
    <Table label={label} rowCount={sorted.length + 1}>
      <TableHead>
        <RecordingHeads />
        <Th align="right">Peças</Th>
        <Th>Suspeita</Th>
      </TableHead>
      <LongRows items={sorted} keyOf={({ apontamento }) => apontamento}>
        {(one, place) => (
          <Row place={place}>
            <RecordingCells of={one} />
            <Td label="Peças" align="right">
              <strong className="text-lg">{formatCount(one.pecas)}</strong>
            </Td>
            <Td label="Suspeita">
              {without && mayBeLeftOut(one) ? (
                <Tick
                  name={`${nameOf(one)}, ${formatCount(one.pecas)} peças`}
                  isOn={!without.has(one.apontamento)}
                  onChange={(isTaken) => onChoose(one.apontamento, isTaken)}
                >
                  <Mark of={one.certeza} />
                </Tick>
              ) : (
                <Mark of={one.certeza} />
              )}
            </Td>
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

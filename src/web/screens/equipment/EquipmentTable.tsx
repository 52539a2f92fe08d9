import type { ProducedPieces } from '../../../contract/equipment.ts'
import { formatCount } from '../../app/format.ts'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../ui/Table.tsx'
import type { ShownEquipment } from './equipment.ts'
import { LastWork, meanText, Tool, WaitingBadge } from './facts.tsx'
import { StateBadge } from './StateBadge.tsx'

type Props = { shown: readonly ShownEquipment[]; nowMs: number }

export const EquipmentTable = ({ shown, nowMs }: Props) => (
  <Table label="Máquinas" heightMax="max-h-none">
    <TableHead>
      <Th held>Máquina</Th>
      <Th>Situação</Th>
      <Th>Último apontamento</Th>
      <Th align="right">Hoje</Th>
      <Th align="right">Neste turno</Th>
      <Th>Mini aplicador</Th>
    </TableHead>
    <TableBody>
      {shown.map((one) => (
        <Row key={one.id}>
          <Td held>
            <span className="block max-md:mr-auto max-md:text-left md:min-w-28">
              <strong className="code text-lg whitespace-nowrap">{one.id}</strong>
              <span className="block text-sm font-normal wrap-anywhere text-muted">
                {[one.fabricante, one.descricao].filter(Boolean).join(' · ')}
              </span>
              {!one.cadastrada && <span className="block text-sm font-normal text-muted">Fora do cadastro do ERP</span>}
            </span>
          </Td>
          <Td label="Situação">
            <span className="flex flex-col items-start gap-1 max-md:items-end">
              <StateBadge state={one.state} />
              <WaitingBadge of={one} />
            </span>
          </Td>
          <Td label="Último">
            <span className="block max-md:text-right md:min-w-36">
              <LastWork of={one} nowMs={nowMs} />
            </span>
          </Td>
          <Td label="Hoje" align="right">
            <Pieces of={one.hoje} />
          </Td>
          <Td label="Neste turno" align="right">
            <Pieces of={one.turno} />
          </Td>
          <Td label="Mini aplicador" isBlank={one.miniaplicador === null}>
            <Tool of={one} />
          </Td>
        </Row>
      ))}
    </TableBody>
  </Table>
)

const Pieces = ({ of: produced }: { of: ProducedPieces }) => (
  <span className="block">
    <strong className="block text-lg">{formatCount(produced.pecas)}</strong>
    <span className="block text-sm text-muted">{meanText(produced)}</span>
  </span>
)

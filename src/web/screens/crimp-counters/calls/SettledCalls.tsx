import type { MaintenanceCall } from '../../../../contract/maintenance-calls.ts'
import { reasonText, teamOf, teamTexts } from '../../../../domain/tools/call-topics.ts'
import { callStateTexts, causeText, changedPartsText } from '../../../../domain/tools/maintenance-calls.ts'
import { useSettings } from '../../../parts/settings.ts'
import { formatRecentInstant } from '../../../text/format.ts'
import { LongRows } from '../../../ui/LongRows.tsx'
import { Row, Table, TableHead, Td, Th } from '../../../ui/Table.tsx'

const changedText = (one: MaintenanceCall): string => {
  const parts = changedPartsText(one)
  return parts === '' ? '' : `trocada: ${parts}`
}

/** Outcome of a call: its cause and remedy, or why it was cancelled. */
const outcomeOf = (one: MaintenanceCall): string =>
  one.situacao === 'cancelado'
    ? one.motivo || 'Desfeito por quem chamou'
    : [causeText(one), one.feito, changedText(one), one.maintenanceRecord && 'com registro NR-12']
        .filter(Boolean)
        .join(' · ')

export function SettledCalls({ calls }: { calls: readonly MaintenanceCall[] }) {
  const { timeZone } = useSettings()
  const moment = (instant: string | null) => (instant === null ? '-' : formatRecentInstant(instant, timeZone))
  return (
    <Table label="Chamados encerrados" rowCount={calls.length + 1}>
      <TableHead>
        <Th align="right">Nº</Th>
        <Th>Máquina</Th>
        <Th>Equipe e motivo</Th>
        <Th>Aberto</Th>
        <Th>Atendido</Th>
        <Th>Encerrado</Th>
        <Th width="md:w-1/3">Causa e serviço</Th>
      </TableHead>
      <LongRows items={calls} keyOf={({ id }) => id}>
        {(one, place) => (
          <Row place={place}>
            <Td label="Nº" align="right">
              <strong>{one.numero}</strong>
            </Td>
            <Td label="Máquina">
              <span className="block">
                <span className="code block font-semibold">{one.maquina}</span>
                {one.miniaplicador !== '' && <span className="code text-sm text-muted">{one.miniaplicador}</span>}
              </span>
            </Td>
            <Td label="Equipe e motivo">
              {teamTexts[teamOf(one)]} · {reasonText(one)}
            </Td>
            <Td label="Aberto">
              <Moment text={moment(one.abertoEm)} by={one.abertoPor} />
            </Td>
            <Td label="Atendido">
              <Moment text={moment(one.atendidoEm)} by={one.atendidoPor} />
            </Td>
            <Td label={callStateTexts[one.situacao]}>
              <Moment text={moment(one.encerradoEm)} by={one.encerradoPor} />
            </Td>
            <Td label="Causa e serviço">
              <span className="wrap-anywhere">
                {one.situacao === 'cancelado' && <strong>{callStateTexts.cancelado}: </strong>}
                {outcomeOf(one)}
              </span>
            </Td>
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

const Moment = ({ text, by }: { text: string; by: string }) => (
  <span className="inline-flex flex-col max-md:items-end">
    <span className="whitespace-nowrap">{text}</span>
    {by !== '' && <span className="text-xs text-muted">{by}</span>}
  </span>
)

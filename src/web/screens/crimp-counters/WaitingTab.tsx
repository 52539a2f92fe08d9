import { CalendarCheck, CircleCheckBig, Download, SearchX } from 'lucide-react'
import { useRef } from 'react'
import { type CrimpCounter, type CrimpCounterList, crimpCounters } from '../../../contract/crimp-counters.ts'
import { dayText } from '../../../domain/plant/plant-time.ts'
import { waitingListFileName } from '../../../domain/tools/crimp-counters.ts'
import { useServerFile } from '../../parts/ServerFile.tsx'
import { useSettings } from '../../parts/settings.ts'
import { callForFile } from '../../server/api.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { LongRows } from '../../ui/LongRows.tsx'
import { EmptyState } from '../../ui/Page.tsx'
import { Row, Table, TableHead, Td, Th } from '../../ui/Table.tsx'
import { bringIntoView, type Reading } from './counters.ts'
import { SchedulePanel } from './SchedulePanel.tsx'
import type { Scheduling } from './scheduling.ts'
import { type Filter, FilterRow, failureText, Limit, ListFailure, ListLoading, SelectButton } from './table-parts.tsx'

type Props = { reading: Reading & { list: CrimpCounterList }; filter: Filter; scheduling: Scheduling }

export function WaitingTab({ reading, filter, scheduling }: Props) {
  const { list, isFirst, error } = reading
  const units = list.maintenancePreSchedule
  const orderBox = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const backToRow = () => rows.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus()
  const exportFile = useServerFile({
    ask: () => {
      scheduling.setNotice(null)
      return callForFile(crimpCounters.exportCsv, { query: filter.applied === '' ? {} : { filter: filter.applied } })
    },
    nameOf: waitingListFileName,
    onFailure: (failed) =>
      scheduling.setNotice({ kind: 'error', text: failureText('Erro ao exportar dados para CSV', failed) }),
  })
  const select = (unit: CrimpCounter, byKeyboard: boolean) => {
    scheduling.choose(unit)
    scheduling.setNotice(null)
    bringIntoView(panel.current)
    // The form has just become one that takes the focus, or is about another unit.
    if (byKeyboard) requestAnimationFrame(() => orderBox.current?.focus())
  }
  return (
    <div className="flex flex-col gap-4">
      <Alert kind="warning">
        Estes mini aplicadores atingiram ou ultrapassaram o limite de crimpagens e precisam de manutenção.
      </Alert>
      <FilterRow
        filter={filter}
        reading={reading}
        countText={waitingText(units.length)}
        files={[{ text: 'EXPORTAR ARQUIVO', Icon: Download, ...exportFile }]}
      />
      <ListFailure reading={reading} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_28rem]">
        <div ref={rows} className="min-w-0">
          {isFirst && <ListLoading />}
          {!isFirst && !error && units.length === 0 && <NothingWaits isFiltered={filter.applied !== ''} />}
          {units.length > 0 && (
            <WaitingTable units={units} selected={scheduling.unit?.miniaplicator ?? null} onSelect={select} />
          )}
        </div>
        <div ref={panel} className="scroll-mt-20">
          <SchedulePanel scheduling={scheduling} orderBox={orderBox} onLeave={backToRow} />
        </div>
      </div>
    </div>
  )
}

const waitingText = (count: number) =>
  count === 1
    ? '1 mini aplicador precisa de manutenção'
    : `${formatCount(count)} mini aplicadores precisam de manutenção`

const NothingWaits = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState icon={<SearchX {...icon.xl} />}>Nenhum registro encontrado</EmptyState>
  ) : (
    <EmptyState icon={<CircleCheckBig {...icon.xl} className="text-ok-ink" />}>
      Excelente! Nenhum mini aplicador necessita manutenção no momento.
    </EmptyState>
  )

type TableProps = {
  units: readonly CrimpCounter[]
  selected: string | null
  onSelect: (unit: CrimpCounter, byKeyboard: boolean) => void
}

function WaitingTable({ units, selected, onSelect }: TableProps) {
  const { limitWarningPercent } = useSettings()
  return (
    <Table label="Aguardando agendamento" rowCount={units.length + 1}>
      <TableHead>
        <Th>Mini aplicador</Th>
        <Th align="right">Qtd. crimpagem</Th>
        <Th align="right">Limite</Th>
        <Th width="w-1/3">Manutenção</Th>
      </TableHead>
      <LongRows items={units} keyOf={(unit) => unit.miniaplicator}>
        {(unit, place) => (
          <Row place={place} isSelected={unit.miniaplicator === selected} onPress={() => onSelect(unit, false)}>
            <Td>
              <SelectButton
                isSelected={unit.miniaplicator === selected}
                onSelect={(byKeyboard) => onSelect(unit, byKeyboard)}
              >
                {unit.miniaplicator}
              </SelectButton>
            </Td>
            <Td label="Qtd. crimpagem" align="right">
              <span className="text-lg font-semibold">{formatCount(unit.numberOfCrimps)}</span>
            </Td>
            <Td label="Limite" align="right">
              <Limit unit={unit} warningPercent={limitWarningPercent} />
            </Td>
            <Td label="Manutenção">
              {unit.maintenanceDate ? (
                <Badge tone="hand" icon={<CalendarCheck {...icon.sm} />}>
                  Agendado para {dayText(unit.maintenanceDate)}
                </Badge>
              ) : (
                <span className="text-muted">Não agendada</span>
              )}
            </Td>
          </Row>
        )}
      </LongRows>
    </Table>
  )
}

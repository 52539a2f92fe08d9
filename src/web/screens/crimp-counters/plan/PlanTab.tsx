import { CalendarCheck, CircleAlert, ListChecks, TriangleAlert, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { PlanRow } from '../../../../contract/maintenance-tasks.ts'
import { dayText } from '../../../../domain/plant/plant-time.ts'
import { dueText } from '../../../../domain/tools/maintenance-tasks.ts'
import { shortDay } from '../../../../domain/tools/tool-life.ts'
import { Denied, useMay } from '../../../parts/permissions.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { useAddress } from '../../../parts/useAddress.ts'
import { formatCount } from '../../../text/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { icon } from '../../../ui/icon-sizes.ts'
import { LongRows } from '../../../ui/LongRows.tsx'
import { EmptyState } from '../../../ui/Page.tsx'
import { Row, type RowPlace, Table, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { FilterRow, ListFailure, ListLoading, UnitName, useFilter } from '../table-parts.tsx'
import { usePlan } from './plan.ts'
import { RunDialog } from './RunDialog.tsx'
import { TasksDialog } from './TaskDialogs.tsx'
import { UnitParts } from './UnitParts.tsx'
import { UnitSelector } from './UnitSelector.tsx'

/** Parts and tasks that come due on all tools, or the parts of the one that the address names. */
export function PlanTab() {
  const { params, push } = useAddress()
  const unit = params.get('mini')
  const open = (name: string | null) => push({ mini: name })
  return unit === null ? <Plan onOpen={open} /> : <UnitParts key={unit} name={unit} onBack={() => open(null)} />
}

type Open = { kind: 'units' | 'tasks' } | { kind: 'run'; row: PlanRow }

function Plan({ onOpen }: { onOpen: (unit: string) => void }) {
  const filter = useFilter()
  const { plan, isFirst, isLoading, error, refresh } = usePlan(filter.applied)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const { rows, totalCount } = plan
  const all = `${formatCount(totalCount)} ${totalCount === 1 ? 'linha' : 'linhas'}`
  return (
    <div className="flex flex-col gap-4">
      <FilterRow
        filter={filter}
        countText={isFirst || error ? '' : rows.length < totalCount ? `As primeiras ${rows.length} de ${all}` : all}
        isLoading={isLoading}
        onRefresh={refresh}
        files={[
          { text: 'PEÇAS DE…', Icon: Wrench, isBusy: false, onPress: () => setOpen({ kind: 'units' }) },
          { text: 'TAREFAS', Icon: ListChecks, isBusy: false, onPress: () => setOpen({ kind: 'tasks' }) },
        ]}
      />
      <Denied permission="maintain" />
      {error && <ListFailure error={error} onRetry={refresh} isRetrying={isLoading} />}
      {isFirst && <ListLoading />}
      {!isFirst && !error && rows.length === 0 && (
        <EmptyState icon={<CalendarCheck {...icon.xl} />}>
          {filter.applied === ''
            ? "Nada a vencer. 'PEÇAS DE…' monta as peças de um mini aplicador, 'TAREFAS' cria o que se faz de tempos em tempos."
            : 'Nada a vencer com o filtro atual.'}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <PlanTable rows={rows} onOpen={onOpen} onRun={(row: PlanRow) => setOpen({ kind: 'run', row })} />
      )}
      {open?.kind === 'units' && (
        <UnitSelector
          title="Peças de um mini aplicador"
          onSelect={({ miniaplicator }) => onOpen(miniaplicator)}
          onClose={close}
        />
      )}
      {open?.kind === 'tasks' && <TasksDialog onClose={close} />}
      {open?.kind === 'run' && <RunDialog row={open.row} onClose={close} />}
    </div>
  )
}

type ActProps = { onOpen: (unit: string) => void; onRun: (row: PlanRow) => void }

function PlanTable({ rows, ...acts }: ActProps & { rows: readonly PlanRow[] }) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const { limitWarningPercent } = useSettings()
  const mayRun = useMay('maintain')
  return (
    <Table label="Plano de manutenção" frameRef={setFrame} rowCount={rows.length + 1}>
      <TableHead>
        <Th>Mini aplicador</Th>
        <Th width="md:w-1/3">O quê</Th>
        <Th align="right">Feito</Th>
        <Th>Vence</Th>
        <Th align="right">Ação</Th>
      </TableHead>
      <LongRows items={rows} keyOf={({ miniaplicator, kind, id }) => `${miniaplicator} ${kind} ${id}`} frame={frame}>
        {(row, place) => (
          <PlanLine row={row} place={place} warningPercent={limitWarningPercent} mayRun={mayRun} {...acts} />
        )}
      </LongRows>
    </Table>
  )
}

type LineProps = ActProps & { row: PlanRow; place: RowPlace; warningPercent: number; mayRun: boolean }

function PlanLine({ row, place, warningPercent, mayRun, onOpen, onRun }: LineProps) {
  const { miniaplicator, kind, name, usedPercent, isDue, dueDay, doneDay } = row
  const isNear = !isDue && usedPercent >= warningPercent
  return (
    <Row place={place}>
      <Td label="Mini aplicador">
        <UnitName>{miniaplicator}</UnitName>
      </Td>
      <Td label="O quê">
        <span className="flex flex-col wrap-anywhere">
          {name}
          {kind === 'task' && (
            <span className="text-sm text-muted">
              {doneDay === null ? 'Nunca registrada' : `Feita em ${dayText(doneDay)}`}
            </span>
          )}
        </span>
      </Td>
      <Td label="Feito" align="right">
        <Badge
          tone={isDue ? 'bad' : isNear ? 'warn' : 'neutral'}
          icon={isDue ? <CircleAlert {...icon.sm} /> : isNear ? <TriangleAlert {...icon.sm} /> : undefined}
        >
          {formatCount(usedPercent)}%
        </Badge>
      </Td>
      <Td label="Vence">
        <span className="flex flex-col">
          <span className={isDue ? 'font-semibold text-bad-ink' : ''}>{dueText(row)}</span>
          {!isDue && dueDay !== null && <span className="text-sm text-muted">{shortDay(dueDay)}</span>}
        </span>
      </Td>
      <Td align="right">
        <div className="flex justify-end gap-2 max-xl:flex-wrap max-md:w-full max-md:*:grow">
          {kind === 'task' && mayRun && (
            <Button aria-label={`Registrar ${name} de ${miniaplicator}`} onPress={() => onRun(row)}>
              Registrar
            </Button>
          )}
          <Button aria-label={`Ver peças de ${miniaplicator}`} onPress={() => onOpen(miniaplicator)}>
            Ver peças
          </Button>
        </div>
      </Td>
    </Row>
  )
}

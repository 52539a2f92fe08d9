import { CalendarCheck, ListChecks, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { PlanRow } from '../../../../contract/maintenance-tasks.ts'
import { dayText } from '../../../../domain/plant/plant-time.ts'
import { byTool, dueText } from '../../../../domain/tools/maintenance-tasks.ts'
import { shortDay } from '../../../../domain/tools/tool-life.ts'
import { UseBar } from '../../../parts/LimitBar.tsx'
import { Denied, useMay } from '../../../parts/permissions.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { useAddress } from '../../../parts/useAddress.ts'
import { formatCount } from '../../../text/format.ts'
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
  const { plan, ...reading } = usePlan(filter.applied)
  const { isFirst, error } = reading
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const { rows, totalCount } = plan
  const all = `${formatCount(totalCount)} ${totalCount === 1 ? 'item' : 'itens'}`
  return (
    <div className="flex flex-col gap-4">
      <FilterRow
        filter={filter}
        reading={reading}
        countText={rows.length < totalCount ? `Os primeiros ${rows.length} de ${all}` : all}
        files={[
          { text: 'Peças da ferramenta', Icon: Wrench, isBusy: false, onPress: () => setOpen({ kind: 'units' }) },
          { text: 'Tarefas', Icon: ListChecks, isBusy: false, onPress: () => setOpen({ kind: 'tasks' }) },
        ]}
      />
      <Denied permission="maintain" />
      <ListFailure reading={reading} />
      {isFirst && <ListLoading />}
      {!isFirst && !error && rows.length === 0 && (
        <EmptyState icon={<CalendarCheck {...icon.xl} />}>
          {filter.applied === ''
            ? "Nada a vencer. 'Peças da ferramenta' monta as peças de um mini aplicador, 'Tarefas' cria as manutenções periódicas."
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
  const tools = byTool(rows)
  return (
    <Table label="Plano de manutenção" rowCount={tools.length + 1}>
      <TableHead>
        <Th>Mini aplicador</Th>
        <Th width="md:w-1/2">Uso</Th>
        <Th>Vencimento</Th>
        <Th align="right">Ação</Th>
      </TableHead>
      <LongRows items={tools} keyOf={([first]) => first?.miniaplicator ?? ''}>
        {(ofTool, place) => <ToolLine rows={ofTool} place={place} {...acts} />}
      </LongRows>
    </Table>
  )
}

/** A tool by what comes due first; the bars below say how far the others are. */
function ToolLine({ rows, place, onOpen, onRun }: ActProps & { rows: readonly PlanRow[]; place: RowPlace }) {
  const [first] = rows
  if (!first) return null
  const { miniaplicator, isDue, dueDay } = first
  return (
    <Row place={place}>
      <Td label="Mini aplicador">
        <UnitName>{miniaplicator}</UnitName>
      </Td>
      <Td label="Uso">
        <ul className="flex w-full flex-col gap-1">
          {mostUsedFirst(rows).map((row) => (
            <Use key={`${row.kind} ${row.id}`} row={row} onRun={onRun} />
          ))}
        </ul>
      </Td>
      <Td label="Vencimento">
        <span className="flex flex-col">
          {first.name}
          <span className={isDue ? 'font-semibold text-bad-ink' : ''}>{dueText(first)}</span>
          {!isDue && dueDay !== null && <span className="text-sm text-muted">{shortDay(dueDay)}</span>}
        </span>
      </Td>
      <Td align="right">
        <Button aria-label={`Ver peças de ${miniaplicator}`} onPress={() => onOpen(miniaplicator)}>
          Ver peças
        </Button>
      </Td>
    </Row>
  )
}

const mostUsedFirst = (rows: readonly PlanRow[]) => rows.toSorted((one, other) => other.usedPercent - one.usedPercent)

/** A part or a task: its name and how much of its time has gone. */
function Use({ row, onRun }: { row: PlanRow; onRun: ActProps['onRun'] }) {
  const { miniaplicator, kind, name, usedPercent, isDue, doneDay } = row
  const { limitWarningPercent } = useSettings()
  const mayRun = useMay('maintain')
  return (
    <li className="grid grid-cols-2 items-center gap-x-4 text-left max-md:grid-cols-1">
      <span className="min-w-0 wrap-anywhere">
        {name}
        {kind === 'task' && (
          <span className="block text-sm text-muted">
            {doneDay === null ? 'Nunca registrada' : `Feita em ${dayText(doneDay)}`}
          </span>
        )}
      </span>
      <span className="flex items-center gap-3">
        <UseBar
          label={`Uso: ${name} de ${miniaplicator}`}
          percent={usedPercent}
          isFull={isDue}
          warningPercent={limitWarningPercent}
        />
        {kind === 'task' && mayRun && (
          <Button aria-label={`Registrar ${name} de ${miniaplicator}`} onPress={() => onRun(row)}>
            Registrar
          </Button>
        )}
      </span>
    </li>
  )
}

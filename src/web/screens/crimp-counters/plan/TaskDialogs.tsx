import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NAME_LENGTH_MAX } from '../../../../contract/applicators.ts'
import { LIMIT_CRIMPS_MAX } from '../../../../contract/crimp-counters.ts'
import {
  EVERY_DAYS_MAX,
  type MaintenanceTask,
  maintenanceTasks,
  TASK_NAME_LENGTH_MAX,
  type TaskForm,
} from '../../../../contract/maintenance-tasks.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { readWhole } from '../../../../domain/text/numbers.ts'
import { everyText } from '../../../../domain/tools/maintenance-tasks.ts'
import { DecimalField } from '../../../parts/fields/DecimalField.tsx'
import { useMay } from '../../../parts/permissions.tsx'
import { ReadingState } from '../../../parts/ReadingState.tsx'
import { ApiError, call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { formatCount } from '../../../text/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { RadioChoice } from '../../../ui/RadioChoice.tsx'
import { Row, Table, TableBody, TableHead, Td, Th } from '../../../ui/Table.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { taskChange } from './plan.ts'

/** All tasks, and the form of the one that is changed. */
export function TasksDialog({ onClose }: { onClose: () => void }) {
  const [edited, setEdited] = useState<MaintenanceTask | 'new' | null>(null)
  const reading = useQuery(query(maintenanceTasks.list, {}))
  const { data = [] } = reading
  const mayChange = useMay('maintain')
  if (edited !== null) return <TaskDialog task={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
  return (
    <Dialog
      title="Tarefas de manutenção"
      width="lg"
      onClose={onClose}
      actions={
        mayChange && (
          <Button variant="primary" onPress={() => setEdited('new')}>
            Nova tarefa
          </Button>
        )
      }
    >
      <ReadingState reading={reading} loadingText="Carregando as tarefas..." />
      {reading.isSuccess && data.length === 0 && (
        <p className="text-muted">Nenhuma tarefa. Exemplo: 'Limpeza completa', a cada 25.000 crimpagens ou 7 dias.</p>
      )}
      {data.length > 0 && (
        <Table label="Tarefas de manutenção" heightMax="max-h-none">
          <TableHead>
            <Th>Tarefa</Th>
            <Th>De</Th>
            <Th>Quando</Th>
            {mayChange && <Th align="right">Ação</Th>}
          </TableHead>
          <TableBody>
            {data.map((task) => (
              <Row key={task.id}>
                <Td label="Tarefa">
                  <strong className="wrap-anywhere">{task.name}</strong>
                </Td>
                <Td label="De">{task.miniaplicator ?? 'Todos'}</Td>
                <Td label="Quando">{task.active ? everyText(task) : 'Fora de uso'}</Td>
                {mayChange && (
                  <Td align="right">
                    <Button aria-label={`Alterar ${task.name}`} onPress={() => setEdited(task)}>
                      Alterar
                    </Button>
                  </Td>
                )}
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
    </Dialog>
  )
}

type Typed = { unit: string; name: string; everyCrimps: string; everyDays: string; active: 'yes' | 'no' }
type Problems = Partial<Record<keyof Typed, string>>

const typedOf = (task: MaintenanceTask | null): Typed => ({
  unit: task?.miniaplicator ?? '',
  name: task?.name ?? '',
  everyCrimps: String(task?.everyCrimps ?? ''),
  everyDays: String(task?.everyDays ?? ''),
  active: task?.active === false ? 'no' : 'yes',
})

const wholeProblem = (typed: string, max: number): string | null => {
  if (typed.trim() === '') return null
  const value = readWhole(typed)
  return value >= 1 && value <= max ? null : `Um número de 1 a ${formatCount(max)}, ou vazio.`
}

/** The fault of a typed task, or the task to send. */
function readTask(typed: Typed) {
  const { unit, name, everyCrimps, everyDays, active } = typed
  const wrongCrimps = wholeProblem(everyCrimps, LIMIT_CRIMPS_MAX)
  const wrongDays = wholeProblem(everyDays, EVERY_DAYS_MAX)
  const isNever = everyCrimps.trim() === '' && everyDays.trim() === ''
  const problems: Problems = {
    ...(saysSomething(name) ? {} : { name: 'Informe a tarefa.' }),
    ...(wrongCrimps ? { everyCrimps: wrongCrimps } : {}),
    ...(wrongDays ? { everyDays: wrongDays } : {}),
    ...(isNever ? { everyCrimps: 'Informe crimpagens, dias, ou os dois.' } : {}),
  }
  if (Object.keys(problems).length > 0) return { problems }
  const task: TaskForm = {
    name: name.trim(),
    active: active === 'yes',
    ...(unit.trim() === '' ? {} : { miniaplicator: unit.trim() }),
    ...(everyCrimps.trim() === '' ? {} : { everyCrimps: readWhole(everyCrimps) }),
    ...(everyDays.trim() === '' ? {} : { everyDays: readWhole(everyDays) }),
  }
  return { task }
}

type Sent = { body: TaskForm; was: MaintenanceTask | null }

const send = ({ body, was }: Sent) =>
  was === null
    ? call(maintenanceTasks.create, { body })
    : call(maintenanceTasks.change, { params: { id: was.id }, body }, { versionSeen: was.version })

function TaskDialog({ task, onClose }: { task: MaintenanceTask | null; onClose: () => void }) {
  const [typed, setTyped] = useState(() => typedOf(task))
  const [problems, setProblems] = useState<Problems>({})
  const { save, isBusy, error, failure } = useSave({ ...taskChange, send, toast: 'Tarefa salva.', onSaved: onClose })
  // a task itself never goes
  const isUnitUnknown = error instanceof ApiError && error.code === 'not_found'
  const change = (fields: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...fields }))
    setProblems({})
  }
  const act = () => {
    const read = readTask(typed)
    setProblems(read.problems ?? {})
    if (read.task) save({ body: read.task, was: task })
  }
  return (
    <FormDialog
      title={task ? 'Alterar tarefa' : 'Nova tarefa'}
      isValid
      isBusy={isBusy}
      error={isUnitUnknown ? undefined : failure}
      onSave={act}
      onClose={onClose}
    >
      <TextField
        label="Tarefa"
        value={typed.name}
        onChange={(name) => change({ name })}
        maxLength={TASK_NAME_LENGTH_MAX}
        isRequired
        error={problems.name}
      />
      <TextField
        label="Mini aplicador"
        value={typed.unit}
        onChange={(unit) => change({ unit })}
        maxLength={NAME_LENGTH_MAX}
        code
        description="Vazio: todos."
        error={isUnitUnknown ? 'Este mini aplicador não está cadastrado.' : undefined}
      />
      <DecimalField
        label="A cada quantas crimpagens"
        decimals={0}
        maxLength={13}
        value={typed.everyCrimps}
        onChange={(everyCrimps) => change({ everyCrimps })}
        error={problems.everyCrimps}
      />
      <DecimalField
        label="A cada quantos dias"
        decimals={0}
        maxLength={5}
        value={typed.everyDays}
        onChange={(everyDays) => change({ everyDays })}
        error={problems.everyDays}
        description="Com os dois vale o que vier antes."
      />
      <RadioChoice
        label="Em uso"
        options={[
          { value: 'yes', label: 'Sim' },
          { value: 'no', label: 'Não' },
        ]}
        value={typed.active}
        onChange={(active) => change({ active })}
      />
    </FormDialog>
  )
}

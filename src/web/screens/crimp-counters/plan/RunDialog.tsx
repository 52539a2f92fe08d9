import { useState } from 'react'
import { refusals } from '../../../../contract/errors.ts'
import { maintenanceTasks, type PlanRow, RUN_NOTE_LENGTH_MAX } from '../../../../contract/maintenance-tasks.ts'
import { plantDay } from '../../../../domain/plant/plant-time.ts'
import { serverNow } from '../../../device/clock.ts'
import { DateField } from '../../../parts/fields/DateField.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextArea } from '../../../ui/TextField.tsx'
import { focusFirstWrong, MaintenanceRecordFields } from '../ResetDialog.tsx'
import { type RecordForm, recordToSend, useRecordForm } from '../scheduling.ts'
import { taskChange } from './plan.ts'

type Sent = { row: PlanRow; day: string; note: string; record: RecordForm }

const send = ({ row: { id, miniaplicator }, day, note, record }: Sent) =>
  call(maintenanceTasks.run, { params: { id }, body: { miniaplicator, day, note, ...recordToSend(record) } })

/** Records that a task was done, today or before. */
export function RunDialog({ row, onClose }: { row: PlanRow; onClose: () => void }) {
  const { timeZone } = useSettings()
  const today = plantDay(serverNow(), timeZone)
  const [day, setDay] = useState(today)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const { check, ...record } = useRecordForm()
  const { save, isBusy, failure } = useSave({ ...taskChange, send, toast: 'Tarefa registrada.', onSaved: onClose })
  const act = () => {
    const wrong = day === '' ? 'Informe o dia.' : day > today ? refusals.done_in_future.message : undefined
    setProblem(wrong)
    const isGood = check()
    if (!wrong && isGood) return save({ row, day, note: note.trim(), record: record.form })
    focusFirstWrong(document.querySelector('[role=dialog]'))
  }
  return (
    <FormDialog
      title={`${row.name}: ${row.miniaplicator}`}
      saveText="Registrar"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={act}
      onClose={onClose}
    >
      <DateField label="Feita em" value={day} onChange={setDay} isRequired error={problem} />
      <TextArea
        label="Observação"
        maxLength={RUN_NOTE_LENGTH_MAX}
        value={note}
        onChange={(typed) => setNote(typed.replaceAll('\t', ' '))}
      />
      <MaintenanceRecordFields {...record} isDisabled={isBusy} />
    </FormDialog>
  )
}

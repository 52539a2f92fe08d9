import { useState } from 'react'
import { SERVICE_LENGTH_MAX } from '../../../../contract/crimp-counters.ts'
import {
  CANCEL_REASON_LENGTH_MAX,
  CAUSE_LENGTH_MAX,
  type CallCause,
  type MaintenanceCall,
  maintenanceCalls,
} from '../../../../contract/maintenance-calls.ts'
import { symptomTexts } from '../../../../domain/call-symptoms.ts'
import { causesOf, causeTexts } from '../../../../domain/maintenance-calls.ts'
import { call } from '../../../server/api.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextArea, TextField } from '../../../ui/TextField.tsx'
import { focusFirstWrong, MaintenanceRecordFields } from '../ResetDialog.tsx'
import { emptyRecord, type RecordForm, type RecordProblems, recordProblems, recordToSend } from '../scheduling.ts'

type Props = { call: MaintenanceCall; onClose: () => void }

/** What was found and done; the machine is free again. */
export function SolveDialog({ call: one, onClose }: Props) {
  const [cause, setCause] = useState<CallCause | ''>('')
  const [causeText, setCauseText] = useState('')
  const [done, setDone] = useState('')
  const [record, setRecord] = useState(emptyRecord)
  const [problems, setProblems] = useState<RecordProblems & { cause?: string; causeText?: string }>({})
  const { save, isBusy, failure } = useSave({
    send: (causa: CallCause) => {
      const body = { causa, causaTexto: causeText.trim(), feito: done.trim(), ...recordToSend(record) }
      return call(maintenanceCalls.solve, { params: { id: one.id }, body })
    },
    changes: [maintenanceCalls.list],
    toast: `Chamado ${one.numero} resolvido.`,
    onSaved: onClose,
  })
  const solve = () => {
    const found = {
      ...(cause === '' ? { cause: 'Informe a causa.' } : {}),
      ...(cause === 'outra' && causeText.trim() === '' ? { causeText: 'Informe a causa.' } : {}),
      ...recordProblems(record),
    }
    setProblems(found)
    if (cause !== '' && Object.keys(found).length === 0) return save(cause)
    const dialog = document.querySelector('[role=dialog]')
    if (dialog) focusFirstWrong(dialog)
  }
  const write = (fields: Partial<RecordForm>) => {
    setRecord((before) => ({ ...before, ...fields }))
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in fields))))
  }
  return (
    <FormDialog
      title={`Resolver chamado ${one.numero}`}
      width="md"
      saveText="Liberar para produção"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={solve}
      onClose={onClose}
    >
      <p>
        <strong className="code">{one.maquina}</strong> · {symptomTexts[one.sintoma]}
      </p>
      <SelectField
        label="Causa"
        placeholder="Selecione"
        options={causesOf(one.sintoma)}
        textOf={(known) => causeTexts[known]}
        value={cause}
        onChange={setCause}
        error={cause === '' ? problems.cause : undefined}
      />
      <TextField
        label="Descrição da causa"
        maxLength={CAUSE_LENGTH_MAX}
        value={causeText}
        onChange={setCauseText}
        error={causeText.trim() === '' ? problems.causeText : undefined}
      />
      <TextArea label="O que foi feito" maxLength={SERVICE_LENGTH_MAX} value={done} onChange={setDone} />
      <MaintenanceRecordFields form={record} problems={problems} onChange={write} isDisabled={isBusy} />
    </FormDialog>
  )
}

/** It was none, or is settled elsewhere. */
export function CancelDialog({ call: one, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const { save, isBusy, failure } = useSave({
    send: () =>
      call(
        maintenanceCalls.cancel,
        { params: { id: one.id }, body: { motivo: reason.trim() } },
        { versionSeen: one.version },
      ),
    changes: [maintenanceCalls.list],
    toast: `Chamado ${one.numero} cancelado.`,
    onSaved: onClose,
  })
  return (
    <FormDialog
      title={`Cancelar chamado ${one.numero}?`}
      saveText="Cancelar chamado"
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={() => (reason.trim() === '' ? setMissing(true) : save())}
      onClose={onClose}
    >
      <p>
        <strong className="code">{one.maquina}</strong> · {symptomTexts[one.sintoma]}
      </p>
      <TextField
        label="Motivo"
        isRequired
        autoFocus
        maxLength={CANCEL_REASON_LENGTH_MAX}
        value={reason}
        onChange={setReason}
        error={isMissing && reason.trim() === '' ? 'Informe o motivo.' : undefined}
      />
    </FormDialog>
  )
}

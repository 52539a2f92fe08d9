import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SERVICE_LENGTH_MAX } from '../../../../contract/crimp-counters.ts'
import {
  CANCEL_REASON_LENGTH_MAX,
  CAUSE_LENGTH_MAX,
  type CallCause,
  type CallSolution,
  type MaintenanceCall,
  maintenanceCalls,
} from '../../../../contract/maintenance-calls.ts'
import { saysSomething } from '../../../../contract/values.ts'
import { wearParts } from '../../../../contract/wear-parts.ts'
import { reasonText, teamOf, teamTexts } from '../../../../domain/tools/call-topics.ts'
import { calledUnitKey, causesOf, causeTexts } from '../../../../domain/tools/maintenance-calls.ts'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextArea, TextField } from '../../../ui/TextField.tsx'
import { ChangedParts, useChangedParts } from '../plan/ChangedParts.tsx'
import { partChange } from '../plan/plan.ts'
import { focusFirstWrong, MaintenanceRecordFields } from '../ResetDialog.tsx'
import { recordToSend, useRecordForm } from '../scheduling.ts'

type Props = { call: MaintenanceCall; onClose: () => void }

/** Asks for cause, remedy and replaced parts; the machine is free again. */
export function SolveDialog({ call: one, onClose }: Props) {
  const { cause, setCause, causeText, setCauseText, done, setDone, problems, record, changed, ...rest } = useSolving({
    call: one,
    onClose,
  })
  const { solve, isBusy, failure } = rest
  return (
    <FormDialog
      title={`Resolver chamado ${one.numero}`}
      width="md"
      saveText={teamOf(one) === 'manutencao' ? 'Liberar para produção' : 'Resolver'}
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={solve}
      onClose={onClose}
    >
      <p>
        <strong className="code">{one.maquina}</strong> · {teamTexts[teamOf(one)]}, {reasonText(one)}
      </p>
      <SelectField
        label="Causa"
        placeholder="Selecione"
        options={causesOf(one)}
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
        error={saysSomething(causeText) ? undefined : problems.causeText}
      />
      <TextArea label="O que foi feito" maxLength={SERVICE_LENGTH_MAX} value={done} onChange={setDone} />
      {teamOf(one) === 'manutencao' && (
        <>
          <ChangedParts {...changed} />
          <MaintenanceRecordFields {...record} isDisabled={isBusy} />
        </>
      )}
    </FormDialog>
  )
}

/** The parts of the tool of a call; none where it names none, or as long as they cannot be read. */
function useToolParts({ miniaplicador, ...call }: MaintenanceCall) {
  const enabled = calledUnitKey(miniaplicador) !== '' && teamOf(call) === 'manutencao'
  return useQuery({ ...query(wearParts.list, { params: { miniaplicador } }), enabled }).data?.mounted ?? []
}

function useSolving({ call: one, onClose }: Props) {
  const [cause, setCause] = useState<CallCause | ''>('')
  const [causeText, setCauseText] = useState('')
  const [done, setDone] = useState('')
  const [problems, setProblems] = useState<{ cause?: string; causeText?: string }>({})
  const { check, ...record } = useRecordForm()
  const changed = useChangedParts(useToolParts(one))
  const { save, isBusy, failure } = useSave({
    send: (body: CallSolution) => call(maintenanceCalls.solve, { params: { id: one.id }, body }),
    changes: [maintenanceCalls.list, ...partChange.changes],
    toast: `Chamado ${one.numero} resolvido.`,
    onSaved: onClose,
  })
  const solve = () => {
    const found = {
      ...(cause === '' ? { cause: 'Informe a causa.' } : {}),
      ...(cause === 'outra' && !saysSomething(causeText) ? { causeText: 'Informe a causa.' } : {}),
    }
    setProblems(found)
    const isRecordGood = check()
    const replaced = changed.read()
    if (cause !== '' && Object.keys(found).length === 0 && isRecordGood && replaced) {
      const replacedParts = replaced.length === 0 ? {} : { replacedParts: replaced }
      return save({
        causa: cause,
        causaTexto: causeText.trim(),
        feito: done.trim(),
        ...recordToSend(record.form),
        ...replacedParts,
      })
    }
    const dialog = document.querySelector('[role=dialog]')
    if (dialog) focusFirstWrong(dialog)
  }
  return {
    ...{ cause, setCause, causeText, setCauseText, done, setDone, problems },
    ...{ record, changed, solve, isBusy, failure },
  }
}

/** Cancels a call that was none, or is settled elsewhere. */
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
      onSave={() => (saysSomething(reason) ? save() : setMissing(true))}
      onClose={onClose}
    >
      <p>
        <strong className="code">{one.maquina}</strong> · {teamTexts[teamOf(one)]}, {reasonText(one)}
      </p>
      <TextField
        label="Motivo"
        isRequired
        autoFocus
        maxLength={CANCEL_REASON_LENGTH_MAX}
        value={reason}
        onChange={setReason}
        error={isMissing && !saysSomething(reason) ? 'Informe o motivo.' : undefined}
      />
    </FormDialog>
  )
}

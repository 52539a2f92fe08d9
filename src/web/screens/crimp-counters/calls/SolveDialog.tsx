import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CrimpCounter, crimpCounters, SERVICE_LENGTH_MAX } from '../../../../contract/crimp-counters.ts'
import {
  CANCEL_REASON_LENGTH_MAX,
  CAUSE_LENGTH_MAX,
  type CallCause,
  type CallSolution,
  type MaintenanceCall,
  maintenanceCalls,
} from '../../../../contract/maintenance-calls.ts'
import { roles, saysSomething } from '../../../../contract/values.ts'
import { roleTexts } from '../../../../domain/people/permissions.ts'
import { reasonText, teamOf, teamTexts } from '../../../../domain/tools/call-topics.ts'
import { wearText } from '../../../../domain/tools/crimp-counters.ts'
import { calledUnitKey, causesOf, causeTexts, mayAnswer } from '../../../../domain/tools/maintenance-calls.ts'
import { wornPart } from '../../../../domain/tools/wear-parts.ts'
import { useMay } from '../../../parts/permissions.tsx'
import { useSettings } from '../../../parts/settings.ts'
import { call } from '../../../server/api.ts'
import { query } from '../../../server/query.ts'
import { useSave } from '../../../server/save.ts'
import { Chips } from '../../../ui/Chips.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { TextArea, TextField } from '../../../ui/TextField.tsx'
import { ChangedParts, useChangedParts } from '../plan/ChangedParts.tsx'
import { partChange } from '../plan/plan.ts'
import { focusFirstWrong, MaintenanceRecordFields } from '../ResetDialog.tsx'
import { recordToSend, useRecordForm } from '../scheduling.ts'

type Props = { call: MaintenanceCall; onClose: () => void }

/** The usual remedies, a tap each. */
const remedies = ['Trocado', 'Ajustado', 'Limpo', 'Lubrificado'] as const
const isSaid = (text: string, word: string) => wordsOf(text).includes(word)
const wordsOf = (text: string) => text.split(', ').filter(Boolean)
const withWord = (text: string, word: string) =>
  (isSaid(text, word) ? wordsOf(text).filter((one) => one !== word) : [...wordsOf(text), word]).join(', ')

/** Asks for cause, remedy, replaced parts and counter; the machine is free again. */
export function SolveDialog({ call: one, onClose }: Props) {
  const { limitRoles } = useSettings()
  const solving = useSolving({ call: one, onClose })
  const { cause, chooseCause, causeText, setCauseText, done, setDone, problems, record, changed, counter } = solving
  const { solve, isBusy, failure } = solving
  const isMaintenance = teamOf(one) === 'manutencao'
  const release = counter.isReset ? 'Liberar e zerar' : 'Liberar para produção'
  const free = roles.filter((role) => mayAnswer(role, teamOf(one), limitRoles)).map((role) => roleTexts[role])
  return (
    <FormDialog
      title={`Resolver chamado ${one.numero}`}
      width="md"
      saveText={isMaintenance ? release : 'Resolver'}
      isValid
      isBusy={isBusy}
      error={failure}
      onSave={solve}
      onClose={onClose}
    >
      <p>
        <strong className="code">{one.maquina}</strong> · {teamTexts[teamOf(one)]}, {reasonText(one)}
      </p>
      <Chips
        label="Causa"
        options={causesOf(one).map((known) => ({ value: known, text: causeTexts[known] }))}
        isOn={(known) => known === cause}
        onPress={chooseCause}
        error={cause === '' ? problems.cause : undefined}
      />
      <TextField
        label="Descrição da causa"
        maxLength={CAUSE_LENGTH_MAX}
        value={causeText}
        onChange={setCauseText}
        error={saysSomething(causeText) ? undefined : problems.causeText}
      />
      {isMaintenance && <ChangedParts {...changed} />}
      {isMaintenance && (
        <Chips
          label="Feito"
          options={remedies.map((word) => ({ value: word, text: word }))}
          isOn={(word) => isSaid(done, word)}
          onPress={(word) => setDone(withWord(done, word))}
        />
      )}
      <TextArea label="O que foi feito" maxLength={SERVICE_LENGTH_MAX} value={done} onChange={setDone} />
      {isMaintenance && <MaintenanceRecordFields {...record} isDisabled={isBusy} />}
      {counter.unit && (
        <SwitchField
          label={`Zerar o contador (${wearText(counter.unit)})`}
          description={`${counter.unit.miniaplicator}: o limite continua o mesmo`}
          isOn={counter.isReset}
          onChange={counter.setReset}
        />
      )}
      <p className="text-sm text-muted">
        {isMaintenance ? 'Podem liberar' : 'Podem resolver'}: {free.join(', ')}.
      </p>
    </FormDialog>
  )
}

/** The counted tool of a call with its parts; undefined where it names none, or as long as it cannot be read. */
function useCalledUnit({ miniaplicador: miniaplicator, ...call }: MaintenanceCall): CrimpCounter | undefined {
  const enabled = calledUnitKey(miniaplicator) !== '' && teamOf(call) === 'manutencao'
  return useQuery({ ...query(crimpCounters.get, { params: { miniaplicator } }), enabled }).data
}

function useSolving({ call: one, onClose }: Props) {
  const [cause, setCause] = useState<CallCause | ''>('')
  const [causeText, setCauseText] = useState('')
  const [done, setDone] = useState('')
  const [isReset, setReset] = useState(false)
  const [problems, setProblems] = useState<{ cause?: string; causeText?: string }>({})
  const { check, ...record } = useRecordForm()
  const unit = useCalledUnit(one)
  const mayReset = useMay('limits')
  const { propose, ...changed } = useChangedParts(unit?.pecas ?? [])
  const [hasParts, setHasParts] = useState(false)
  if (unit && !hasParts) {
    setHasParts(true)
    // a cause may be chosen before the parts have come
    if (cause !== '') propose(wornPart(unit.pecas ?? [], cause))
  }
  const { save, isBusy, failure } = useSave({
    send: (body: CallSolution) => call(maintenanceCalls.solve, { params: { id: one.id }, body }),
    changes: [maintenanceCalls.list, ...partChange.changes],
    toast: `Chamado ${one.numero} resolvido.`,
    onSaved: onClose,
  })
  const chooseCause = (chosen: CallCause) => {
    setCause(chosen)
    propose(wornPart(changed.parts, chosen))
  }
  const solve = () => {
    const found = {
      ...(cause === '' ? { cause: 'Informe a causa.' } : {}),
      ...(cause === 'outra' && !saysSomething(causeText) ? { causeText: 'Informe a causa.' } : {}),
    }
    setProblems(found)
    const isRecordGood = check()
    const replaced = changed.read()
    if (cause !== '' && Object.keys(found).length === 0 && isRecordGood && replaced) {
      return save({
        causa: cause,
        causaTexto: causeText.trim(),
        feito: done.trim(),
        ...recordToSend(record.form),
        ...replaced,
        ...(isReset && unit ? { zerarContador: unit.version } : {}),
      })
    }
    focusFirstWrong(document.querySelector('[role=dialog]'))
  }
  return {
    ...{ cause, chooseCause, causeText, setCauseText, done, setDone, problems },
    ...{ record, changed, solve, isBusy, failure },
    counter: { unit: mayReset ? unit : undefined, isReset, setReset },
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

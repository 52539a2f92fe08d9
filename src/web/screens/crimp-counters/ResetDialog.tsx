import { Infinity as InfinityIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { type CrimpCounter, crimpCounters, LIMIT_CRIMPS_DEFAULT, UNLIMITED } from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { call } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { TextField } from '../../ui/TextField.tsx'
import { isChangedMeanwhile, LOAD_FAILED, useCounterChange, useReload } from './counters.ts'
import { limitText, readNewLimit } from './limits.ts'
import { focusFirstWrong, MaintenanceRecordFields } from './MaintenanceRecordFields.tsx'
import {
  emptyRecord,
  type RecordForm,
  type RecordProblems,
  recordProblems,
  recordToSend,
} from './maintenance-records.ts'
import { failureText } from './reading-states.tsx'

type Props = {
  unit: CrimpCounter
  /** Something was typed into its schedule and not saved. */
  isTyped: boolean
  onDone: () => void
  onClose: () => void
}

type Asked = { miniaplicator: string; newLimitOfCrimps: number; versionSeen: number; record: RecordForm }

const reset = ({ miniaplicator, newLimitOfCrimps, versionSeen, record }: Asked) => {
  const body = { miniaplicator, newLimitOfCrimps, ...recordToSend(record) }
  return call(crimpCounters.reset, { params: { miniaplicator }, body }, { versionSeen })
}

/** Asks for the limit of the cycle that begins. It is about the unit that it was opened for, whatever the list says. */
export function ResetDialog({ unit, isTyped, onDone, onClose }: Props) {
  const { seen, typed, setTyped, newLimit, record, act, takeCurrent, isBusy, problem, isChanged, failure } = useReset(
    unit,
    () => {
      onDone()
      onClose()
    },
  )
  return (
    <ConfirmDialog
      title="Zerar crimpagens"
      kind="danger"
      confirmText="Zerar crimpagens"
      busyText="Zerando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={() => void act()}
      onClose={onClose}
    >
      <p>
        O contador de <strong className="code">{seen.miniaplicator}</strong> volta a zero. As{' '}
        {formatCount(seen.numberOfCrimps)} crimpagens ficam no histórico e no total; ordem de serviço, previsão e
        informações são limpas.
      </p>
      {isTyped && <p className="font-medium text-warn-ink">O que foi digitado e não foi salvo se perde.</p>}
      {isChanged && (
        <Alert isUntitled action={<Button onPress={() => void takeCurrent()}>Recarregar</Button>}>
          {refusals.changed_meanwhile.message}
        </Alert>
      )}
      <TextField
        label="Novo limite de crimpagens"
        value={typed}
        onChange={setTyped}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        code
        error={problem ?? undefined}
        description={newLimit.kind === 'limit' ? `Novo limite: ${limitText(newLimit.limit)}` : undefined}
        trailing={
          <IconButton
            label="Ilimitado"
            icon={<InfinityIcon {...icon.md} />}
            onPress={() => setTyped(String(UNLIMITED))}
          />
        }
      />
      <MaintenanceRecordFields {...record} />
    </ConfirmDialog>
  )
}

function useReset(unit: CrimpCounter, onDone: () => void) {
  const [seen, setSeen] = useState(unit)
  const [typed, setTyped] = useState(String(unit.limitOfCrimps || LIMIT_CRIMPS_DEFAULT))
  const [isBusy, setBusy] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [failure, setFailure] = useState<ReactNode>(null)
  /** The second click of a double click comes before the screen has been drawn again. */
  const isHeld = useRef(false)
  const send = useCounterChange(reset)
  const reload = useReload()
  const newLimit = readNewLimit(typed)
  const [form, setForm] = useState(emptyRecord)
  const [problems, setProblems] = useState<RecordProblems>({})
  const act = async () => {
    if (isHeld.current || newLimit.kind === 'wrong') return
    const found = recordProblems(form)
    setProblems(found)
    if (Object.keys(found).length > 0) {
      const dialog = document.querySelector('[role=alertdialog]')
      if (dialog) focusFirstWrong(dialog)
      return
    }
    isHeld.current = true
    setBusy(true)
    setFailure(null)
    try {
      const { miniaplicator, version: versionSeen } = seen
      await send({ miniaplicator, newLimitOfCrimps: newLimit.limit, versionSeen, record: form })
      onDone()
    } catch (error) {
      const isOthers = isChangedMeanwhile(error)
      setChanged(isOthers)
      setFailure(isOthers ? null : failureText('Erro ao resetar contador de crimpagens', error))
    }
    isHeld.current = false
    setBusy(false)
  }
  const takeCurrent = async () => {
    try {
      setSeen(await reload(seen.miniaplicator))
      setChanged(false)
    } catch (error) {
      setFailure(failureText(LOAD_FAILED, error))
    }
  }
  const problem = newLimit.kind === 'wrong' ? newLimit.problem : null
  const write = (fields: Partial<RecordForm>) => {
    setForm((before) => ({ ...before, ...fields }))
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in fields))))
  }
  const record = { form, problems, onChange: write, isDisabled: isBusy }
  return { seen, typed, setTyped, newLimit, record, act, takeCurrent, isBusy, problem, isChanged, failure }
}

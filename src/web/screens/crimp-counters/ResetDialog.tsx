import { ChevronDown, ClipboardCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { NAME_LENGTH_MAX } from '../../../contract/applicators.ts'
import {
  type CrimpCounter,
  crimpCounters,
  LIMIT_CRIMPS_DEFAULT,
  PARTS_LENGTH_MAX,
  SERVICE_LENGTH_MAX,
  safetyConditions,
} from '../../../contract/crimp-counters.ts'
import { refusals } from '../../../contract/errors.ts'
import { safetyTexts } from '../../../domain/tools/crimp-counters.ts'
import { useMay } from '../../parts/permissions.tsx'
import { call, type Parts } from '../../server/api.ts'
import { isChangedMeanwhile, useSave } from '../../server/save.ts'
import { formatCount } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { counterChange, LOAD_FAILED, limitText } from './counters.ts'
import { readNewLimit } from './limit-edits.ts'
import { ChangedParts, useChangedParts } from './plan/ChangedParts.tsx'
import { LimitField } from './plan/PartFields.tsx'
import {
  isBegun,
  type RecordForm,
  type RecordProblems,
  recordFields,
  recordToSend,
  useRecordForm,
} from './scheduling.ts'
import { failureText } from './table-parts.tsx'

type MaintenanceRecordFieldsProps = {
  form: RecordForm
  problems: RecordProblems
  onChange: (fields: Partial<RecordForm>) => void
  isDisabled?: boolean
}

const withoutTabs = (text: string) => text.replaceAll('\t', ' ')

/** Fields of the NR-12 record, out of the way of those who keep it elsewhere. Opens by itself where it is not in order. */
export function MaintenanceRecordFields({
  form,
  problems,
  onChange,
  isDisabled = false,
}: MaintenanceRecordFieldsProps) {
  const id = useId()
  const [isQuestionOpen, setQuestionOpen] = useState(isBegun(form))
  const isOpen = isQuestionOpen || recordFields.some((field) => problems[field])
  return (
    <div className="rounded-md border border-line bg-sunken">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setQuestionOpen(!isOpen)}
        className="flex min-h-12 w-full cursor-pointer items-center gap-2 rounded-md px-3 py-2 text-left font-semibold focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-focus"
      >
        <ClipboardCheck {...icon.md} className="shrink-0" />
        <span className="flex-1">
          Registro de manutenção NR-12 <span className="font-normal text-muted">(opcional)</span>
        </span>
        <ChevronDown {...icon.md} className={isOpen ? 'shrink-0 rotate-180' : 'shrink-0'} />
      </button>
      <div id={id} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-4 border-t border-line p-3' : undefined}>
        <TextArea
          label="Serviço realizado"
          maxLength={SERVICE_LENGTH_MAX}
          value={form.serviceDone}
          onChange={(serviceDone) => onChange({ serviceDone: withoutTabs(serviceDone) })}
          isDisabled={isDisabled}
          error={problems.serviceDone}
        />
        <TextArea
          label="Peças reparadas ou trocadas"
          maxLength={PARTS_LENGTH_MAX}
          value={form.parts}
          onChange={(parts) => onChange({ parts: withoutTabs(parts) })}
          isDisabled={isDisabled}
          description="Deixe em branco se nenhuma."
        />
        <SelectField
          label="Condição de segurança"
          placeholder="Selecione"
          options={safetyConditions}
          textOf={(condition) => safetyTexts[condition]}
          value={form.safetyCondition}
          onChange={(safetyCondition) => onChange({ safetyCondition })}
          isDisabled={isDisabled}
          error={problems.safetyCondition}
        />
        <TextField
          label="Responsável"
          maxLength={NAME_LENGTH_MAX}
          value={form.responsible}
          onChange={(responsible) => onChange({ responsible })}
          isDisabled={isDisabled}
          error={problems.responsible}
        />
      </div>
    </div>
  )
}

/** Not before the fields have been drawn again with what is wrong with them. */
export const focusFirstWrong = (within: ParentNode | null) =>
  requestAnimationFrame(() => within?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

type Props = {
  unit: CrimpCounter
  /** Something was typed into its schedule and not saved. */
  isTyped: boolean
  onDone: () => void
  onClose: () => void
}

/** Asks for the limit of the cycle that begins. It is about the unit that it was opened for, whatever the list says. */
export function ResetDialog({ unit, isTyped, onDone, onClose }: Props) {
  const { seen, typed, setTyped, newLimit, record, changed, act, ...state } = useReset(unit, () => {
    onDone()
    onClose()
  })
  const { reload, isBusy, isChanged, failure } = state
  return (
    <ConfirmDialog
      title="Zerar crimpagens"
      kind="danger"
      confirmText="Zerar crimpagens"
      busyText="Zerando..."
      isBusy={isBusy}
      error={failure}
      onConfirm={act}
      onClose={onClose}
    >
      <p>
        O contador de <strong className="code">{seen.miniaplicator}</strong> volta a zero.{' '}
        {seen.numberOfCrimps === 1
          ? 'A única crimpagem fica'
          : `As ${formatCount(seen.numberOfCrimps)} crimpagens ficam`}{' '}
        no histórico e no total; ordem de serviço, previsão e informações serão apagadas.
      </p>
      {isTyped && <p className="font-medium text-warn-ink">O que você digitou e não salvou será perdido.</p>}
      {isChanged && (
        <Alert isUntitled action={<Button onPress={reload}>Recarregar</Button>}>
          {refusals.changed_meanwhile.message}
        </Alert>
      )}
      <LimitField
        label="Novo limite de crimpagens"
        value={typed}
        onChange={setTyped}
        error={newLimit.kind === 'wrong' ? newLimit.problem : undefined}
        description={newLimit.kind === 'limit' ? `Novo limite: ${limitText(newLimit.limit)}` : undefined}
      />
      <ChangedParts {...changed} />
      <MaintenanceRecordFields {...record} isDisabled={isBusy} />
    </ConfirmDialog>
  )
}

function useReset(unit: CrimpCounter, onDone: () => void) {
  const [seen, setSeen] = useState(unit)
  const [typed, setTyped] = useState(String(unit.limitOfCrimps || LIMIT_CRIMPS_DEFAULT))
  const newLimit = readNewLimit(typed)
  const { check, ...record } = useRecordForm()
  const mayChangeParts = useMay('maintain')
  const { miniaplicator, pecas = [] } = seen
  const changed = useChangedParts(mayChangeParts ? pecas : [])
  const { save, isBusy, error, isChanged, reload } = useSave({
    ...counterChange,
    send: (body: Parts<typeof crimpCounters.reset>['body']) =>
      call(crimpCounters.reset, { params: { miniaplicator }, body }, { versionSeen: seen.version }),
    onSaved: onDone,
    reread: async () => setSeen(await call(crimpCounters.get, { params: { miniaplicator } })),
  })
  const act = () => {
    if (newLimit.kind === 'wrong') return
    const replaced = changed.read()
    if (!check() || !replaced) return focusFirstWrong(document.querySelector('[role=alertdialog]'))
    save({ miniaplicator, newLimitOfCrimps: newLimit.limit, ...recordToSend(record.form), ...replaced })
  }
  const failed = isChanged ? LOAD_FAILED : 'Erro ao resetar contador de crimpagens'
  const failure = error && !isChangedMeanwhile(error) && failureText(failed, error)
  return { seen, typed, setTyped, newLimit, record, changed, act, reload, isBusy, isChanged, failure }
}

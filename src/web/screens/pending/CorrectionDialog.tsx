import { Send } from 'lucide-react'
import { useState } from 'react'
import { type PendingCutCrimp, pendingRecordings } from '../../../contract/pending-recordings.ts'
import {
  type CorrectionForm,
  correctedRecording,
  correctionFormOf,
  correctionRefusal,
  itemWithout,
  settleCorrection,
} from '../../../domain/corrections.ts'
import { machineText, quantityBounds } from '../../../domain/recording-form.ts'
import { call, serverNow } from '../../api.ts'
import { LotField, MeasurementField, PickField, QuantityField } from '../../parts/fields.tsx'
import { ApplicatorSelector } from '../../parts/selectors/ApplicatorSelector.tsx'
import { MachineSelector, machineTypeOf } from '../../parts/selectors/MachineSelector.tsx'
import { useSettings } from '../../parts/settings.ts'
import { newId } from '../../recordings.ts'
import { knownEpoch } from '../../status.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { icon } from '../../ui/icon-sizes.ts'
import { type CorrectionDraft, dropCorrection, keepCorrection, readCorrection } from './correction-drafts.ts'
import { noteDecision, usePendingAction } from './pending-actions.ts'
import { RecordingSummary, recordedPart, recordingTitle } from './RecordingSummary.tsx'

type Props = { pending: PendingCutCrimp; onClose: () => void }

/** The act told right and sent again. Escape keeps what was typed, 'Cancelar' does not. */
export function CorrectionDialog({ pending, onClose }: Props) {
  const { form, change, send, isBusy, notice } = useCorrection(pending, onClose)
  const [list, setList] = useState<'machine' | 'applicator' | null>(null)
  const { apontamento, item, motivo, situacao } = pending
  const isUncertain = situacao === 'incerto'
  const cancel = () => {
    dropCorrection(pending.id)
    onClose()
  }
  return (
    <>
      <Dialog
        title="Corrigir e reenviar"
        isOpen
        onClose={onClose}
        width="md"
        error={notice && <Alert kind={notice.kind}>{notice.text}</Alert>}
        actions={
          <>
            <Button size="lg" onPress={cancel}>
              Cancelar
            </Button>
            <Button
              variant="primary"
              icon={<Send {...icon.md} />}
              busy={isBusy}
              busyText="Reenviando..."
              onPress={send}
            >
              Reenviar
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-2">
          <p className="text-lg font-semibold">{recordingTitle(apontamento)}</p>
          <RecordingSummary recording={apontamento} item={item ?? undefined} />
          {motivo && <p className={`font-medium ${isUncertain ? 'text-warn-ink' : 'text-bad-ink'}`}>{motivo}</p>}
        </div>
        {isUncertain && (
          <Alert kind="warning">
            Confira antes no ERP: se ele já tem este apontamento, reenviar conta as peças duas vezes.
          </Alert>
        )}
        <CorrectionFields pending={pending} form={form} change={change} onPick={setList} />
      </Dialog>
      {list && <Selector list={list} pending={pending} change={change} onClose={() => setList(null)} />}
    </>
  )
}

type Change = (fields: Partial<CorrectionForm>) => void
type Notice = { kind: 'warning' | 'error'; text: string }

function useCorrection(pending: PendingCutCrimp, onClose: () => void) {
  const { id, apontamento } = pending
  const part = recordedPart(apontamento)
  const [draft, setDraft] = useState<CorrectionDraft>(
    () => readCorrection(id) ?? { form: correctionFormOf(apontamento, part), sent: null },
  )
  const [warning, setWarning] = useState<string | null>(null)
  const keep = (next: CorrectionDraft) => {
    keepCorrection(id, next)
    setDraft(next)
  }
  const resend = async () => {
    const body = correctedRecording(apontamento, part, draft.form)
    const content = JSON.stringify(body)
    const sent = draft.sent?.content === content ? draft.sent : { id: newId(), content }
    keep({ ...draft, sent })
    const epoch = knownEpoch()
    const answer = await call(pendingRecordings.correct, { params: { id }, body }, { idempotencyKey: sent.id })
    const answeredAt = new Date(serverNow()).toISOString()
    await noteDecision(id, { id: sent.id, payload: body, answeredAt, epoch })
    return answer
  }
  const done = () => {
    dropCorrection(id)
    onClose()
  }
  const { act, isBusy, errorText } = usePendingAction(pending, resend, done)
  const send = () => {
    const { form, warnings } = settleCorrection(draft.form, itemBefore(pending), part)
    const refusal = correctionRefusal(form, part)
    setWarning(refusal ?? (warnings.length > 0 ? warnings.join(' ') : null))
    if (warnings.length > 0) keep({ ...draft, form })
    // What was brought within its bounds is seen before it is sent.
    else if (!refusal) act()
  }
  const notice: Notice | null = warning
    ? { kind: 'warning', text: warning }
    : errorText
      ? { kind: 'error', text: errorText }
      : null
  const change: Change = (fields) => keep({ ...draft, form: { ...draft.form, ...fields } })
  return { form: draft.form, change, send, isBusy, notice }
}

/** Only what is uncertain has pieces on their way: the ERP may have them. */
const itemBefore = ({ item, apontamento, situacao }: PendingCutCrimp) =>
  itemWithout(item, recordedPart(apontamento), situacao === 'incerto' ? apontamento.QTD_REALIZADA : 0)

type FieldsProps = {
  pending: PendingCutCrimp
  form: CorrectionForm
  change: Change
  onPick: (list: 'machine' | 'applicator') => void
}

function CorrectionFields({ pending, form, change, onPick }: FieldsProps) {
  const { forceUnit } = useSettings()
  const part = recordedPart(pending.apontamento)
  const item = itemBefore(pending)
  const field = { isDisabled: false, onBlur: () => undefined }
  return (
    <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
      <LotField {...field} value={form.lot} onChange={(lot) => change({ lot })} />
      <QuantityField
        {...field}
        value={form.quantity}
        balancePieces={item && quantityBounds(item, part).max}
        onChange={(quantity) => change({ quantity })}
      />
      {part !== 'cabo' && (
        <>
          <MeasurementField
            {...field}
            label={`Força de extração (${forceUnit})`}
            placeholder="Digite a força"
            decimals={0}
            value={form.force}
            onChange={(force) => change({ force })}
          />
          <MeasurementField
            {...field}
            label="Altura de crimpagem (mm)"
            placeholder="Digite a altura"
            decimals={2}
            value={form.height}
            onChange={(height) => change({ height })}
          />
          <div className="sm:col-span-2">
            <PickField
              {...field}
              label="Mini aplicador"
              placeholder="Selecione o mini aplicador"
              pickLabel="Selecionar mini aplicador"
              value={form.applicator}
              onPick={() => onPick('applicator')}
            />
          </div>
        </>
      )}
      <div className="sm:col-span-2">
        <PickField
          {...field}
          label="Máquina"
          placeholder="Selecione a máquina"
          pickLabel="Selecionar máquina"
          value={form.machine}
          onPick={() => onPick('machine')}
        />
      </div>
    </div>
  )
}

type SelectorProps = Props & { list: 'machine' | 'applicator'; change: Change }

function Selector({ list, pending, change, onClose }: SelectorProps) {
  const { EMPRESA: branch, TERM_LD1, TERM_LD2 } = pending.apontamento
  return list === 'machine' ? (
    <MachineSelector
      branch={branch}
      type={machineTypeOf[recordedPart(pending.apontamento)]}
      onSelect={(machine) => {
        change({ machine: machineText(machine) })
        onClose()
      }}
      onClose={onClose}
    />
  ) : (
    <ApplicatorSelector
      terminal={TERM_LD1 ?? TERM_LD2 ?? null}
      onSelect={({ miniaplicator }) => {
        change({ applicator: miniaplicator })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

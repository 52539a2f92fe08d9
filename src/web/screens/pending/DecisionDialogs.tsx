import { useState } from 'react'
import { type PendingRecording, pendingRecordings, REASON_LENGTH_MAX } from '../../../contract/pending-recordings.ts'
import { crimpsOf } from '../../../domain/recordings.ts'
import { call } from '../../api.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { noteDecision, usePendingAction } from './pending-actions.ts'
import { PendingSummary, pendingTitle } from './RecordingSummary.tsx'

type Props = { pending: PendingRecording; onClose: () => void }

export function DeliveredDialog({ pending, onClose }: Props) {
  const [reason, setReason] = useState('')
  const mark = () =>
    call(pendingRecordings.markDelivered, { params: { id: pending.id }, body: { motivo: reason.trim() } })
  const { act, isBusy, errorText } = usePendingAction(pending, mark, onClose)
  return (
    <ConfirmDialog
      title="Marcar como entregue?"
      kind="warning"
      confirmText="Marcar como entregue"
      busyText="Marcando..."
      isBusy={isBusy}
      error={errorText}
      onConfirm={act}
      onClose={onClose}
    >
      <Decided pending={pending} />
      <p>O ERP já tem este apontamento? Ele não será enviado de novo.</p>
      <TextField
        label="Motivo (opcional)"
        value={reason}
        onChange={setReason}
        maxLength={REASON_LENGTH_MAX}
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}

export function DiscardDialog({ pending, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const discard = async () => {
    const { id } = pending
    const answer = await call(pendingRecordings.discard, { params: { id }, body: { motivo: reason.trim() } })
    await noteDecision(id, null)
    return answer
  }
  const { act, isBusy, errorText } = usePendingAction(pending, discard, onClose)
  const confirm = () => {
    const isEmpty = reason.trim() === ''
    setMissing(isEmpty)
    if (!isEmpty) act()
  }
  const crimps = pending.tipo === 'corte-crimpagem' ? crimpsOf(pending.apontamento) : null
  return (
    <ConfirmDialog
      title="Descartar apontamento?"
      kind="danger"
      confirmText="Descartar"
      busyText="Descartando..."
      isBusy={isBusy}
      error={errorText}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Decided pending={pending} />
      <p>
        {crimps
          ? `As peças saem da produção e do contador do mini aplicador ${crimps.applicator}.`
          : pending.tipo === 'recebimento'
            ? 'O recebimento deixa de contar.'
            : 'As peças saem da produção.'}{' '}
        Não é possível desfazer.
        {pending.situacao !== 'recusado' && ' Confira antes no ERP: o que ele já tem não se descarta aqui.'}
      </p>
      <TextField
        label="Motivo"
        isRequired
        autoFocus
        value={reason}
        onChange={setReason}
        error={isMissing ? 'Informe o motivo.' : undefined}
        maxLength={REASON_LENGTH_MAX}
        autoComplete="off"
      />
    </ConfirmDialog>
  )
}

const Decided = ({ pending }: { pending: PendingRecording }) => (
  <div className="flex flex-col gap-1">
    <p className="text-lg font-semibold">{pendingTitle(pending)}</p>
    <PendingSummary pending={pending} />
  </div>
)

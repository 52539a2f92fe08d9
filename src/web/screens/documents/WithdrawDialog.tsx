import { useState } from 'react'
import { documentChanges, WITHDRAWAL_REASON_LENGTH_MAX } from '../../../contract/documents.ts'
import type { DocumentEntry } from '../../parts/documents/documents.ts'
import { call } from '../../server/api.ts'
import { useSave } from '../../server/save.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { changeFailure, changes } from './acts.ts'

type Props = { entry: DocumentEntry; onClose: () => void }

/** Asks before a revision goes out of sight, and why. */
export function WithdrawDialog({ entry: { document, revision }, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const { save, isBusy, error } = useSave({
    changes,
    toast: 'Revisão retirada com sucesso!',
    onSaved: onClose,
    send: () => call(documentChanges.withdraw, { params: { id: revision.id }, body: { motivo: reason.trim() } }),
  })
  const confirm = () => {
    if (reason.trim() === '') return setReasonMissing(true)
    save()
  }
  return (
    <ConfirmDialog
      title="Retirar documento"
      kind="danger"
      confirmText="Retirar"
      busyText="Retirando..."
      isBusy={isBusy}
      error={error && changeFailure(error)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        Retirar a revisão {revision.revisao} de {document.titulo}?
      </p>
      <p className="text-muted">Os operadores deixam de vê-la. O arquivo fica guardado e pode ser devolvido.</p>
      <TextField
        label="Motivo"
        isRequired
        autoComplete="off"
        maxLength={WITHDRAWAL_REASON_LENGTH_MAX}
        value={reason}
        onChange={(text) => {
          setReason(text)
          setReasonMissing(false)
        }}
        error={isReasonMissing ? 'Informe o motivo' : undefined}
      />
    </ConfirmDialog>
  )
}

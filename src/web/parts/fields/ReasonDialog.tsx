import { type ReactNode, useState } from 'react'
import {
  LIMIT_REASON_LENGTH_MAX,
  type LimitReason,
  type LimitReasonCode,
  limitReasons,
} from '../../../contract/recordings.ts'
import { limitReasonRefusal, limitReasonTexts } from '../../../domain/forms/order-limits.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  title: string
  confirmText: string
  onConfirm: (reason: LimitReason) => void
  onClose: () => void
  children: ReactNode
}

/** Asks why something is registered all the same. Mounted while it is open. */
export function ReasonDialog({ title, confirmText, children, onConfirm, onClose }: Props) {
  const [motivo, setMotivo] = useState<LimitReasonCode | ''>('')
  const [texto, setTexto] = useState('')
  const [error, setError] = useState<string | null>(null)
  const confirm = () => {
    const refusal = limitReasonRefusal(motivo, texto)
    setError(refusal)
    if (refusal === null && motivo !== '') onConfirm({ motivo, texto: texto.trim() })
  }
  return (
    <ConfirmDialog
      title={title}
      kind="warning"
      confirmText={confirmText}
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{children}</p>
      <SelectField
        label="Motivo"
        placeholder="Selecione"
        options={limitReasons}
        textOf={(reason) => limitReasonTexts[reason]}
        value={motivo}
        onChange={setMotivo}
      />
      <TextField label="Descrição" maxLength={LIMIT_REASON_LENGTH_MAX} value={texto} onChange={setTexto} />
    </ConfirmDialog>
  )
}

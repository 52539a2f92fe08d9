import { useState } from 'react'
import {
  LIMIT_REASON_LENGTH_MAX,
  type LimitReason,
  type LimitReasonCode,
  limitReasons,
} from '../../../contract/recordings.ts'
import { limitReasonRefusal, limitReasonTexts } from '../../../domain/order-limits.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = {
  /** What speaks against it: 'Falta medir a primeira peça.' */
  text: string
  onConfirm: (reason: LimitReason) => void
  onClose: () => void
}

/** Asks why work outside its plan is registered all the same. Mounted while it is open. */
export function PlanReasonDialog({ text, onConfirm, onClose }: Props) {
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
      title="Registrar fora do plano?"
      kind="warning"
      confirmText="Registrar assim mesmo"
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{text}</p>
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

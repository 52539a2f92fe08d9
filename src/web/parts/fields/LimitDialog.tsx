import { type ReactNode, useState } from 'react'
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
  /** 'Abaixo do mínimo de 70 N' */
  wrong: string
  force: string
  onConfirm: (reason: LimitReason) => void
  onClose: () => void
}

type Question = Pick<Props, 'wrong' | 'force'> & { onReason: (reason: LimitReason) => void }

/** Asked once before work with a force below what is asked for is registered. */
export function useLimitQuestion(onOpenChange?: (isOpen: boolean) => void) {
  const [question, setQuestion] = useState<Question | null>(null)
  const show = (question: Question | null) => {
    setQuestion(question)
    onOpenChange?.(question !== null)
  }
  const onConfirm = (reason: LimitReason) => {
    show(null)
    question?.onReason(reason)
  }
  return {
    ask: show,
    dialog: question && <LimitDialog {...question} onConfirm={onConfirm} onClose={() => show(null)} />,
  }
}

const LimitDialog = ({ wrong, force, ...answers }: Props) => (
  <ReasonDialog title="Registrar com força abaixo do mínimo?" confirmText="Registrar" {...answers}>
    Força informada: <strong className="code">{force}</strong>. {wrong}.
  </ReasonDialog>
)

type ReasonProps = Pick<Props, 'onConfirm' | 'onClose'> & { title: string; confirmText: string; children: ReactNode }

/** Asks why something is registered all the same. Mounted while it is open. */
export function ReasonDialog({ title, confirmText, children, onConfirm, onClose }: ReasonProps) {
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

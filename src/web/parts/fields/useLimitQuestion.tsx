import { useState } from 'react'
import type { LimitReason } from '../../../contract/recordings.ts'
import { LateDialog } from '../LateDialog.tsx'

const loadDialog = async () => (await import('./ReasonDialog.tsx')).ReasonDialog

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
  <LateDialog load={loadDialog} title="Registrar com força abaixo do mínimo?" confirmText="Registrar" {...answers}>
    Força informada: <strong className="code">{force}</strong>. {wrong}.
  </LateDialog>
)

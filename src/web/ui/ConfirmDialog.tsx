import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { icon } from './icon-sizes.ts'

const kinds = {
  danger: { mark: 'bg-bad-soft text-bad-ink', button: 'danger', Icon: OctagonAlert },
  warning: { mark: 'bg-warn-soft text-warn-ink', button: 'primary', Icon: TriangleAlert },
  info: { mark: 'bg-brand-soft text-brand-ink', button: 'primary', Icon: Info },
  success: { mark: 'bg-ok-soft text-ok-ink', button: 'primary', Icon: CircleCheck },
} as const

type Props = {
  /** The question. */
  title: string
  kind: keyof typeof kinds
  /** The consequence, and details. */
  children: ReactNode
  confirmText?: string
  cancelText?: string
  busyText?: string
  /** Two answers of like weight, for gloves: half the dialog each. */
  isAnswer?: boolean
  isBusy?: boolean
  /** Answer to the last try. */
  error?: ReactNode
  errorAction?: ReactNode
  onConfirm: () => void
  /** Cancelled: also by Escape, the close button and a press beside the dialog. Not while it is busy. */
  onClose: () => void
}

/** Asks before what cannot be taken back. Mounted while it is open; nothing in it answers to a stray Enter. */
export function ConfirmDialog(props: Props) {
  const { title, kind, children, error, errorAction, isAnswer, onConfirm, onClose, ...texts } = props
  const { mark, button, Icon } = kinds[kind]
  const size = isAnswer ? 'xl' : 'lg'
  const { confirmText = 'Confirmar', cancelText = 'Cancelar', busyText = confirmText, isBusy = false } = texts
  return (
    <Dialog
      title={title}
      role="alertdialog"
      onClose={onClose}
      isBusy={isBusy}
      error={
        error && (
          <Alert isUntitled action={errorAction}>
            {error}
          </Alert>
        )
      }
      actions={
        <div className={isAnswer ? 'grid w-full grid-cols-2 gap-6' : 'contents'}>
          <Button size={size} isDisabled={isBusy} onPress={onClose}>
            {cancelText}
          </Button>
          <Button size={size} variant={button} busy={isBusy} busyText={busyText} onPress={onConfirm}>
            {confirmText}
          </Button>
        </div>
      }
    >
      <div className="flex items-start gap-3 sm:gap-4">
        <span className={`flex size-8 shrink-0 items-center justify-center rounded-full sm:size-11 ${mark}`}>
          <Icon {...icon.lg} className="max-sm:size-5" />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-4">{children}</div>
      </div>
    </Dialog>
  )
}

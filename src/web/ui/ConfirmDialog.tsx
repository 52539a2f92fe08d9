import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { icon } from './icon-sizes.ts'

const kinds = {
  warning: { mark: 'bg-warn-soft text-warn-ink', button: 'primary' },
  danger: { mark: 'bg-bad-soft text-bad-ink', button: 'danger' },
} as const

type Props = {
  /** What is asked. */
  title: string
  kind: keyof typeof kinds
  /** What will happen, and what more has to be told. */
  children: ReactNode
  confirmText: string
  busyText: string
  isBusy: boolean
  /** What the last try was answered. */
  error: string | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before what cannot be taken back. Mounted while it is open; nothing in it answers to a stray Enter. */
export function ConfirmDialog({ title, kind, children, error, onClose, ...action }: Props) {
  const { mark, button } = kinds[kind]
  const { confirmText, busyText, isBusy, onConfirm } = action
  return (
    <Dialog
      title={title}
      role="alertdialog"
      isOpen
      onClose={onClose}
      error={error && <Alert>{error}</Alert>}
      actions={
        <>
          <Button size="lg" onPress={onClose}>
            Cancelar
          </Button>
          <Button size="lg" variant={button} busy={isBusy} busyText={busyText} onPress={onConfirm}>
            {confirmText}
          </Button>
        </>
      }
    >
      <div className="flex items-start gap-4">
        <span className={`flex size-11 max-sm:hidden shrink-0 items-center justify-center rounded-full ${mark}`}>
          <TriangleAlert {...icon.lg} />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-4">{children}</div>
      </div>
    </Dialog>
  )
}

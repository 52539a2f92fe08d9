import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, IconButton } from './Button.tsx'
import { icon } from './icon-sizes.ts'

type RetryAlertProps = {
  kind?: 'error' | 'warning'
  /** As in `Alert`. */
  isUntitled?: boolean
  /** Something earlier is still shown: nothing of it moves, the alert lies on the lower edge of the screen. */
  hasOld?: boolean
  isRetrying: boolean
  busyText?: string
  onRetry: () => unknown
  children: ReactNode
}

/** Why something could not be read, with the way to read it again. */
export function RetryAlert({ hasOld, isRetrying, busyText = 'Carregando...', onRetry, ...alert }: RetryAlertProps) {
  const shown = (
    <Alert
      {...alert}
      action={
        <Button busy={isRetrying} busyText={busyText} onPress={() => void onRetry()}>
          Tentar novamente
        </Button>
      }
    />
  )
  // last in its column: 'sticky' holds only what would stand below the edge
  if (!hasOld) return shown
  return (
    <div data-primary className="sticky bottom-3 z-30 order-last rounded-lg shadow-float">
      {shown}
    </div>
  )
}

const kinds = {
  error: { look: 'border-bad-line bg-bad-soft text-bad-ink', Icon: CircleAlert, title: 'Erro:', role: 'alert' },
  warning: { look: 'border-warn-line bg-warn-soft text-warn-ink', Icon: TriangleAlert, title: '', role: 'status' },
  success: { look: 'border-ok-line bg-ok-soft text-ok-ink', Icon: CircleCheck, title: '', role: 'status' },
} as const

type Props = {
  kind?: keyof typeof kinds
  children: ReactNode
  onDismiss?: () => void
  /** Such as 'Tentar novamente'. */
  action?: ReactNode
  /** The text says itself that it is an error. */
  isUntitled?: boolean
}

/** A banner in the page that stays until it is dismissed or no longer true. */
export function Alert({ kind = 'error', children, onDismiss, action, isUntitled }: Props) {
  const { look, Icon, title, role } = kinds[kind]
  return (
    <div
      role={role}
      className={`flex flex-wrap items-center justify-end gap-x-3 rounded-lg border py-1 pr-2 pl-4 ${look}`}
    >
      <Icon {...icon.md} className="shrink-0" />
      <p className="min-w-0 flex-1 basis-48 py-2">
        {title && !isUntitled && <strong>{title} </strong>}
        {children}
      </p>
      {action}
      {onDismiss && <IconButton label="Fechar" icon={<X {...icon.md} />} onPress={onDismiss} />}
    </div>
  )
}

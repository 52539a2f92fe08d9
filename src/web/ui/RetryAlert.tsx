import type { ReactNode } from 'react'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'

type Props = {
  kind?: 'error' | 'warning'
  /** As in `Alert`. */
  isUntitled?: boolean
  isRetrying: boolean
  busyText?: string
  onRetry: () => unknown
  children: ReactNode
}

/** Why something could not be read, with the way to read it again. */
export const RetryAlert = ({ isRetrying, busyText = 'Carregando...', onRetry, ...alert }: Props) => (
  <Alert
    {...alert}
    action={
      <Button busy={isRetrying} busyText={busyText} onPress={() => void onRetry()}>
        Tentar novamente
      </Button>
    }
  />
)

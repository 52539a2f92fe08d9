import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { failureText, LOAD_FAILED } from './counters.ts'

type Props = { error: Error; onRetry: () => void; isRetrying: boolean }

export const ListFailure = ({ error, onRetry, isRetrying }: Props) => (
  <Alert
    isUntitled
    action={
      <Button busy={isRetrying} busyText="Carregando..." onPress={onRetry}>
        Tentar novamente
      </Button>
    }
  >
    {failureText(LOAD_FAILED, error)}
  </Alert>
)

export const ListLoading = () => <Spinner>Carregando controle de crimpagens...</Spinner>

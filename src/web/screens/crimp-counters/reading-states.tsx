import { RetryAlert } from '../../ui/RetryAlert.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { failureText, LOAD_FAILED } from './counters.ts'

type Props = { error: Error; onRetry: () => void; isRetrying: boolean }

export const ListFailure = ({ error, onRetry, isRetrying }: Props) => (
  <RetryAlert isUntitled isRetrying={isRetrying} onRetry={onRetry}>
    {failureText(LOAD_FAILED, error)}
  </RetryAlert>
)

export const ListLoading = () => <Spinner>Carregando controle de crimpagens...</Spinner>

import type { ReactNode } from 'react'
import { errorText } from '../../api.ts'
import { RetryAlert } from '../../ui/RetryAlert.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { LOAD_FAILED } from './counters.ts'

/** What did not work, and on a line of its own why. */
export const failureText = (what: string, error: unknown): ReactNode => (
  <>
    <span className="block">{what}</span>
    <span className="block text-sm">{errorText(error)}</span>
  </>
)

type Props = { error: Error; onRetry: () => void; isRetrying: boolean }

export const ListFailure = ({ error, onRetry, isRetrying }: Props) => (
  <RetryAlert isUntitled isRetrying={isRetrying} onRetry={onRetry}>
    {failureText(LOAD_FAILED, error)}
  </RetryAlert>
)

export const ListLoading = () => <Spinner>Carregando controle de crimpagens...</Spinner>

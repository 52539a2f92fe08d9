import { errorText } from '../server/api.ts'
import { formatRecentInstant } from '../text/format.ts'
import { RetryAlert } from '../ui/Alert.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useSettings } from './settings.ts'

type Props = {
  reading: { data?: unknown; isPending: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown }
  /** Said while nothing has been read yet. */
  loadingText: string
  /** Said while it is tried again. */
  busyText?: string
  /** Why it could not be read, in words. */
  failureOf?: (error: Error) => string
  /** When what is still shown was read. */
  readAt?: string | undefined
}

/** State of a list that is being read, or could not be. */
export function ReadingState({ reading, loadingText, failureOf = errorText, readAt, ...texts }: Props) {
  const { data, isPending, isFetching, error, refetch } = reading
  const { timeZone } = useSettings()
  if (error) {
    return (
      <RetryAlert hasOld={data !== undefined} isRetrying={isFetching} onRetry={refetch} {...texts}>
        {failureOf(error)}
        {readAt && ` Mostrando o que foi lido em ${formatRecentInstant(readAt, timeZone)}.`}
      </RetryAlert>
    )
  }
  return isPending && <Spinner>{loadingText}</Spinner>
}

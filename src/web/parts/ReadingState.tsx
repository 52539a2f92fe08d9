import { errorText } from '../server/api.ts'
import { RetryAlert } from '../ui/Alert.tsx'
import { Spinner } from '../ui/Spinner.tsx'

type Props = {
  reading: { isPending: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown }
  /** Said while nothing has been read yet. */
  loadingText: string
  /** Said while it is tried again. */
  busyText?: string
}

/** What is said of a list that is being read, or could not be. */
export function ReadingState({ reading, loadingText, busyText = 'Carregando...' }: Props) {
  const { isPending, isFetching, error, refetch } = reading
  if (error) {
    return (
      <RetryAlert isRetrying={isFetching} busyText={busyText} onRetry={refetch}>
        {errorText(error)}
      </RetryAlert>
    )
  }
  return isPending && <Spinner>{loadingText}</Spinner>
}

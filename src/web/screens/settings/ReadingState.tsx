import { errorText } from '../../api.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Spinner } from '../../ui/Spinner.tsx'

type Props = {
  reading: { isPending: boolean; isFetching: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** Said while nothing has been read yet. */
  loadingText: string
}

/** What is said of a list that is being read, or could not be. */
export function ReadingState({ reading, loadingText }: Props) {
  const { isPending, isFetching, error, refetch } = reading
  if (error) {
    return (
      <Alert
        action={
          <Button busy={isFetching} busyText="Carregando..." onPress={() => void refetch()}>
            Tentar novamente
          </Button>
        }
      >
        {errorText(error)}
      </Alert>
    )
  }
  return isPending && <Spinner>{loadingText}</Spinner>
}

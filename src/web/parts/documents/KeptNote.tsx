import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'

/** The server is away, and this is not all that it has. */
export const KeptNote = ({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) => (
  <Alert
    kind="warning"
    action={
      <Button busy={isBusy} busyText="Consultando..." onPress={onRetry}>
        Tentar novamente
      </Button>
    }
  >
    Sem conexão com o servidor. Aparecem só os documentos já abertos neste dispositivo; pode haver revisão mais nova.
  </Alert>
)

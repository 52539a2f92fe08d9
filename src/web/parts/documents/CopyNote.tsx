import { RetryAlert } from '../../ui/Alert.tsx'

/** The server is away, and this is not all that it has. */
export const CopyNote = ({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) => (
  <RetryAlert kind="warning" isRetrying={isBusy} busyText="Consultando..." onRetry={onRetry}>
    Sem conexão com o servidor. Aparecem só os documentos já abertos neste dispositivo; pode haver revisão mais nova.
  </RetryAlert>
)

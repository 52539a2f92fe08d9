import { formatRecentInstant } from '../../app/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useSettings } from '../settings.ts'

/** Says that the last copy has answered, and when it was read; nothing when the ERP itself did (null). */
export function StaleNote({ readAt }: { readAt: string | null }) {
  const { timeZone } = useSettings()
  if (readAt === null) return null
  return <Alert kind="warning">Dados de {formatRecentInstant(readAt, timeZone)} — ERP indisponível</Alert>
}

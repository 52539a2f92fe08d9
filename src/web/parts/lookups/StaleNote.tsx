import { formatRecentInstant } from '../../app/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useSettings } from '../settings.ts'

const reasons = { erp: ' — ERP indisponível', network: ' — sem rede' }

export type Stale = {
  /** When what is shown was read; null when the ERP itself has just answered. */
  readAt: string | null
  /** Null while the ERP is asked. */
  why?: keyof typeof reasons | null
}

/** Says that the last copy has answered, when it was read, and why. */
export function StaleNote({ readAt, why = 'erp' }: Stale) {
  const { timeZone } = useSettings()
  if (readAt === null) return null
  return (
    <Alert kind="warning">
      Dados de {formatRecentInstant(readAt, timeZone)}
      {why && reasons[why]}
    </Alert>
  )
}

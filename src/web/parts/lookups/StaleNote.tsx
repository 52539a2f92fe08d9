import { toInstant } from '../../../domain/plant-time.ts'
import { formatRecentInstant } from '../../app/format.ts'
import { Unreachable } from '../../server/api.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useSettings } from '../settings.ts'

type Props = {
  /** When the copy was read that answered; null when the ERP itself did. */
  readAt: string | null
  /** Of what is shown: without network it is what was read before. */
  reading?: { error: Error | null; dataUpdatedAt: number } | undefined
}

/** Says how old a list is that is not what the ERP says now, and why. */
export function StaleNote({ readAt, reading }: Props) {
  const { timeZone } = useSettings()
  const isCutOff = reading?.error instanceof Unreachable
  const since = readAt ?? (isCutOff && reading.dataUpdatedAt > 0 ? toInstant(reading.dataUpdatedAt) : null)
  if (since === null) return null
  const cause = isCutOff ? 'sem rede' : 'ERP indisponível'
  return (
    <Alert kind="warning">
      Dados de {formatRecentInstant(since, timeZone)} — {cause}
    </Alert>
  )
}

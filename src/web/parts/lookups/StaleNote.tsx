import { toInstant } from '../../../domain/plant/plant-time.ts'
import { Unreachable } from '../../server/api.ts'
import { formatRecentInstant } from '../../text/format.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useSettings } from '../settings.ts'

export type Stale = {
  /** When the copy was read that answered; null when the ERP itself did. */
  readAt: string | null
  /** The reading behind the list: without network it is an earlier one. */
  reading?: { error: Error | null; dataUpdatedAt: number } | undefined
  /** The ERP has not answered yet: nothing is wrong. */
  isAsking?: boolean
}

/** Says how old a list is that is not what the ERP says now, and why. */
export function StaleNote({ readAt, reading, isAsking }: Stale) {
  const { timeZone } = useSettings()
  const isCutOff = reading?.error instanceof Unreachable
  const since = readAt ?? (isCutOff && reading.dataUpdatedAt > 0 ? toInstant(reading.dataUpdatedAt) : null)
  if (since === null) return null
  const cause = isAsking ? '' : isCutOff ? ' — sem rede' : ' — ERP indisponível'
  return (
    <Alert kind="warning">
      Dados de {formatRecentInstant(since, timeZone)}
      {cause}
    </Alert>
  )
}

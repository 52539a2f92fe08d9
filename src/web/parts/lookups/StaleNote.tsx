import { TriangleAlert } from 'lucide-react'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { Unreachable } from '../../server/api.ts'
import { formatRecentInstant } from '../../text/format.ts'
import { icon } from '../../ui/icon-sizes.ts'
import { useSettings } from '../settings.ts'

export type Stale = {
  /** When the copy was read that answered; null when the ERP itself did. */
  readAt: string | null
  /** The reading behind the list: without network it is an earlier one. */
  reading?: { error: Error | null; dataUpdatedAt: number } | undefined
  /** The ERP has not answered yet: nothing is wrong. */
  isAsking?: boolean
}

/**
 * Says how old a list is that is not what the ERP says now, and why. It comes and goes with the network, so it moves nothing: it
 * stands in the gap of 1 rem above what it is about.
 */
export function StaleNote({ readAt, reading, isAsking }: Stale) {
  const { timeZone } = useSettings()
  const isCutOff = reading?.error instanceof Unreachable
  const since = readAt ?? (isCutOff && reading.dataUpdatedAt > 0 ? toInstant(reading.dataUpdatedAt) : null)
  if (since === null) return null
  const cause = isAsking ? '' : isCutOff ? ' — sem rede' : ' — ERP indisponível'
  return (
    <div className="relative -mb-4 h-0">
      <p
        role="status"
        className="absolute bottom-0 flex max-w-full items-center gap-x-1.5 bg-page text-sm leading-4 font-semibold text-warn-ink max-md:text-xs max-md:tracking-tight"
      >
        <TriangleAlert {...icon.sm} className="shrink-0 max-md:hidden" />
        Dados de {formatRecentInstant(since, timeZone)}
        {cause}
      </p>
    </div>
  )
}

import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { isBadge } from '../../../domain/people/badges.ts'
import { useOpenRead } from '../../parts/containments/useOpenRead.ts'
import { lastItemSearch, searchAsRead } from '../../parts/lookups/items.ts'
import { readBadge } from '../../parts/scanner/badges.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { useReadings } from '../../parts/scanner/useReadings.ts'
import { useSettings } from '../../parts/settings.ts'
import { links, traceSearch } from '../../text/links.ts'

/** An item's label, or an order in digits; whatever else a label names has a trace. */
const isOfSearch = (term: string): boolean => /^(?:.{22}|\d+)$/.test(term)

/**
 * An item's label opens its form, an order's its list: the search does both, and says so of what it does not find. A lot, a
 * tool or a machine opens its trace, the label of a containment that containment.
 */
export function useDashboardScans(field: RefObject<HTMLElement | null>): (text: string) => void {
  const navigate = useNavigate()
  const { plants } = useSettings()
  const openRead = useOpenRead()
  const answer = (text: string) => {
    const term = text.trim()
    if (isBadge(term)) return void readBadge(term)
    if (openRead(term)) return
    if (!isOfSearch(term)) {
      playSound('good')
      return void navigate({ to: links.reports, search: traceSearch({ term, kind: null }) })
    }
    searchAsRead({ plant: lastItemSearch()?.plant ?? plants[0]?.code ?? '', term })
    void navigate({ to: links.cutCrimp })
  }
  useReadings(field, {
    ...{ hold: () => null, restore: () => undefined },
    onReading: ({ text, fresh }) => fresh && answer(text),
  })
  return answer
}

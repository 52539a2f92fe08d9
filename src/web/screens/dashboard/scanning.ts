import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { isBadge } from '../../../domain/people/badges.ts'
import { lastItemSearch, searchAsRead } from '../../parts/lookups/items.ts'
import { readBadge } from '../../parts/scanner/badges.ts'
import { useReadings } from '../../parts/scanner/useScanner.ts'
import { useSettings } from '../../parts/settings.ts'
import { links } from '../../text/links.ts'

/** An item's label opens its form, an order's its list: the search does both, and says so of what it does not find. */
export function useDashboardScans(): void {
  const navigate = useNavigate()
  const { plants } = useSettings()
  const noField = useRef(null)
  useReadings(noField, {
    onFirstKey: () => undefined,
    onResume: () => undefined,
    onReading: ({ text, fresh }) => {
      if (!fresh) return
      const term = text.trim()
      if (isBadge(term)) return void readBadge(term)
      searchAsRead({ plant: lastItemSearch()?.plant ?? plants[0]?.code ?? '', term })
      void navigate({ to: links.cutCrimp })
    },
  })
}

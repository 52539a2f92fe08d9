import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { SEARCH_TERM_LENGTH_MAX } from '../../../contract/items.ts'
import { useOpenRead } from '../../parts/containments/useOpenRead.ts'
import { lastItemSearch, searchAsRead } from '../../parts/lookups/items.ts'
import { takeTypedBadge } from '../../parts/scanner/badges.ts'
import { playSound } from '../../parts/scanner/sounds.ts'
import { useReadings } from '../../parts/scanner/useReadings.ts'
import { useSettings } from '../../parts/settings.ts'
import { links, traceSearch } from '../../text/links.ts'

/** An item's label, or an order in digits; whatever else a label names has a trace. */
const isOfSearch = (term: string): boolean => term.length <= SEARCH_TERM_LENGTH_MAX && /^(?:.{22}|\d+)$/.test(term)

/**
 * An item's label opens its form, an order's its list: the search does both, and says so of what it does not find. A lot, a
 * tool or a machine opens its trace, the label of a containment that containment.
 */
export function useDashboardScans(field: RefObject<HTMLElement | null>) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const { plants } = useSettings()
  const openRead = useOpenRead()
  const answer = (code: string) => {
    const term = code.trim()
    if (openRead(term)) return
    if (!isOfSearch(term)) {
      playSound('good')
      return void navigate({ to: links.reports, search: traceSearch({ term, kind: null }) })
    }
    searchAsRead({ plant: lastItemSearch()?.plant ?? plants[0]?.code ?? '', term })
    void navigate({ to: links.cutCrimp })
  }
  useReadings(field, {
    ...{ hold: () => text, restore: setText },
    onReading: ({ text: read, fresh }, before) => {
      if (before !== null) setText(before)
      if (fresh && !takeTypedBadge(read)) answer(read)
    },
  })
  const submit = () => {
    // a badge is nobody's text
    if (takeTypedBadge(text)) setText('')
    else if (text.trim() !== '') answer(text)
  }
  return { text, setText, submit }
}

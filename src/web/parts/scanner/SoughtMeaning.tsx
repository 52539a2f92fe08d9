import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { takeUnlessLeft } from '../../device/turns.ts'
import { MeaningLine } from './MeaningLine.tsx'
import { type Meaning, meaningOf } from './what-it-is.ts'

type Props = { plant: string; term: string; onKnown: (term: string) => void }

/** Below a search that found nothing: what was looked for, where it is no order and no item. */
export function SoughtMeaning({ plant, term, onKnown }: Props) {
  const client = useQueryClient()
  const [meaning, setMeaning] = useState<Meaning | null>(null)
  const show = useEffectEvent((found: Meaning | null) => {
    setMeaning(found)
    if (found) onKnown(term)
  })
  // of a failure the search has said what cannot be reached
  useEffect(() => takeUnlessLeft(meaningOf(client, plant, term), (found) => show(found)), [client, plant, term])
  return meaning && <MeaningLine {...meaning} />
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toInstant } from '../../../domain/plant/plant-time.ts'
import { findSearch, type SearchPlace, saveSearch } from '../../device/cached-searches.ts'
import { serverNow } from '../../device/clock.ts'
import { takeUnlessLeft } from '../../device/turns.ts'
import { lasting, type Reading } from '../../server/query.ts'

type Props<Data> = {
  /** Its key on this device. */
  place: SearchPlace
  reading: Reading<Data>
  /** False: nothing is asked yet. */
  isDue: boolean
}

/** An answer of the server, else the last one that this device brought, also before a reload. */
export function useCachedReading<Data>({ place: { kind, plant, term }, reading, isDue }: Props<Data>) {
  const [stored, setStored] = useState<Data | null>(null)
  useEffect(() => {
    if (!isDue) return
    const show = (found: Data | undefined) => found && setStored((newer) => newer ?? found)
    return takeUnlessLeft(findSearch<Data>({ kind, plant, term }), (found) => show(found?.items[0]))
  }, [kind, plant, term, isDue])
  const { data, error } = useQuery({
    ...reading,
    async queryFn(request) {
      const answer = await reading.queryFn(request)
      void saveSearch({ kind, plant, term }, { items: [answer], readAt: toInstant(serverNow()) })
      return answer
    },
    ...lasting,
    enabled: isDue,
    placeholderData: (before) => before,
  })
  useEffect(() => {
    if (data) setStored(data)
  }, [data])
  return { cached: data ?? stored, error }
}

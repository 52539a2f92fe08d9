import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { logEntries } from '../../../contract/log-entries.ts'
import { addDays, dayStartMs, toInstant } from '../../../domain/plant-time.ts'
import { call } from '../../api.ts'
import { type MinLevel, shownOfServers } from './entries.ts'

const FEATURE = 'log-entries'

export type ServerFilter = {
  minLevel: MinLevel
  /** Days at the plant, both within; empty: open. */
  from: string
  to: string
  text: string
  maxCount: number
}

const queryOf = ({ minLevel, from, to, text, maxCount }: ServerFilter, timeZone: string) => ({
  maxCount,
  ...(minLevel === '' ? {} : { minLevel }),
  ...(from === '' ? {} : { startDate: toInstant(dayStartMs(from, timeZone)) }),
  ...(to === '' ? {} : { endDate: toInstant(dayStartMs(addDays(to, 1), timeZone) - 1) }),
  ...(text === '' ? {} : { texto: text }),
})

export function useServerLog(filter: ServerFilter, timeZone: string) {
  const query = useQuery({
    queryKey: [FEATURE, filter, timeZone],
    queryFn: ({ signal }) => call(logEntries.list, { query: queryOf(filter, timeZone) }, { signal }),
    placeholderData: keepPreviousData,
  })
  const entries = useMemo(() => query.data && shownOfServers(query.data), [query.data])
  return { ...query, entries }
}

/** Clears it or writes into it; done when the list shows it. */
export function useServerLogChange(change: () => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: [FEATURE] }) })
}

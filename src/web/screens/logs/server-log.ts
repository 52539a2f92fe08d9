import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { logEntries } from '../../../contract/log-entries.ts'
import { dayStartMs, toInstant } from '../../../domain/plant-time.ts'
import { call } from '../../api.ts'
import { type MinLevelText, minLevelOf, shownOfServers } from './entries.ts'

const FEATURE = 'log-entries'
const DAY_MS = 86_400_000

export type ServerFilter = {
  minLevel: MinLevelText | ''
  /** Days at the plant, both within; empty: open. */
  from: string
  to: string
  text: string
  maxCount: string
}

const nextDay = (day: string) => toInstant(Date.parse(`${day}T00:00:00Z`) + DAY_MS).slice(0, 10)

const queryOf = ({ minLevel, from, to, text, maxCount }: ServerFilter, timeZone: string) => ({
  minLevel: minLevelOf(minLevel),
  maxCount: Number(maxCount),
  ...(from === '' ? {} : { startDate: toInstant(dayStartMs(from, timeZone)) }),
  ...(to === '' ? {} : { endDate: toInstant(dayStartMs(nextDay(to), timeZone) - 1) }),
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

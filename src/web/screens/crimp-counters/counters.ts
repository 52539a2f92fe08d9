import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type CrimpCounter,
  type CrimpCounterList,
  type CrimpHistoryEntry,
  crimpCounters,
  HISTORY_ENTRIES_MAX,
  UNLIMITED,
} from '../../../contract/crimp-counters.ts'
import { call } from '../../server/api.ts'
import { invalidate, query } from '../../server/query.ts'
import { formatCount } from '../../text/format.ts'

export const SHOWN_MS_MIN = 2000

/** True while `isBusy`, and until 2 s after it became so: a person sees that something was done. */
function useLasting(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(isBusy)
  const since = useRef<number | null>(null)
  useEffect(() => {
    if (isBusy) {
      since.current = performance.now()
      setShown(true)
      return
    }
    if (since.current === null) return
    const leftMs = since.current + SHOWN_MS_MIN - performance.now()
    const timer = setTimeout(() => setShown(false), leftMs)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isBusy || isShown
}

/** Where the panel stands below the list, a press on a row would otherwise seem to do nothing. */
export function bringIntoView(panel: HTMLElement | null): void {
  if (window.matchMedia('(width < 64rem)').matches) panel?.scrollIntoView({ block: 'start' })
}

const nothing: CrimpCounterList = {
  controlTable: [],
  maintenancePreSchedule: [],
  controlTableCount: 0,
  maintenancePreScheduleCount: 0,
  totalCount: 0,
}
const noHistory: readonly CrimpHistoryEntry[] = []

export type Reading = {
  /** Before the first answer. */
  isFirst: boolean
  /** Lasts at least 2 s; not shown for what is read anew without being asked for. */
  isLoading: boolean
  error: Error | null
  refresh: () => void
}

type Query = Pick<UseQueryResult, 'isPending' | 'isPlaceholderData' | 'error' | 'refetch'>

export function useReading({ isPending, isPlaceholderData, error, refetch }: Query): Reading {
  const [isQuestionOpen, setQuestionOpen] = useState(false)
  const refresh = () => {
    setQuestionOpen(true)
    void refetch().finally(() => setQuestionOpen(false))
  }
  const isLoading = useLasting(isPending || isPlaceholderData || isQuestionOpen)
  return { isFirst: isPending, isLoading, error, refresh }
}

/** Empty when it could not be read. `isCurrent`: of this very filter. */
export function useCounters(filter: string) {
  const answered = useQuery({
    ...query(crimpCounters.list, { query: filter === '' ? {} : { filter } }),
    placeholderData: keepPreviousData,
  })
  const reading = useReading(answered)
  const isRead = answered.isSuccess && !answered.isPlaceholderData
  return { ...reading, list: answered.error ? nothing : (answered.data ?? nothing), isCurrent: isRead }
}

export function useHistory() {
  const answered = useQuery(query(crimpCounters.history, {}))
  const reading = useReading(answered)
  const entries = answered.error ? noHistory : (answered.data ?? noHistory)
  return { ...reading, entries, isCut: entries.length === HISTORY_ENTRIES_MAX }
}

/** One change to a unit; done when the lists show it, and read anew when it was refused. */
export const counterChange = { changes: [crimpCounters.list, crimpCounters.history], isDoneWhenShown: true } as const

/** The unit as it is now, once the lists show it too. */
export function useReload() {
  const queries = useQueryClient()
  return async (miniaplicator: string): Promise<CrimpCounter> => {
    const unit = await call(crimpCounters.get, { params: { miniaplicator } })
    await Promise.all(counterChange.changes.map((endpoint) => invalidate(queries, endpoint)))
    return unit
  }
}

export const LOAD_FAILED = 'Erro ao carregar dados de controle de crimpagens'

export const limitText = (limit: number): string => (limit === UNLIMITED ? 'Ilimitado' : formatCount(limit))

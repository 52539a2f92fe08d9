import { useInfiniteQuery } from '@tanstack/react-query'
import {
  TRACE_TERM_LENGTH_MAX,
  type TraceFilter,
  type TraceKind,
  type TraceLine,
  traceFilters,
  traceKinds,
  traces,
} from '../../../contract/traces.ts'
import type { TraceEntry } from '../../../domain/reports/trace-entries.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { useAddress } from '../../parts/useAddress.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { traceSearch } from '../../text/links.ts'

/** Without a kind the server takes the term for what has most recordings. */
export type TraceRequest = { term: string; kind: TraceKind | null }

/** A term of which it is known what it is. */
export type Traced = { term: string; kind: TraceKind }

/** In the address, so that a copied link opens the same and 'back' leads to the trace before. */
export function useTraceAddress() {
  const { params, push } = useAddress()
  const term = (params.get('termo') ?? '').trim().slice(0, TRACE_TERM_LENGTH_MAX)
  const kind = traceKinds.find((one) => one === params.get('tipo')) ?? null
  const filter = traceFilters.find((one) => one === params.get('filtro')) ?? null
  const open = (request: TraceRequest) => push({ ...traceSearch(request), filtro: null })
  return { term, kind, filter, open, onFilter: (next: TraceFilter | null) => push({ filtro: next }) }
}

const STORAGE_KEY = 'recent-traces'
const RECENT_MAX = 5

const isTraced = (stored: Partial<Traced> | null): stored is Traced =>
  typeof stored?.term === 'string' && traceKinds.some((kind) => kind === stored.kind)

/** Recent traces of this tab, the last one first. */
export function recentTraces(): readonly Traced[] {
  const stored = readFromTab(STORAGE_KEY)
  return Array.isArray(stored) ? stored.filter(isTraced) : []
}

export function keepTrace(traced: Traced): void {
  const others = recentTraces().filter(({ term }) => term !== traced.term)
  writeToTab(STORAGE_KEY, [traced, ...others].slice(0, RECENT_MAX))
}

/** Where the lines go on: of the kind that the first ones were of, whatever the term has become since. */
type Next = { tipo: TraceKind; depoisDe: string }

export function useTrace({ term, kind, filter }: TraceRequest & { filter: TraceFilter | null }) {
  const request = { termo: term, ...(kind ? { tipo: kind } : {}), ...(filter ? { filtro: filter } : {}) }
  const { queryFn, ...reading } = query(traces.find, { query: request })
  return useInfiniteQuery({
    ...reading,
    queryFn: ({ signal, pageParam }) => call(traces.find, { query: { ...request, ...pageParam } }, { signal }),
    initialPageParam: null as Next | null,
    getNextPageParam: ({ tipo, proxima }) => (tipo && proxima ? { tipo, depoisDe: proxima } : null),
    enabled: term !== '',
  })
}

/** Entries of one item or one junction. */
export type TraceGroup = { key: string; first: TracedPlace; entries: readonly TraceEntry[] }

type TracedPlace = Pick<TraceLine, 'filial' | 'ordem' | 'item' | 'barras' | 'posicao'>

const placeOf = (entry: TraceEntry): TracedPlace => ('line' in entry ? entry.line : entry.sample)

/**
 * Items of one order stand together; orders, items and lines with the newest first, as they come. What comes later joins
 * what is there.
 */
export function groupEntries(entries: readonly TraceEntry[]): readonly TraceGroup[] {
  const orderOf = (entry: TraceEntry) => [placeOf(entry).filial, placeOf(entry).ordem].join('\n')
  const itemOf = (entry: TraceEntry) => [placeOf(entry).barras, placeOf(entry).posicao].join('\n')
  return [...Map.groupBy(entries, orderOf)].flatMap(([order, ofOrder]) =>
    [...Map.groupBy(ofOrder, itemOf)].flatMap(([item, ofItem]) => {
      const [first] = ofItem
      return first ? [{ key: `${order}\n${item}`, first: placeOf(first), entries: ofItem }] : []
    }),
  )
}

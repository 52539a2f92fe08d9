import { useInfiniteQuery } from '@tanstack/react-query'
import { type TraceKind, type TraceLine, traceKinds, traces } from '../../../contract/traces.ts'
import { keepInTab, keptInTab } from '../../device/store.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import type { Asked, Traced } from './trace-address.ts'

const STORAGE_KEY = 'recent-traces'
const KEPT_MAX = 5

const isTraced = (kept: Partial<Traced> | null): kept is Traced =>
  typeof kept?.term === 'string' && traceKinds.some((kind) => kind === kept.kind)

/** Of this tab, the last one first. */
export function recentTraces(): readonly Traced[] {
  const kept = keptInTab(STORAGE_KEY)
  return Array.isArray(kept) ? kept.filter(isTraced) : []
}

export function keepTrace(traced: Traced): void {
  const others = recentTraces().filter(({ term }) => term !== traced.term)
  keepInTab(STORAGE_KEY, [traced, ...others].slice(0, KEPT_MAX))
}

/** Where the lines go on: of the kind that the first ones were of, whatever the term has become since. */
type Next = { tipo: TraceKind; depoisDe: string }

export function useTrace({ term, kind }: Asked) {
  const asked = { termo: term, ...(kind ? { tipo: kind } : {}) }
  const { queryFn, ...reading } = query(traces.find, { query: asked })
  return useInfiniteQuery({
    ...reading,
    queryFn: ({ signal, pageParam }) => call(traces.find, { query: { ...asked, ...pageParam } }, { signal }),
    initialPageParam: null as Next | null,
    getNextPageParam: ({ tipo, proxima }) => (tipo && proxima ? { tipo, depoisDe: proxima } : null),
    enabled: term !== '',
  })
}

/** What was done to one item or one junction. */
export type TraceGroup = { key: string; first: TraceLine; lines: readonly TraceLine[] }

/**
 * Items of one order stand together; orders, items and lines with the newest first, as they come. What comes later joins
 * what is there.
 */
export function groupLines(lines: readonly TraceLine[]): readonly TraceGroup[] {
  const orders = new Map<string, Map<string, TraceLine[]>>()
  for (const line of lines) {
    const order = entryOf(orders, `${line.filial}\n${line.ordem}`, () => new Map<string, TraceLine[]>())
    entryOf(order, `${line.barras}\n${line.posicao}`, () => []).push(line)
  }
  return [...orders].flatMap(([order, items]) =>
    [...items].flatMap(([item, ofItem]) => {
      const first = ofItem[0]
      return first ? [{ key: `${order}\n${item}`, first, lines: ofItem }] : []
    }),
  )
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

import { type Junction, junctions } from '../../../contract/junctions.ts'
import { serverNow } from '../../device/clock.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import { call } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { rereadStale } from './items.ts'

export type JunctionSearch = { plant: string; order: string }

/** Junctions of an order. */
export function junctionListQuery({ plant, order }: JunctionSearch) {
  const parts = { query: { filial: plant, numeroOp: order } }
  const read = async (signal: AbortSignal) => {
    const reply = await call(junctions.list, parts, { signal })
    keepJunctionSearch({ plant, order }, reply.items)
    return reply
  }
  return {
    ...query(junctions.list, parts, { read }),
    /** Kept for the way back from a junction. */
    gcTime: 30 * 60_000,
    refetchInterval: rereadStale,
  }
}

const STORAGE_KEY = 'junction-search'
const CACHED_MS = 2 * 3_600_000

/** As the specification names its parts. */
type CachedSearch = { itens: Junction[]; searchTerm: string; filial: string; timestamp: number }

const isCachedSearch = (value: unknown): value is CachedSearch =>
  typeof value === 'object' && value !== null && 'itens' in value && Array.isArray(value.itens) && 'timestamp' in value

function keepJunctionSearch({ plant, order }: JunctionSearch, itens: Junction[]): void {
  const cached: CachedSearch = { itens, searchTerm: order, filial: plant, timestamp: serverNow() }
  writeToTab(STORAGE_KEY, cached)
}

/** The last search of this tab with what it found, for two hours. */
export function cachedJunctionSearch(): { search: JunctionSearch; items: Junction[]; cachedAt: number } | null {
  const cached = readFromTab(STORAGE_KEY)
  if (isCachedSearch(cached) && serverNow() - cached.timestamp < CACHED_MS) {
    return {
      search: { plant: cached.filial, order: cached.searchTerm },
      items: cached.itens,
      cachedAt: cached.timestamp,
    }
  }
  dropFromTab(STORAGE_KEY)
  return null
}

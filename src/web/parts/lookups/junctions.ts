import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Junction, junctions } from '../../../contract/junctions.ts'
import { serverNow } from '../../device/clock.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import { query } from '../../server/query.ts'
import { useCopyFirst } from './copy-first.ts'

export type JunctionSearch = { plant: string; order: string }

const positionOf = ({ Z8_POSICAO }: Junction) => Z8_POSICAO

/** Junctions of an order; none while `order` is empty. */
export function useJunctionSearch({ plant, order }: JunctionSearch) {
  const [cached] = useState(cachedJunctionSearch)
  const isKeptSearch = cached?.search.order === order && cached.search.plant === plant
  const parts = { query: { filial: plant, numeroOp: order } }
  return useCopyFirst<Junction>({
    kind: 'junctions',
    plant,
    term: order,
    list: query(junctions.list, parts),
    copies: query(junctions.copies, parts),
    keyOf: positionOf,
    onRead: (found) => keepJunctionSearch({ plant, order }, found),
    initial: isKeptSearch ? { items: cached.items, readAtMs: cached.cachedAt } : null,
  })
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

/** Reads the search's answer ahead where it is not at hand. */
export async function prepareJunctionSearch(client: QueryClient, { plant, order }: JunctionSearch): Promise<void> {
  const reading = query(junctions.list, { query: { filial: plant, numeroOp: order } })
  const found = client.getQueryData(reading.queryKey) ?? (await client.fetchQuery(reading).catch(() => null))
  if (found) keepJunctionSearch({ plant, order }, found.items)
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

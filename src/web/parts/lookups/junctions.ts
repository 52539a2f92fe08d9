import { useState } from 'react'
import { type Junction, junctions } from '../../../contract/junctions.ts'
import { serverNow } from '../../device/clock.ts'
import { dropFromTab, keepInTab, keptInTab } from '../../device/store.ts'
import { query } from '../../server/query.ts'
import { useCopyFirst } from './copy-first.ts'

export type JunctionSearch = { plant: string; order: string }

const positionOf = ({ Z8_POSICAO }: Junction) => Z8_POSICAO

/** Junctions of an order; none while `order` is empty. */
export function useJunctionSearch({ plant, order }: JunctionSearch) {
  const [kept] = useState(keptJunctionSearch)
  const isKeptSearch = kept?.search.order === order && kept.search.plant === plant
  const parts = { query: { filial: plant, numeroOp: order } }
  return useCopyFirst<Junction>({
    kind: 'junctions',
    plant,
    term: order,
    list: query(junctions.list, parts),
    copies: query(junctions.copies, parts),
    keyOf: positionOf,
    onRead: (found) => keepJunctionSearch({ plant, order }, found),
    initial: isKeptSearch ? { items: kept.items, readAtMs: kept.keptAt } : null,
  })
}

const STORAGE_KEY = 'junction-search'
const KEPT_MS = 2 * 3_600_000

/** As the specification names its parts. */
type Kept = { itens: Junction[]; searchTerm: string; filial: string; timestamp: number }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'itens' in value && Array.isArray(value.itens) && 'timestamp' in value

function keepJunctionSearch({ plant, order }: JunctionSearch, itens: Junction[]): void {
  const kept: Kept = { itens, searchTerm: order, filial: plant, timestamp: serverNow() }
  keepInTab(STORAGE_KEY, kept)
}

/** The last search of this tab with what it found, for two hours. */
export function keptJunctionSearch(): { search: JunctionSearch; items: Junction[]; keptAt: number } | null {
  const kept = keptInTab(STORAGE_KEY)
  if (isKept(kept) && serverNow() - kept.timestamp < KEPT_MS) {
    return {
      search: { plant: kept.filial, order: kept.searchTerm },
      items: kept.itens,
      keptAt: kept.timestamp,
    }
  }
  dropFromTab(STORAGE_KEY)
  return null
}

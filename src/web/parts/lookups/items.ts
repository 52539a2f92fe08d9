import { items } from '../../../contract/items.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { query } from '../../server/query.ts'

const STALE_REREAD_MS = 15_000

/** A copy answered in the ERP's place: asked again until the ERP answers itself. */
export const rereadStale = ({ state }: { state: { data: { dadosDe: string | null } | undefined } }): number | false =>
  state.data?.dadosDe ? STALE_REREAD_MS : false

export type ItemSearch = { plant: string; term: string }

const STORAGE_KEY = 'cut-crimp-search'

/** What the search shows when a person comes to it, or reloads the page. */
export const keepItemSearch = (search: ItemSearch): void => writeToTab(STORAGE_KEY, search)

export function lastItemSearch(): ItemSearch | null {
  const kept = readFromTab(STORAGE_KEY) as Partial<ItemSearch> | null
  return typeof kept?.plant === 'string' && typeof kept.term === 'string'
    ? { plant: kept.plant, term: kept.term }
    : null
}

/** Items of an order or of one barcode. */
export const itemSearchQuery = ({ plant, term }: ItemSearch) => ({
  ...query(items.search, { query: { filial: plant, termo: term, modo: 'APONTAMENTO' } }),
  /** Kept for the way back from an item. */
  gcTime: 30 * 60_000,
  refetchInterval: rereadStale,
})

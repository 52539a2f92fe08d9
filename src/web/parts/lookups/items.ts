import { type CutItem, items } from '../../../contract/items.ts'
import { readFromTab, writeToTab } from '../../device/store.ts'
import { query } from '../../server/query.ts'
import { useCopyFirst } from './copy-first.ts'

/** Names an item where many are open, such as tabs. */
export const itemTitle = ({ Z1_ITEMEST, Z1_OP }: CutItem): string => `Item ${Z1_ITEMEST} · OP ${Z1_OP}`

export const barcodeOf = ({ Z1_CODBAR }: CutItem) => Z1_CODBAR

export type ItemSearch = { plant: string; term: string }

const STORAGE_KEY = 'cut-crimp-search'

/** Keeps the search to be shown when a person comes back to it, or reloads the page. */
export const keepItemSearch = (search: ItemSearch): void => writeToTab(STORAGE_KEY, search)

let unanswered: string | null = null

/** A label that was read elsewhere: the search, which comes next, answers it as if it had been read there. */
export function searchAsRead(search: ItemSearch): void {
  keepItemSearch(search)
  unanswered = search.term
}

/** Once only: a way back does not open the item anew. */
export function takeUnanswered(): string | null {
  const code = unanswered
  unanswered = null
  return code
}

export function lastItemSearch(): ItemSearch | null {
  const stored = readFromTab(STORAGE_KEY) as Partial<ItemSearch> | null
  return typeof stored?.plant === 'string' && typeof stored.term === 'string'
    ? { plant: stored.plant, term: stored.term }
    : null
}

/** Items of an order or of one barcode; none while `term` is empty. */
export const useItemSearch = ({ plant, term }: ItemSearch) =>
  useCopyFirst<CutItem>({
    kind: 'items',
    plant,
    term,
    list: query(items.search, { query: { filial: plant, termo: term, modo: 'APONTAMENTO' } }),
    copies: query(items.copies, { query: { filial: plant, termo: term } }),
    keyOf: barcodeOf,
    barcodeOf,
  })

import { type CutItem, items } from '../../../contract/items.ts'
import { query } from '../../server/query.ts'

/** Names an item where many are open, such as tabs. */
export const itemTitle = ({ Z1_ITEMEST, Z1_OP }: CutItem): string => `Item ${Z1_ITEMEST} · OP ${Z1_OP}`

const STALE_REREAD_MS = 15_000

/** A copy answered in the ERP's place: asked again until the ERP answers itself. */
export const rereadStale = ({ state }: { state: { data: { dadosDe: string | null } | undefined } }): number | false =>
  state.data?.dadosDe ? STALE_REREAD_MS : false

/** Items of an order or of one barcode. */
export const itemSearchQuery = ({ plant, term }: { plant: string; term: string }) => ({
  ...query(items.search, { query: { filial: plant, termo: term, modo: 'APONTAMENTO' } }),
  /** Kept for the way back from an item. */
  gcTime: 30 * 60_000,
  refetchInterval: rereadStale,
})

import { items } from '../../../contract/items.ts'
import { query } from '../../server/query.ts'

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

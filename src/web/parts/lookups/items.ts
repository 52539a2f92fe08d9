import { items } from '../../../contract/items.ts'
import { call } from '../../server/api.ts'

const STALE_REREAD_MS = 15_000

/** A copy answered in the ERP's place: asked again until the ERP answers itself. */
export const rereadStale = ({ state }: { state: { data: { dadosDe: string | null } | undefined } }): number | false =>
  state.data?.dadosDe ? STALE_REREAD_MS : false

/** Items of an order or of one barcode. Invalidate `['items']` after a recording: the percentages have changed. */
export const itemSearchQuery = ({ plant, term }: { plant: string; term: string }) => ({
  queryKey: ['items', plant, term],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(items.search, { query: { filial: plant, termo: term, modo: 'APONTAMENTO' } }, { signal }),
  /** Kept for the way back from an item. */
  gcTime: 30 * 60_000,
  refetchInterval: rereadStale,
})

import { type CutItem, items } from '../../../contract/items.ts'
import { query } from '../../server/query.ts'
import { useCopyFirst } from './copy-first.ts'

const barcodeOf = ({ Z1_CODBAR }: CutItem) => Z1_CODBAR

/** Items of an order or of one barcode; none while `term` is empty. */
export const useItemSearch = ({ plant, term }: { plant: string; term: string }) =>
  useCopyFirst<CutItem>({
    kind: 'items',
    plant,
    term,
    list: query(items.search, { query: { filial: plant, termo: term, modo: 'APONTAMENTO' } }),
    copies: query(items.copies, { query: { filial: plant, termo: term } }),
    keyOf: barcodeOf,
    barcodeOf,
  })

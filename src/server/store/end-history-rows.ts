import type { Selectable } from 'kysely'
import type { HistoryEnd, HistoryEntry } from '../../contract/end-histories.ts'
import type { Tables } from './db/tables.ts'

/** Ordered as the newest is told: by the smaller of when something was done and received. */
export type Placed<Entry extends HistoryEntry> = { at: number; entry: Entry }

export type SampleRow = Selectable<Tables['measurements']>

/** By item or order, each of which its table has an index of. */
export const ofEnd = ({ filial, parte, ordem, codigoBarras, posicao }: HistoryEnd) =>
  parte === 'juncao'
    ? { branch: filial, order_number: ordem, position: posicao }
    : { branch: filial, barcode: codigoBarras }

import { BARCODE_LENGTH } from '../../contract/values.ts'
import { nameKey, type RecordingRefusal } from '../../domain/acts/recordings.ts'
import { BADGE_REMOVED } from '../../domain/text/badge-texts.ts'
import { framedIn, runsOf } from '../../domain/text/frames.ts'
import type { Outside } from '../outside.ts'
import type { Reader } from '../store/db/db.ts'
import { findKnown, type KnownKind } from '../store/known-codes.ts'
import type { Recording } from '../store/recordings.ts'

const words: Record<KnownKind, string> = {
  item: 'um item',
  ordem: 'uma ordem',
  maquina: 'uma máquina',
  miniaplicador: 'um mini aplicador',
  seladora: 'uma estação de selo',
  instrumento: 'um instrumento',
  terminal: 'um terminal',
  selo: 'um selo',
  cabo: 'um cabo',
  produto: 'um produto',
}

/** Why a text is no lot: it is, framed or not, the code of something known here, or holds an item's. Null: it may be one. */
export async function lotRefusal(
  db: Reader,
  lot: string,
  { config }: Pick<Outside, 'config'>,
): Promise<RecordingRefusal | null> {
  if (lot === '') return null
  const texts = framedIn(lot)
  const keys = texts.map(nameKey)
  const barcodes = runsOf(texts[0] ?? '', BARCODE_LENGTH)
  const known = await findKnown(db, { keys, barcodes, branches: config.plants.map(({ code }) => code) })
  return known && { refused: 'lot_is_code', values: { what: words[known] } }
}

/** Why a recording cannot be, whatever the rules of its kind say: a lot that is none, or a badge that was taken out of it. */
export const entryRefusal = async (
  db: Reader,
  { payload, lot }: Pick<Recording, 'payload' | 'lot'>,
  outside: Pick<Outside, 'config'>,
): Promise<RecordingRefusal | null> =>
  Object.values(payload).some((entered) => String(entered).includes(BADGE_REMOVED))
    ? { refused: 'badge_removed' }
    : await lotRefusal(db, lot, outside)

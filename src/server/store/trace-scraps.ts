import type { TraceLine } from '../../contract/traces.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Place = Pick<Tables['recordings'], 'branch' | 'barcode' | 'order_number' | 'position' | 'part'>

/** An item's part, or a junction of an order. */
const keyOf = ({ branch, barcode, order_number, position, part }: Place): string =>
  JSON.stringify(barcode === '' ? [branch, order_number, position] : [branch, barcode, part])

type StageScrap = NonNullable<TraceLine['refugo']>

const sums = (db: Reader) =>
  db
    .selectFrom('scraps as s')
    .leftJoin('scrap_reasons as r', 'r.code', 's.reason_code')
    .select(['s.branch', 's.barcode', 's.order_number', 's.position', 's.part', 's.reason_code as code', 'r.text'])
    .select((e) => e.fn.sum<number>('s.pieces').as('pieces'))
    // repaired pieces are good ones, and what a containment scrapped stands with it
    .where('s.counted', '=', 1)
    .where('s.is_rework', '=', 0)
    .where('s.origin', '=', 'operador')
    .groupBy(['s.branch', 's.barcode', 's.order_number', 's.position', 's.part', 's.reason_code', 'r.text'])

const distinct = (texts: readonly string[]) => [...new Set(texts.filter((text) => text !== ''))]

/** What was thrown away at the stage of each line, by its place; of one without scrap there is nothing. */
export async function findTraceScraps(
  db: Reader,
  page: readonly Place[],
): Promise<(line: Place) => StageScrap | undefined> {
  const branches = distinct(page.map(({ branch }) => branch))
  const barcodes = distinct(page.map(({ barcode }) => barcode))
  const joined = page.filter(({ position }) => position !== '')
  const rows = [
    ...(barcodes.length === 0
      ? []
      : await sums(db).where('s.branch', 'in', branches).where('s.barcode', 'in', barcodes).execute()),
    ...(joined.length === 0
      ? []
      : await sums(db)
          .where('s.branch', 'in', branches)
          .where('s.order_number', 'in', distinct(joined.map((one) => one.order_number)))
          .where('s.position', 'in', distinct(joined.map(({ position }) => position)))
          .execute()),
  ]
  const byPlace = Map.groupBy(rows, keyOf)
  return (line) => {
    // MariaDB says sums as text
    const own = (byPlace.get(keyOf(line)) ?? []).map((row) => ({ ...row, pieces: Number(row.pieces) }))
    if (own.length === 0) return undefined
    own.sort((one, other) => other.pieces - one.pieces || (one.code < other.code ? -1 : 1))
    return {
      pecas: own.reduce((sum, { pieces }) => sum + pieces, 0),
      motivos: own.map(({ code, text, pieces }) => ({ texto: text ?? code, pecas: pieces })),
    }
  }
}

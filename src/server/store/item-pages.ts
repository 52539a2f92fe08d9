import type { ErpItem } from '../../contract/items.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { pagesOf } from './slices.ts'

const ROWS_AT_ONCE = 500

type Copy = Pick<Tables['erp_items'], 'branch' | 'barcode' | 'row_json'>

/** All copies of items, a page at a time: those of a year are many, and other calls go between two pages. */
export async function* readItemPages(db: Reader): AsyncGenerator<ErpItem[]> {
  const pages = pagesOf(ROWS_AT_ONCE, ({ branch, barcode }: Copy = { branch: '', barcode: '', row_json: '' }) =>
    db
      .selectFrom('erp_items')
      .select(['branch', 'barcode', 'row_json'])
      .where((e) => e.or([e('branch', '>', branch), e.and([e('branch', '=', branch), e('barcode', '>', barcode)])]))
      .orderBy('branch')
      .orderBy('barcode')
      .limit(ROWS_AT_ONCE)
      .execute(),
  )
  for await (const rows of pages) yield rows.map(({ row_json }) => JSON.parse(row_json) as ErpItem)
}

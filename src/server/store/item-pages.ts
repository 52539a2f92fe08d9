import { setImmediate } from 'node:timers/promises'
import type { ErpItem } from '../../contract/items.ts'
import type { Reader } from './db/db.ts'

const ROWS_AT_ONCE = 500

/** All copies of items, a page at a time: those of a year are many, and other calls go between two pages. */
export async function* readItemPages(db: Reader): AsyncGenerator<ErpItem[]> {
  let after = { branch: '', barcode: '' }
  for (;;) {
    const rows = await db
      .selectFrom('erp_items')
      .select(['branch', 'barcode', 'row_json'])
      .where((e) =>
        e.or([
          e('branch', '>', after.branch),
          e.and([e('branch', '=', after.branch), e('barcode', '>', after.barcode)]),
        ]),
      )
      .orderBy('branch')
      .orderBy('barcode')
      .limit(ROWS_AT_ONCE)
      .execute()
    yield rows.map(({ row_json }) => JSON.parse(row_json) as ErpItem)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = last
    await setImmediate()
  }
}

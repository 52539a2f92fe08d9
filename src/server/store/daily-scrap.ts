import { hash } from 'node:crypto'
import { changesOne, insertsNew, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

type Dimensions = Omit<Tables['daily_scrap'], 'id' | 'pieces'>

/** Adds pieces, which may be negative, to the day's sum. A sum that came to 0 stays. */
export async function addScrapOfDay(tx: Tx, dimensions: Dimensions, pieces: number): Promise<void> {
  const values = [
    ...[dimensions.production_day, dimensions.branch, dimensions.part, dimensions.order_number, dimensions.machine],
    ...[dimensions.unit_key, dimensions.terminal, dimensions.reason_code, dimensions.is_rework],
    ...[dimensions.origin, dimensions.wears],
  ]
  const id = hash('sha256', JSON.stringify(values), 'hex')
  const add = () =>
    tx
      .updateTable('daily_scrap')
      .set((e) => ({ pieces: e('pieces', '+', pieces) }))
      .where('id', '=', id)
      .$call(changesOne)
  if (await add()) return
  const isNew = await tx
    .insertInto('daily_scrap')
    .values({ id, ...dimensions, pieces })
    .$call(insertsNew)
  if (!isNew) await add()
}

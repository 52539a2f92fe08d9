import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { SelectQueryBuilder } from 'kysely'
import type { RecordedPart } from '../../contract/recordings.ts'
import { compiledChange, type Place } from './db/compiled.ts'
import { insertsNew, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

export type ProductionOfDay = {
  productionDay: string
  branch: string
  part: RecordedPart
  orderNumber: string
  machine: string
  operator: string
  unitKey: string
  terminal: string
}

const addToDay = compiledChange((tx, value: Place<{ id: string; pieces: number; recordings: number }>) =>
  tx
    .updateTable('daily_production')
    .set((e) => ({
      pieces: e('pieces', '+', value('pieces')),
      recordings: e('recordings', '+', value('recordings')),
    }))
    .where('id', '=', value('id')),
)

/** Adds pieces and recordings (both may be negative) to the day's roll-up. */
export async function addProduction(
  tx: Tx,
  day: ProductionOfDay,
  added: { pieces: number; recordings: number },
): Promise<void> {
  const { productionDay, branch, part, orderNumber, machine, operator, unitKey, terminal } = day
  const dimensions = [productionDay, branch, part, orderNumber, machine, operator, unitKey, terminal]
  const id = hash('sha256', JSON.stringify(dimensions), 'hex')
  const add = async () => (await addToDay(tx, { id, ...added })) === 1
  if (await add()) return
  const isNew = await tx
    .insertInto('daily_production')
    .values({
      id,
      production_day: productionDay,
      branch,
      part,
      order_number: orderNumber,
      machine,
      operator,
      unit_key: unitKey,
      terminal,
      ...added,
    })
    .$call(insertsNew)
  if (!isNew) await add()
}

/** Both days belong to it; where one is missing it is open. */
export type Period = { from?: string | undefined; to?: string | undefined }

type Days = SelectQueryBuilder<Tables, 'daily_production', unknown>

/** Its rows in a period. */
export function inPeriod(days: Days, { from, to }: Period): Days {
  let rows = days
  if (from !== undefined) rows = rows.where('production_day', '>=', from)
  if (to !== undefined) rows = rows.where('production_day', '<=', to)
  return rows
}

/** The rows of the roll-up in a period. Whatever is shown of production is read from here, never from the recordings. */
export const productionIn = (db: Reader, period: Period) => inPeriod(db.selectFrom('daily_production'), period)

/** The days of a period that have rows, one after the other: a reader of sums keeps SQLite from answering no longer than a day takes. */
export async function* listProducedDays(db: Reader, period: Period): AsyncGenerator<string> {
  let rest = productionIn(db, period)
  for (;;) {
    const { day } = await rest
      .select((e) => e.fn.min<string | null>('production_day').as('day'))
      .executeTakeFirstOrThrow()
    if (day === null) return
    yield day
    // with both lower bounds SQLite would begin at the earlier one each time
    rest = productionIn(db, { to: period.to }).where('production_day', '>', day)
    await setImmediate()
  }
}

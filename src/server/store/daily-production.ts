import { createHash } from 'node:crypto'
import type { RecordedPart } from '../../contract/recordings.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, isUniqueViolation, type Reader, type Tx } from './db/db.ts'

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

/** Adds pieces and recordings (both may be negative) to the day's roll-up. */
export async function addProduction(
  tx: Tx,
  day: ProductionOfDay,
  added: { pieces: number; recordings: number },
): Promise<void> {
  const { productionDay, branch, part, orderNumber, machine, operator, unitKey, terminal } = day
  const dimensions = [productionDay, branch, part, orderNumber, machine, operator, unitKey, terminal]
  const id = createHash('sha256').update(JSON.stringify(dimensions)).digest('hex')
  const add = () =>
    tx
      .updateTable('daily_production')
      .set((e) => ({
        pieces: e('pieces', '+', added.pieces),
        recordings: e('recordings', '+', added.recordings),
      }))
      .where('id', '=', id)
      .$call(changesOne)
  if (await add()) return
  try {
    await tx
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
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await add()
  }
}

/** Both days belong to it; where one is missing it is open. */
export type Period = { from?: string | undefined; to?: string | undefined }

/** The rows of the roll-up in a period. Whatever is shown of it is read from here, never from the recordings. */
export function productionIn(db: Reader, { from, to }: Period) {
  let rows = db.selectFrom('daily_production')
  if (from !== undefined) rows = rows.where('production_day', '>=', from)
  if (to !== undefined) rows = rows.where('production_day', '<=', to)
  return rows
}

/**
 * A unit's lifetime crimps at the end of a day: all it has but those it made since. One statement, so that no commit of
 * another server lies between the two. 0 where there is no such unit.
 */
export async function findLifetimeAfter(db: Reader, unitKey: string, day: string): Promise<number> {
  const row = await db
    .selectFrom('applicator_units as u')
    .select('u.lifetime_crimps as lifetime')
    .select((e) =>
      e
        .selectFrom('daily_production as d')
        .whereRef('d.unit_key', '=', 'u.name_key')
        .where('d.production_day', '>', day)
        .select((of) => of.fn.sum('d.pieces').as('pieces'))
        .as('since'),
    )
    .where('u.name_key', '=', unitKey)
    .executeTakeFirst()
  return row ? Math.max(0, row.lifetime - Number(row.since ?? 0)) : 0
}

/** Both days (`YYYY-MM-DD`) belong to it. */
type Days = { from: string; to: string }

const crimpsIn = (db: Reader, value: Place<Days>) =>
  db
    .selectFrom('daily_production')
    .select(['unit_key as unitKey', 'production_day as day'])
    .select((e) => e.fn.sum<number>('pieces').as('crimps'))
    .where('production_day', '>=', value('from'))
    .where('production_day', '<=', value('to'))
    .groupBy(['unit_key', 'production_day'])
const crimpsByDay = compiled((db, value: Place<Days>) => crimpsIn(db, value).where('unit_key', '!=', ''))
const crimpsOfUnit = compiled((db, value: Place<Days & { unitKey: string }>) =>
  crimpsIn(db, value).where('unit_key', '=', value('unitKey')),
)

/** Crimps of one unit, or of each, on the days of a period. Days without any are left out. */
export async function listCrimpsByDay(
  db: Reader,
  { from, to }: Days,
  unitKey: string | null,
): Promise<{ unitKey: string; day: string; crimps: number }[]> {
  const found = unitKey === null ? await crimpsByDay(db, { from, to }) : await crimpsOfUnit(db, { from, to, unitKey })
  // MariaDB says sums as text
  return found.map(({ crimps, ...row }) => ({ ...row, crimps: Number(crimps) }))
}

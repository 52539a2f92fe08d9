import type { SelectQueryBuilder } from 'kysely'
import { compiled, type Place } from './db/compiled.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

/** Rows of either roll-up, under the names that both have. */
type Rows = SelectQueryBuilder<Tables, 'daily_production', unknown>

/** Crimps of tools: the good ones, and those thrown away that wore theirs. No row of anything else names a tool there. */
const rollUps = {
  goods: (db: Reader): Rows => db.selectFrom('daily_production').where('unit_key', '!=', ''),
  scrap: (db: Reader) => db.selectFrom('daily_scrap').where('wears', '=', 1) as unknown as Rows,
}

const columnsOf = (rows: Rows) => rows.select(['unit_key', 'production_day', 'terminal', 'pieces'])

/**
 * Crimps of tools by day and terminal, whatever became of the pieces: all that is said of the past of a tool is read from
 * here. `narrow` goes into both halves, where an index serves it.
 */
export const crimpsIn = (db: Reader, narrow: (rows: Rows) => Rows) =>
  db.selectFrom(
    columnsOf(narrow(rollUps.goods(db)))
      .unionAll(columnsOf(narrow(rollUps.scrap(db))))
      .as('crimps'),
  )

/**
 * A unit's lifetime crimps at the end of a day: all it has but those it made since. One statement, so that no commit of
 * another server lies between the two. 0 where there is no such unit.
 */
export async function findLifetimeAfter(db: Reader, unitKey: string, day: string): Promise<number> {
  const since = crimpsIn(db, (rows) => rows.where('unit_key', '=', unitKey).where('production_day', '>', day))
  const row = await db
    .selectFrom('applicator_units')
    .select('lifetime_crimps as lifetime')
    .select(since.select((of) => of.fn.sum('pieces').as('pieces')).as('since'))
    .where('name_key', '=', unitKey)
    .executeTakeFirst()
  return row ? Math.max(0, row.lifetime - Number(row.since ?? 0)) : 0
}

/** Both days (`YYYY-MM-DD`) belong to it. */
type Days = { from: string; to: string }

const crimpsOfDays = (db: Reader, value: Place<Days>, narrow: (rows: Rows) => Rows) =>
  crimpsIn(db, (rows) =>
    narrow(rows).where('production_day', '>=', value('from')).where('production_day', '<=', value('to')),
  )
    .select(['unit_key as unitKey', 'production_day as day'])
    .select((e) => e.fn.sum<number>('pieces').as('crimps'))
    .groupBy(['unit_key', 'production_day'])
const crimpsByDay = compiled((db, value: Place<Days>) => crimpsOfDays(db, value, (rows) => rows))
const crimpsOfUnit = compiled((db, value: Place<Days & { unitKey: string }>) =>
  crimpsOfDays(db, value, (rows) => rows.where('unit_key', '=', value('unitKey'))),
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

/** The first day with crimps of each unit, each half by one look into its index; null where it has none. */
export async function listFirstCrimpDays(db: Reader): Promise<{ unitKey: string; day: string | null }[]> {
  const firstOf = (rows: Rows) =>
    rows
      .whereRef('unit_key', '=', 'u.name_key' as 'unit_key')
      .where('pieces', '>', 0)
      .select('production_day')
      .orderBy('production_day')
      .limit(1)
  const units = await db
    .selectFrom('applicator_units as u')
    .select('u.name_key as unitKey')
    .select([firstOf(rollUps.goods(db)).as('goods'), firstOf(rollUps.scrap(db)).as('scrap')])
    .execute()
  return units.map(({ unitKey, goods, scrap }) => {
    const [day = null] = [goods, scrap].filter((one) => one !== null).toSorted()
    return { unitKey, day }
  })
}

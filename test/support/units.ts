import { nameKey } from '../../src/domain/acts/recordings.ts'
import type { Reader } from '../../src/server/store/db/db.ts'

/** The counter of a mini applicator as it is stored; null when there is none. */
export async function findUnit(db: Reader, name: string) {
  const row = await db
    .selectFrom('applicator_units')
    .select(['name', 'cycle', 'crimps', 'lifetime_crimps as lifetimeCrimps', 'limit_crimps as limitCrimps'])
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  return row ?? null
}

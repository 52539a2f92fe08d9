import type { Grouping } from '../../contract/production-reports.ts'
import type { ScrapGrouping } from '../../contract/scrap-reports.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import type { Reader } from './db/db.ts'

/** Names that differ only in case or outer blanks are one; each is shown in one spelling. */
export type Spelling = (name: string) => string

/** Units are rolled up under their key. */
export async function spellUnits(db: Reader): Promise<Spelling> {
  const units = await db.selectFrom('applicator_units').select(['name_key', 'name']).execute()
  const names = new Map(units.map((unit) => [unit.name_key, unit.name]))
  return (key) => names.get(key) ?? key
}

/** Spelling of what a report groups its lines by; other things are written in one way. */
export async function spellingOf(
  db: Reader,
  by: Grouping | ScrapGrouping,
  written: readonly string[],
): Promise<Spelling> {
  if (by === 'miniaplicador') return await spellUnits(db)
  return by === 'terminal' ? await spellTerminals(db, written) : (name) => name
}

/** Terminals are rolled up as the ERP or a tablet wrote them. As a pair spells it; without one, the first of `written`. */
export async function spellTerminals(db: Reader, written: readonly string[]): Promise<Spelling> {
  const pairs = await db.selectFrom('applicators').select('terminal').orderBy('terminal').execute()
  const names = new Map<string, string>()
  for (const name of [...pairs.map(({ terminal }) => terminal), ...written.toSorted()]) {
    const key = nameKey(name)
    if (!names.has(key)) names.set(key, name.trim())
  }
  return (name) => names.get(nameKey(name)) ?? name
}

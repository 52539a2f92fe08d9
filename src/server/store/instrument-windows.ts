import type { Selectable } from 'kysely'
import { nameKey } from '../../domain/acts/recordings.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { windowAmong } from '../../domain/quality/suspect-windows.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { type PlaceWindow, readingOf } from './suspect-recordings.ts'
import { type CrimpPlace, findWindow, goodReadings, type PlaceReading } from './suspect-windows.ts'

/** An instrument whose good readings in a span are trusted no more. Null: without that end. */
type Distrust = { branch: string; instrument: string; after: number | null; until: number | null }

type Distrusted = PlaceReading & { id: number }

/** Told here: by a condition on plant or verdict SQLite would enter measurements by another index than the act's. */
const isGoodIn = (row: Selectable<Tables['measurements']>, branch: string) =>
  row.branch === branch && row.counted === 1 && row.verdict === 'dentro' && row.invalid_at === null

/** Its good readings there, the oldest first. */
async function listDistrusted(db: Reader, { branch, instrument, after, until }: Distrust): Promise<Distrusted[]> {
  const subject = nameKey(instrument)
  let query = db
    .selectFrom('sample_subjects as s')
    .innerJoin('measurements as m', 'm.act_id', 's.act_id')
    .where((e) => e.and({ 's.kind': 'instrumento', 's.subject': subject }))
  if (after !== null) query = query.where('s.at', '>', after)
  if (until !== null) query = query.where('s.at', '<=', until)
  const rows: Selectable<Tables['measurements']>[] = await query
    .selectAll('m')
    .orderBy('m.ordered_at')
    .orderBy('m.id')
    .execute()
  return rows
    .filter((row) => nameKey(row.instrument) === subject && isGoodIn(row, branch))
    .flatMap((row) => {
      const reading = readingOf(row)
      return reading ? { ...reading, id: row.id } : []
    })
}

/** Good readings of a series at its place, but for those that are trusted no more. */
async function listTrusted(db: Reader, acts: readonly Distrusted[]) {
  const [first, last] = [acts[0], acts.at(-1)]
  if (!first || !last) return []
  // what was good before the first of them and after the last ends every window between
  const [{ startAt }, { endAt }] = [await findWindow(db, first), await findWindow(db, last)]
  let query = goodReadings(db, first)
  if (startAt !== null) query = query.where('ordered_at', '>=', startAt)
  if (endAt !== null) query = query.where('ordered_at', '<=', endAt)
  const rows = await query
    .select(['id', 'act_id', 'ordered_at', 'machine'])
    .orderBy('ordered_at')
    .orderBy('id')
    .execute()
  const distrusted = new Set(acts.map(({ id }) => id))
  return rows
    .filter(({ id, machine }) => !distrusted.has(id) && machineKey(machine) === first.place.machineKey)
    .map(({ id, act_id: actId, ordered_at: orderedAt }) => ({ id, actId, orderedAt: Number(orderedAt) }))
}

/** Each distrusted reading opens the window of a bad one of its order; those that are the same once, by place. */
export async function listInstrumentWindows(
  db: Reader,
  distrust: Distrust,
): Promise<{ place: CrimpPlace; windows: PlaceWindow[] }[]> {
  const distrusted = await listDistrusted(db, distrust)
  const places = new Map<string, { place: CrimpPlace; windows: Map<string, PlaceWindow> }>()
  const series = Map.groupBy(distrusted, ({ place, characteristic }) => JSON.stringify([place, characteristic]))
  for (const acts of series.values()) {
    const trusted = await listTrusted(db, acts)
    for (const reading of acts) {
      const window = windowAmong(trusted, reading)
      const ofOrder = window.basis === 'ordem' ? [reading.orderedAt, reading.orderNumber] : []
      const key = JSON.stringify(reading.place)
      const there = places.get(key) ?? { place: reading.place, windows: new Map() }
      there.windows.set(JSON.stringify([window.startAt, window.endAt, ...ofOrder]), { reading, window })
      places.set(key, there)
    }
  }
  return [...places.values()].map(({ place, windows }) => ({ place, windows: [...windows.values()] }))
}

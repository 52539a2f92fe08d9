import { machineKey } from '../../domain/quality/control-plans.ts'
import type { Reader } from './db/db.ts'
import { slicesOf } from './slices.ts'
import { findEnd, goodReadings, type PlaceReading } from './suspect-windows.ts'

/** Samples of a series read first: some of each press are nearly always among them. */
const LOOKED_AT = 20

const seriesOf = ({ place: { machineKey: _machine, ...place }, characteristic }: PlaceReading) =>
  JSON.stringify([Object.values(place), characteristic])

/** By press, when its newest good one was taken. */
type Newest = ReadonlyMap<string, number>

function newestOf(rows: readonly { machine: string; at: number }[]): Newest {
  const newest = new Map<string, number>()
  for (const { machine, at } of rows)
    newest.set(machineKey(machine), Math.max(at, newest.get(machineKey(machine)) ?? 0))
  return newest
}

const oldestOf = (readings: readonly PlaceReading[]): PlaceReading | undefined =>
  readings.toSorted((one, other) => one.orderedAt - other.orderedAt)[0]

/** The newest few of the charts decide of most; of the rest all since the oldest of them are read. */
async function findMeasuredAgain(db: Reader, readings: readonly PlaceReading[]): Promise<Set<PlaceReading>> {
  const good = new Set<PlaceReading>()
  const isAfter = (newest: Newest) => (reading: PlaceReading) =>
    (newest.get(reading.place.machineKey) ?? 0) > reading.orderedAt
  const [first] = readings
  if (!first) return good
  const few = await goodReadings(db, first)
    .where('charted', '=', 1)
    .orderBy('ordered_at', 'desc')
    .limit(LOOKED_AT)
    .select(['machine', 'ordered_at as at'])
    .execute()
  for (const reading of readings.filter(isAfter(newestOf(few)))) good.add(reading)
  const others = readings.filter((reading) => !good.has(reading))
  const oldest = oldestOf(others)
  if (!oldest) return good
  const all = await goodReadings(db, oldest)
    .where('ordered_at', '>=', oldest.orderedAt)
    .groupBy('machine')
    .select(['machine', (e) => e.fn.max<number>('ordered_at').as('at')])
    .execute()
  const newest = newestOf(all)
  for (const reading of others) {
    // of equal instants the one that was stored later is the newer one
    const isEqual = newest.get(reading.place.machineKey) === reading.orderedAt
    if (isAfter(newest)(reading) || (isEqual && (await findEnd(db, reading)) !== null)) good.add(reading)
  }
  return good
}

/** So many are read at once: a database in another process answers them by turns, and keeps connections for presses. */
const TOGETHER = 4

/** In the order of `all`. */
export async function inGroups<One, Of>(all: readonly One[], read: (one: One) => Promise<Of>): Promise<Of[]> {
  const results: Of[] = []
  for (const some of slicesOf(all, TOGETHER)) results.push(...(await Promise.all(some.map(read))))
  return results
}

/**
 * Whether something good was measured at the place of each since, of its characteristic: a read or two a series, however many
 * there are. Of null, which no plan speaks of, never.
 */
export async function listMeasuredAgain(db: Reader, readings: readonly (PlaceReading | null)[]): Promise<boolean[]> {
  const all = readings.filter((reading) => reading !== null)
  const good = new Set<PlaceReading>()
  const series = [...Map.groupBy(all, seriesOf).values()]
  await inGroups(series, async (own) => {
    for (const reading of await findMeasuredAgain(db, own)) good.add(reading)
  })
  return readings.map((reading) => reading !== null && good.has(reading))
}

/** The first good one after a row of `measurements`; the next few of the series nearly always hold it. */
export async function findNextGood(
  db: Reader,
  reading: PlaceReading,
  rowId: number,
): Promise<{ at: number; act: string } | null> {
  const found: { id: number; at: number; act: string }[] = []
  for (const charted of [0, 1]) {
    const few = await goodReadings(db, reading)
      .where('charted', '=', charted)
      .where('ordered_at', '>=', reading.orderedAt)
      .orderBy('ordered_at')
      .limit(LOOKED_AT)
      .select(['id', 'ordered_at as at', 'act_id as act', 'machine'])
      .execute()
    const here = few.filter(
      ({ id, at, machine }) =>
        machineKey(machine) === reading.place.machineKey && (at > reading.orderedAt || id > rowId),
    )
    // none among them says nothing of what comes after
    if (few.length === LOOKED_AT && here.length === 0) return await findEnd(db, reading)
    found.push(...here)
  }
  const [next] = found.sort((one, other) => one.at - other.at || one.id - other.id)
  return next ? { at: next.at, act: next.act } : null
}

/** As `listMeasuredAgain`, and when that was first; null: never. `rowId` is that of `findNextGood`. */
export async function listFirstGood(
  db: Reader,
  readings: readonly ((PlaceReading & { rowId: number }) | null)[],
): Promise<(number | null)[]> {
  const measured = await listMeasuredAgain(db, readings)
  const again = readings.map((reading, nth) => (measured[nth] ? reading : null))
  return await inGroups(
    again,
    async (reading) => reading && ((await findNextGood(db, reading, reading.rowId))?.at ?? null),
  )
}

import type { Characteristic } from '../../contract/measurements.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import type { SuspectWindow } from '../../domain/quality/suspect-windows.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'

/** Where crimps are made and measured; a junction has no tool, and all positions are one place. */
export type CrimpPlace = {
  branch: string
  isJunction: boolean
  unitKey: string
  terminalKey: string
  gauge: number
  machineKey: string
}

export type PlaceReading = {
  place: CrimpPlace
  characteristic: Characteristic
  orderedAt: number
  actId: string
  orderNumber: string
}

export const partsOf = ({ isJunction }: CrimpPlace) => (isJunction ? (['juncao'] as const) : (['l1', 'l2'] as const))

/** Readings inside of one characteristic that count, of all presses; by the index of the charts. */
export const goodReadings = (db: Reader, { place, characteristic }: Pick<PlaceReading, 'place' | 'characteristic'>) =>
  db
    .selectFrom('measurements')
    .where((e) => e.and({ branch: place.branch, unit_key: place.unitKey, terminal_key: place.terminalKey }))
    .where((e) => e.and({ gauge_milli: place.gauge, characteristic, counted: 1, verdict: 'dentro' }))
    // any, so that the index is of use
    .where('charted', 'in', [0, 1])
    .where('part', 'in', partsOf(place))
    .where('invalid_at', 'is', null)

/** Row of a reading: of equal instants the one stored later is the newer one. */
const rowOf = (db: Reader, { actId, characteristic }: PlaceReading) =>
  db.selectFrom('measurements').select('id').where('act_id', '=', actId).where('characteristic', '=', characteristic)

/** A reading's own machine, or every machine that its tool was used at. */
const isThere =
  ({ place }: PlaceReading, isAnywhere: boolean) =>
  ({ machine }: { machine: string }): boolean =>
    isAnywhere || machineKey(machine) === place.machineKey

/** Instant of the newest good one before a reading; null: there is none. */
async function findStart(db: Reader, reading: PlaceReading, isAnywhere = false): Promise<number | null> {
  const { orderedAt } = reading
  const rows = await goodReadings(db, reading)
    .where('ordered_at', '<=', orderedAt)
    .where((e) => e.or([e('ordered_at', '<', orderedAt), e('id', '<', rowOf(db, reading))]))
    .groupBy('machine')
    .select(['machine', (e) => e.fn.max<number>('ordered_at').as('at')])
    .execute()
  const there = rows.filter(isThere(reading, isAnywhere))
  return there.length === 0 ? null : Math.max(...there.map(({ at }) => at))
}

export async function findEnd(
  db: Reader,
  reading: PlaceReading,
  isAnywhere = false,
): Promise<{ at: number; act: string } | null> {
  const { orderedAt } = reading
  const after = goodReadings(db, reading)
    .where('ordered_at', '>=', orderedAt)
    .where((e) => e.or([e('ordered_at', '>', orderedAt), e('id', '>', rowOf(db, reading))]))
  const rows = await after
    .groupBy('machine')
    .select(['machine', (e) => e.fn.min<number>('ordered_at').as('at')])
    .execute()
  const there = rows.filter(isThere(reading, isAnywhere))
  if (there.length === 0) return null
  const at = Math.min(...there.map((one) => one.at))
  const machines = there.map(({ machine }) => machine)
  const first = await after
    .where('ordered_at', '=', at)
    .where('machine', 'in', machines)
    .orderBy('id')
    .select('act_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { at, act: first.act_id }
}

/** Since the newest good reading of its characteristic before it, until the first one after it, whatever the order. */
export async function findWindow(db: Reader, reading: PlaceReading): Promise<SuspectWindow> {
  const [startAt, end] = [await findStart(db, reading), await findEnd(db, reading)]
  return {
    startAt,
    basis: startAt === null ? 'ordem' : 'medicao',
    endAt: end?.at ?? null,
    endAct: end?.act ?? null,
  }
}

type EndReading = { valores: number[]; por: string }

/** The good readings that begin and end a window; null where somebody has chosen an end, or there is none. */
export async function findEndReadings(
  db: Reader,
  reading: PlaceReading,
  window: SuspectWindow,
): Promise<{ before: EndReading | null; after: EndReading | null }> {
  const at = async (orderedAt: number | null, order: 'asc' | 'desc') => {
    if (orderedAt === null) return null
    const rows = await goodReadings(db, reading)
      .where('ordered_at', '=', orderedAt)
      .orderBy('id', order)
      .select(['machine', 'readings_json', 'operator'])
      .execute()
    const row = rows.find(isThere(reading, false))
    return row ? { valores: JSON.parse(row.readings_json) as number[], por: row.operator } : null
  }
  return {
    before: window.basis === 'medicao' ? await at(window.startAt, 'desc') : null,
    after: await at(window.endAt, 'asc'),
  }
}

/**
 * Where the same tool may have made suspect pieces at another machine: since it was last good anywhere, until it was good anywhere
 * again. Null: it never was, or has no tool.
 */
export async function findMovedSpan(
  db: Reader,
  reading: PlaceReading,
): Promise<{ after: number; until: number | null } | null> {
  if (reading.place.isJunction) return null
  const after = await findStart(db, reading, true)
  return after === null ? null : { after, until: (await findEnd(db, reading, true))?.at ?? null }
}

/** Null where no plan could speak of it. */
export function placeOf(
  row: Pick<Tables['measurements'], 'branch' | 'unit_key' | 'terminal_key' | 'gauge_milli' | 'machine'> & {
    part: string
  },
): CrimpPlace | null {
  if (row.gauge_milli === null) return null
  return {
    branch: row.branch,
    isJunction: row.part === 'juncao',
    unitKey: row.unit_key,
    terminalKey: row.terminal_key,
    gauge: row.gauge_milli,
    machineKey: machineKey(row.machine),
  }
}

import type { Characteristic } from '../../contract/measurements.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { type RecordingSpan, type SuspectWindow, suspectBefore } from '../../domain/quality/suspect-windows.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { doneAt } from './measurements.ts'

/** Where crimps are made and measured; a junction has no tool, and all positions are one place. */
type CrimpPlace = {
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

const partsOf = ({ isJunction }: CrimpPlace) => (isJunction ? (['juncao'] as const) : (['l1', 'l2'] as const))

/** Readings inside of one characteristic that count, of all presses; by the index of the charts. */
export const goodReadings = (db: Reader, { place, characteristic }: PlaceReading) =>
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

async function findStart(db: Reader, reading: PlaceReading): Promise<number | null> {
  const { place, orderedAt } = reading
  const rows = await goodReadings(db, reading)
    .where('ordered_at', '<=', orderedAt)
    .where((e) => e.or([e('ordered_at', '<', orderedAt), e('id', '<', rowOf(db, reading))]))
    .groupBy('machine')
    .select(['machine', (e) => e.fn.max<number>('ordered_at').as('at')])
    .execute()
  const here = rows.filter(({ machine }) => machineKey(machine) === place.machineKey)
  return here.length === 0 ? null : Math.max(...here.map(({ at }) => at))
}

export async function findEnd(db: Reader, reading: PlaceReading): Promise<{ at: number; act: string } | null> {
  const { place, orderedAt } = reading
  const after = goodReadings(db, reading)
    .where('ordered_at', '>=', orderedAt)
    .where((e) => e.or([e('ordered_at', '>', orderedAt), e('id', '>', rowOf(db, reading))]))
  const rows = await after
    .groupBy('machine')
    .select(['machine', (e) => e.fn.min<number>('ordered_at').as('at')])
    .execute()
  const here = rows.filter(({ machine }) => machineKey(machine) === place.machineKey)
  if (here.length === 0) return null
  const at = Math.min(...here.map((one) => one.at))
  const machines = here.map(({ machine }) => machine)
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

/** In every way in which a machine is written in recordings, by which an index finds them. */
async function listSpellings(db: Reader, { branch, machineKey: key }: CrimpPlace): Promise<string[]> {
  const rows = await db
    .selectFrom('daily_production')
    .select('machine')
    .distinct()
    .where((e) => e.and({ branch, part: 'juncao' }))
    .execute()
  return rows.map(({ machine }) => machine).filter((machine) => machineKey(machine) === key)
}

/** Good pieces that were recorded at a place in any of these spans, each once. */
export async function countPieces(db: Reader, place: CrimpPlace, spans: readonly RecordingSpan[]): Promise<number> {
  const starts = spans.map(({ after }) => after)
  const [from] = starts.includes(null) ? [null] : starts.toSorted((one, other) => Number(one) - Number(other))
  let query = db
    .selectFrom('recordings')
    .where((e) => e.and({ branch: place.branch, gauge_milli: place.gauge, counted: 1 }))
    .where('part', 'in', partsOf(place))
    .where((e) =>
      e.or(
        spans.map(({ after, until, orderNumber }) =>
          e.and([
            ...(after === null ? [] : [e(doneAt(e), '>', after)]),
            ...(until === null ? [] : [e(doneAt(e), '<=', until)]),
            ...(orderNumber === null ? [] : [e('order_number', '=', orderNumber)]),
          ]),
        ),
      ),
    )
  // nothing is recorded after itself: by this half an index can be entered
  if (from != null) query = query.where('recorded_at', '>', from)
  if (place.isJunction) {
    const spellings = await listSpellings(db, place)
    if (spellings.length === 0) return 0
    query = query.where('machine', 'in', spellings)
  } else {
    query = query.where('unit_key', '=', place.unitKey)
  }
  const made = await query
    .groupBy(['terminal', 'machine'])
    .select(['terminal', 'machine', (e) => e.fn.sum<number>('pieces').as('pieces')])
    .execute()
  return made
    .filter((one) => nameKey(one.terminal) === place.terminalKey && machineKey(one.machine) === place.machineKey)
    .reduce((sum, { pieces }) => sum + Number(pieces), 0)
}

type ActRow = Pick<
  Tables['measurements'],
  | 'act_id'
  | 'characteristic'
  | 'branch'
  | 'order_number'
  | 'part'
  | 'unit_key'
  | 'terminal_key'
  | 'gauge_milli'
  | 'machine'
  | 'verdict'
> & { ordered_at: number }

/** Null where no plan could speak of it. */
export function placeOf(
  row: Pick<ActRow, 'branch' | 'unit_key' | 'terminal_key' | 'gauge_milli' | 'machine'> & { part: string },
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

/** Recorded up to an act, and not known to be good in what it found outside; each recording once, whatever was outside. */
export async function countSuspectPieces(db: Reader, act: readonly ActRow[]): Promise<number> {
  const [first] = act
  const place = first ? placeOf(first) : null
  if (place === null) return 0
  const spans: RecordingSpan[] = []
  for (const row of act.filter(({ verdict }) => verdict === 'fora')) {
    const { characteristic, ordered_at: orderedAt, act_id: actId, order_number: orderNumber } = row
    const reading = { place, characteristic, orderedAt, actId, orderNumber }
    spans.push(suspectBefore(reading, await findWindow(db, reading)))
  }
  return await countPieces(db, place, spans)
}

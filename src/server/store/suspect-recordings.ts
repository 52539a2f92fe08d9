import type { Certainty } from '../../contract/containments.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { addDays } from '../../domain/plant/plant-time.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import type { SuspectPieces } from '../../domain/quality/sampling.ts'
import {
  type BadReading,
  certainSpans,
  type RecordingSpan,
  type SuspectRecording,
  type SuspectWindow,
  spansUpTo,
} from '../../domain/quality/suspect-windows.ts'
import { productionIn } from './daily-production.ts'
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { doneAt } from './measurements.ts'
import { slicesOf } from './slices.ts'
import { type CrimpPlace, findMovedSpan, findWindow, type PlaceReading, partsOf, placeOf } from './suspect-windows.ts'
import { listWritten, machines, terminals } from './written-values.ts'

/** Terminal and machine as a recording writes them. */
type Written = { terminal: string; machine: string }

/** Recordings of a plant that one index finds, and of those the ones that `fits` takes. */
export type Sought = {
  branch: string
  column: 'unit_key' | 'machine' | 'lot' | 'order_number'
  values: readonly string[]
  parts: readonly RecordedPart[]
  /** Null: of any. */
  gauge: number | null
  fits: (written: Written) => boolean
}

/** In every way in which a machine is written in recordings, by which an index finds them. */
export async function listSpellings(db: Reader, key: string): Promise<string[]> {
  return (await listWritten(db, machines)).filter((machine) => machineKey(machine) === key)
}

const isWrittenAt =
  (place: CrimpPlace) =>
  ({ terminal, machine }: Written): boolean =>
    nameKey(terminal) === place.terminalKey && machineKey(machine) === place.machineKey

/** Before the day of an instant at any plant: its clock may be behind. */
const dayBefore = (at: number): string => addDays(new Date(at).toISOString().slice(0, 10), -1)

/** Orders of a junction's terminal at its machine, as the days' sums tell them: what the machine joined for all others is never read. */
async function listJoinedOrders(db: Reader, place: CrimpPlace, since: number | null): Promise<string[]> {
  const written = ['', ...(await listWritten(db, terminals))].filter((name) => nameKey(name) === place.terminalKey)
  if (written.length === 0) return []
  const rows = await productionIn(db, since === null ? {} : { from: dayBefore(since) })
    .where('terminal', 'in', written)
    .where('part', 'in', partsOf(place))
    .where('branch', '=', place.branch)
    .select(['order_number', 'terminal', 'machine'])
    .distinct()
    .execute()
  return [...new Set(rows.filter(isWrittenAt(place)).map(({ order_number }) => order_number))]
}

/** Null: since any time. */
function sinceOf(spans: readonly RecordingSpan[]): number | null {
  const starts = spans.flatMap(({ after }) => after ?? [])
  return starts.length === 0 || starts.length < spans.length ? null : Math.min(...starts)
}

async function soughtAt(db: Reader, place: CrimpPlace, spans: readonly RecordingSpan[]): Promise<Sought> {
  const { branch, isJunction, gauge } = place
  return {
    ...{ branch, parts: partsOf(place), gauge, fits: isWrittenAt(place) },
    column: isJunction ? 'order_number' : 'unit_key',
    values: isJunction ? await listJoinedOrders(db, place, sinceOf(spans)) : [place.unitKey],
  }
}

/** A statement takes no more of them. */
const VALUES_AT_ONCE = 500
const SPANS_AT_ONCE = 100

/** In any of these spans. */
function inSpans(db: Reader, { branch, column, values, parts, gauge }: Sought, spans: readonly RecordingSpan[]) {
  const from = sinceOf(spans)
  let query = db
    .selectFrom('recordings')
    .where('branch', '=', branch)
    .where(column, 'in', values)
    .where('counted', '=', 1)
    .where('part', 'in', parts)
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
  if (from !== null) query = query.where('recorded_at', '>', from)
  // junctions have none, which the index of orders tells: of crimps no row is read
  if (column === 'order_number') query = query.where('barcode', '=', '')
  return gauge === null ? query : query.where('gauge_milli', '=', gauge)
}

/** One that each statement can take whole after the other. */
function inStatements(sought: Sought, spans: readonly RecordingSpan[]): Sought[] {
  if (spans.length === 0) return []
  return slicesOf(sought.values, VALUES_AT_ONCE).map((values) => ({ ...sought, values }))
}

type Group = Written & { recordings: number; pieces: number }

/** How many there are, by terminal and machine as they are written. */
async function listGroups(db: Reader, sought: Sought, spans: readonly RecordingSpan[]): Promise<Group[]> {
  const groups: Group[] = []
  for (const some of inStatements(sought, spans)) {
    const rows = await inSpans(db, some, spans)
      .groupBy(['terminal', 'machine'])
      .select((e) => ['terminal', 'machine', e.fn.countAll<number>().as('recordings')])
      .select((e) => e.fn.sum<number>('pieces').as('pieces'))
      .execute()
    groups.push(...rows.map((row) => ({ ...row, recordings: Number(row.recordings), pieces: Number(row.pieces) })))
  }
  return groups.filter(sought.fits)
}

const piecesOf = (groups: readonly Group[]) => groups.reduce((sum, { pieces }) => sum + pieces, 0)

/** Good pieces that were recorded at a place in any of these spans, each once. */
export const countPieces = async (db: Reader, place: CrimpPlace, spans: readonly RecordingSpan[]): Promise<number> =>
  piecesOf(await listGroups(db, await soughtAt(db, place, spans), spans))

/** More recordings than one containment takes. */
export class WindowTooLarge extends Error {}

/** Of a tool or machine with other terminals so many are looked through for one window. */
const LOOKED_THROUGH_MAX = 200_000

/** The recordings themselves, read once: those of other places are told from them here. */
async function readSought(db: Reader, sought: Sought, spans: readonly RecordingSpan[]) {
  const found: Omit<SuspectRecording, 'certainty'>[] = []
  for (const some of inStatements(sought, spans)) {
    const rows = await inSpans(db, some, spans)
      .select((e) => ['id', 'pieces', 'terminal', 'machine', doneAt(e).as('at')])
      .limit(LOOKED_THROUGH_MAX)
      .execute()
    if (rows.length === LOOKED_THROUGH_MAX) throw new WindowTooLarge()
    found.push(...rows.filter(sought.fits).map(({ id, pieces, at }) => ({ id, pieces, at: Number(at) })))
  }
  return found
}

/** Throws where they are more than `max`. */
async function listSought(
  db: Reader,
  sought: Sought,
  spans: readonly RecordingSpan[],
  { certainty, max }: { certainty: Certainty; max: number },
): Promise<SuspectRecording[]> {
  const rows = await readSought(db, sought, spans)
  if (rows.length > max) throw new WindowTooLarge()
  return rows.map((row) => ({ ...row, certainty }))
}

/** The first after an instant, whatever its order: people record after they have made. */
async function listNext(db: Reader, sought: Sought, after: number): Promise<SuspectRecording[]> {
  const rows = await readSought(db, sought, [{ after, until: null, orderNumber: null }])
  const first = rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  return rows.filter(({ at }) => at === first).map((row) => ({ ...row, certainty: 'possivel' as const }))
}

/** A window with the reading, or the act trusted no more, that it is of. */
export type PlaceWindow = { reading: BadReading; window: SuspectWindow }

/** Certain recordings of windows at a place, and the first after the end of each. */
export async function listAtPlace(
  db: Reader,
  place: CrimpPlace,
  windows: readonly PlaceWindow[],
  max: number,
): Promise<SuspectRecording[]> {
  const spans = windows.flatMap(({ reading, window }) => certainSpans(reading, window))
  const sought = await soughtAt(db, place, spans)
  const found: SuspectRecording[] = []
  for (const some of slicesOf(spans, SPANS_AT_ONCE)) {
    found.push(...(await listSought(db, sought, some, { certainty: 'certo', max })))
  }
  const ends = new Set(windows.flatMap(({ window }) => window.endAt ?? []))
  for (const end of ends) found.push(...(await listNext(db, sought, end)))
  return found
}

/** Made with the same tool at another machine. */
export async function listMoved(db: Reader, reading: PlaceReading, max: number): Promise<SuspectRecording[]> {
  const span = await findMovedSpan(db, reading)
  if (span === null) return []
  const { place } = reading
  const spans = [{ ...span, orderNumber: null }]
  const here = await soughtAt(db, place, spans)
  const elsewhere: Sought = {
    ...here,
    fits: ({ terminal, machine }) =>
      nameKey(terminal) === place.terminalKey && machineKey(machine) !== place.machineKey,
  }
  return await listSought(db, elsewhere, spans, { certainty: 'outra-maquina', max })
}

/** Of what was named by hand, all between its ends. */
export const listNamed = (db: Reader, sought: Sought, span: RecordingSpan, max: number): Promise<SuspectRecording[]> =>
  listSought(db, sought, [span], { certainty: 'certo', max })

/** How many recordings and pieces there are in other plants. */
export async function countElsewhere(
  db: Reader,
  sought: Pick<Sought, 'column' | 'values' | 'parts'>,
  span: RecordingSpan,
  branches: readonly string[],
): Promise<{ branch: string; recordings: number }[]> {
  const counts: { branch: string; recordings: number }[] = []
  for (const branch of branches) {
    const groups = await listGroups(db, { ...sought, branch, gauge: null, fits: () => true }, [span])
    const recordings = groups.reduce((sum, one) => sum + one.recordings, 0)
    if (recordings > 0) counts.push({ branch, recordings })
  }
  return counts
}

type ReadingRow = Parameters<typeof placeOf>[0] &
  Pick<Tables['measurements'], 'act_id' | 'characteristic' | 'order_number'> & { ordered_at: number }

/** Null where no plan could speak of it. */
export const readingOf = (row: ReadingRow): PlaceReading | null => {
  const place = placeOf(row)
  return (
    place && {
      ...{ place, characteristic: row.characteristic, orderedAt: row.ordered_at },
      ...{ actId: row.act_id, orderNumber: row.order_number },
    }
  )
}

/** Recorded up to an act, and not known to be good in what it found outside; each recording once, whatever was outside. */
export async function countSuspectPieces(
  db: Reader,
  act: readonly (ReadingRow & Pick<Tables['measurements'], 'verdict'>)[],
): Promise<SuspectPieces> {
  const readings = act.filter(({ verdict }) => verdict === 'fora').flatMap((row) => readingOf(row) ?? [])
  const [first] = readings
  if (!first) return { pieces: 0, isOfOrder: false }
  const spans: RecordingSpan[] = []
  let isOfOrder = true
  for (const reading of readings) {
    const window = await findWindow(db, reading)
    isOfOrder &&= window.basis === 'ordem'
    spans.push(...spansUpTo(certainSpans(reading, window), reading.orderedAt))
  }
  return { pieces: await countPieces(db, first.place, spans), isOfOrder }
}

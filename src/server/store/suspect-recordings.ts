import type { Certainty } from '../../contract/containments.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
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
import type { Reader } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { doneAt } from './measurements.ts'
import { type CrimpPlace, findMovedSpan, findWindow, type PlaceReading, partsOf, placeOf } from './suspect-windows.ts'

/** Terminal and machine as a recording writes them. */
type Written = { terminal: string; machine: string }

/** Recordings of a plant that one index finds, and of those the ones that `fits` takes. */
export type Sought = {
  branch: string
  column: 'unit_key' | 'machine' | 'lot'
  values: readonly string[]
  parts: readonly RecordedPart[]
  /** Null: of any. */
  gauge: number | null
  fits: (written: Written) => boolean
}

/** In every way in which a machine is written in recordings, by which an index finds them. */
export async function listSpellings(
  db: Reader,
  branch: string,
  parts: readonly RecordedPart[],
  key: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('daily_production')
    .select('machine')
    .distinct()
    .where('branch', '=', branch)
    .where('part', 'in', parts)
    .execute()
  return rows.map(({ machine }) => machine).filter((machine) => machineKey(machine) === key)
}

async function soughtAt(db: Reader, place: CrimpPlace): Promise<Sought> {
  const parts = partsOf(place)
  const { branch, isJunction, gauge } = place
  return {
    ...{ branch, parts, gauge, column: isJunction ? 'machine' : 'unit_key' },
    values: isJunction ? await listSpellings(db, branch, parts, place.machineKey) : [place.unitKey],
    fits: ({ terminal, machine }) =>
      nameKey(terminal) === place.terminalKey && machineKey(machine) === place.machineKey,
  }
}

/** In any of these spans. */
function inSpans(db: Reader, { branch, column, values, parts, gauge }: Sought, spans: readonly RecordingSpan[]) {
  const starts = spans.map(({ after }) => after)
  const [from] = starts.includes(null) ? [null] : starts.toSorted((one, other) => Number(one) - Number(other))
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
  if (from != null) query = query.where('recorded_at', '>', from)
  return gauge === null ? query : query.where('gauge_milli', '=', gauge)
}

type Group = Written & { recordings: number; pieces: number }

/** How many there are, by terminal and machine as they are written. */
async function listGroups(db: Reader, sought: Sought, spans: readonly RecordingSpan[]): Promise<Group[]> {
  if (sought.values.length === 0 || spans.length === 0) return []
  const rows = await inSpans(db, sought, spans)
    .groupBy(['terminal', 'machine'])
    .select((e) => ['terminal', 'machine', e.fn.countAll<number>().as('recordings')])
    .select((e) => e.fn.sum<number>('pieces').as('pieces'))
    .execute()
  return rows
    .map((row) => ({ ...row, recordings: Number(row.recordings), pieces: Number(row.pieces) }))
    .filter(sought.fits)
}

const piecesOf = (groups: readonly Group[]) => groups.reduce((sum, { pieces }) => sum + pieces, 0)

/** Good pieces that were recorded at a place in any of these spans, each once. */
export const countPieces = async (db: Reader, place: CrimpPlace, spans: readonly RecordingSpan[]): Promise<number> =>
  piecesOf(await listGroups(db, await soughtAt(db, place), spans))

/** More recordings than one containment takes. */
export class WindowTooLarge extends Error {}

/** Of a tool or machine with other terminals so many are looked through for one window. */
const LOOKED_THROUGH_MAX = 200_000

/** The recordings themselves, read once: those of other places are told from them here. */
async function readSought(db: Reader, sought: Sought, spans: readonly RecordingSpan[]) {
  if (sought.values.length === 0 || spans.length === 0) return []
  const rows = await inSpans(db, sought, spans)
    .select((e) => ['id', 'pieces', 'terminal', 'machine', doneAt(e).as('at')])
    .limit(LOOKED_THROUGH_MAX)
    .execute()
  if (rows.length === LOOKED_THROUGH_MAX) throw new WindowTooLarge()
  return rows.filter(sought.fits).map(({ id, pieces, at }) => ({ id, pieces, at: Number(at) }))
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

/** A statement takes no more of them. */
const SPANS_AT_ONCE = 100

/** Certain recordings of windows at a place, and the first after the end of each. */
export async function listAtPlace(
  db: Reader,
  place: CrimpPlace,
  windows: readonly PlaceWindow[],
  max: number,
): Promise<SuspectRecording[]> {
  const sought = await soughtAt(db, place)
  const spans = windows.flatMap(({ reading, window }) => certainSpans(reading, window))
  const found: SuspectRecording[] = []
  for (let at = 0; at < spans.length; at += SPANS_AT_ONCE) {
    const some = spans.slice(at, at + SPANS_AT_ONCE)
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
  const here = await soughtAt(db, place)
  const elsewhere: Sought = {
    ...here,
    fits: ({ terminal, machine }) =>
      nameKey(terminal) === place.terminalKey && machineKey(machine) !== place.machineKey,
  }
  return await listSought(db, elsewhere, [{ ...span, orderNumber: null }], { certainty: 'outra-maquina', max })
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

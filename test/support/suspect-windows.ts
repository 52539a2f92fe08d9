import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Characteristic, Verdict } from '../../src/contract/measurements.ts'
import { plantDay } from '../../src/domain/plant/plant-time.ts'
import { machineKey } from '../../src/domain/quality/control-plans.ts'
import type { Db, Tx } from '../../src/server/store/db/db.ts'
import type { Tables } from '../../src/server/store/db/tables.ts'
import { noteSubjects } from '../../src/server/store/sample-subjects.ts'
import type { PlaceReading } from '../../src/server/store/suspect-windows.ts'
import { sampleOf } from './series-samples.ts'
import { BRANCH } from './store.ts'

type Spot = { unit: string; terminal: string; gauge: number; machine: string }

/** `at`: ISO. Of one instant the act that comes later in its list is the newer one. */
export type PlantAct = Spot & {
  id: string
  at: string
  parts: Partial<Record<Characteristic, Verdict>>
  order?: string
  counted?: boolean
  invalid?: boolean
  instrument?: string
}
/** `since`: when its set-up began, which no device says yet. */
type PlantRecording = Spot & {
  id: string
  at: string
  order: string
  pieces: number
  counted?: boolean
  since?: string
  /** By how many ms its device's clock ran ahead: it was received at `at`. */
  ahead?: number
  lot?: string
}
/** What was measured and recorded in a plant, as the golden data write it. */
export type Plant = { acts: PlantAct[]; recordings: PlantRecording[] }
export type BadReading = Spot & { at: string; characteristic: Characteristic; order: string }

/** Ends that somebody chose. */
export type ChosenEnds = { start?: string; end?: string }

type GoldenWindow = Plant & {
  name: string
  bad: BadReading
  widened?: ChosenEnds
  expected: {
    start: string | null
    basis: string
    end: string | null
    certain: string[]
    possibleNext: string[]
    possibleMoved: string[]
    piecesAtBad: number
    pieces: number
    piecesPossible: number
  }
}

export type InstrumentSpan = { instrument: string; span: { start: string | null; end: string | null } }

type GoldenInstrument = Plant &
  InstrumentSpan & {
    name: string
    expected: {
      windows: number
      certain: string[]
      possibleNext: string[]
      pieces: number
      piecesPossible: number
    }
  }

export const { windows: goldenWindows, instrumentWindows: goldenInstruments } = JSON.parse(
  readFileSync(new URL('golden/suspect-window.json', import.meta.url), 'utf8'),
) as { windows: GoldenWindow[]; instrumentWindows: GoldenInstrument[] }

const isAt = (one: Spot, other: Spot) =>
  one.unit === other.unit &&
  one.terminal === other.terminal &&
  one.gauge === other.gauge &&
  machineKey(one.machine) === machineKey(other.machine)

const piecesOf = (all: readonly PlantRecording[]) => all.reduce((sum, { pieces }) => sum + pieces, 0)

type Timed<T> = T & { ms: number; row: number }

const inOrder = <T extends { at: string }>(all: readonly T[]): Timed<T>[] =>
  all
    .map((one, row) => ({ ...one, ms: Date.parse(one.at), row }))
    .toSorted((one, other) => one.ms - other.ms || one.row - other.row)

const isGood = (act: PlantAct, characteristic: Characteristic) =>
  act.parts[characteristic] === 'dentro' && act.counted !== false && !act.invalid

/** The good readings next to one, of those that `isThere` takes. */
function nextTo(acts: readonly Timed<PlantAct>[], { ms, row }: { ms: number; row: number }) {
  const isBefore = (one: { ms: number; row: number }) => one.ms < ms || (one.ms === ms && one.row < row)
  return {
    start: acts.findLast(isBefore) ?? null,
    end: acts.find((one) => one.row !== row && !isBefore(one)) ?? null,
  }
}

const NEVER = Number.POSITIVE_INFINITY

/** Recordings of a window at its place, and the first after its end: at one instant all of them. */
function bruteRecordings(
  recordings: readonly PlantRecording[],
  bad: BadReading,
  { start, end, isOfOrder }: { start: number; end: number; isOfOrder: boolean },
) {
  const there = inOrder(recordings).filter((one) => one.counted !== false && isAt(one, bad))
  const badAt = Date.parse(bad.at)
  const certain = there.filter(
    ({ ms, order }) => ms <= end && ms > start && (!isOfOrder || ms > badAt || order === bad.order),
  )
  const next = there.find(({ ms }) => ms > end)?.ms
  return { certain, possibleNext: there.filter(({ ms }) => ms === next) }
}

/** The window of a bad reading and what is in it, one by one. `bad` names the act of `acts` that it stands in. */
export function bruteWindow({ acts, recordings }: Plant, bad: BadReading & { id: string }, chosen: ChosenEnds = {}) {
  const badAt = Date.parse(bad.at)
  const here = { ms: badAt, row: acts.findIndex(({ id }) => id === bad.id) }
  const good = inOrder(acts).filter((act) => isGood(act, bad.characteristic))
  const { start, end } = nextTo(
    good.filter((act) => isAt(act, bad)),
    here,
  )
  const startAt = chosen.start === undefined ? (start?.ms ?? null) : Date.parse(chosen.start)
  const endAt = chosen.end === undefined ? (end?.ms ?? null) : Date.parse(chosen.end)
  const basis = chosen.start !== undefined ? 'mao' : start ? 'medicao' : 'ordem'
  const span = { start: startAt ?? -NEVER, end: endAt ?? NEVER, isOfOrder: basis === 'ordem' }
  const { certain, possibleNext } = bruteRecordings(recordings, bad, span)
  const isMoved = (one: Spot) => isAt({ ...one, machine: bad.machine }, bad) && !isAt(one, bad)
  const anywhere = nextTo(
    good.filter((act) => isAt({ ...act, machine: bad.machine }, bad)),
    here,
  )
  const [movedFrom, movedUntil] = [anywhere.start?.ms ?? NEVER, anywhere.end?.ms ?? NEVER]
  const possibleMoved = inOrder(recordings).filter(
    (one) => bad.unit !== '' && one.counted !== false && isMoved(one) && one.ms > movedFrom && one.ms <= movedUntil,
  )
  return {
    window: { startAt, basis, endAt, endAct: chosen.end === undefined ? (end?.id ?? null) : null },
    certain: idsOf(certain),
    possibleNext: idsOf(possibleNext),
    possibleMoved: idsOf(possibleMoved),
    piecesAtBad: piecesOf(certain.filter(({ ms }) => ms <= badAt)),
    pieces: piecesOf(certain),
    piecesPossible: piecesOf([...possibleNext, ...possibleMoved]),
  }
}

const idsOf = (all: readonly { id: string }[]) => all.map(({ id }) => id).toSorted()

/** The recordings that an instrument alone has cleared: each of its good readings as if it had been a bad one. */
export function bruteInstrument({ acts, recordings }: Plant, { instrument, span }: InstrumentSpan) {
  const [from, until] = [span.start ? Date.parse(span.start) : -NEVER, span.end ? Date.parse(span.end) : NEVER]
  const isDistrusted = (act: Timed<PlantAct>) =>
    act.instrument?.trim().toLowerCase() === instrument.toLowerCase() && act.ms > from && act.ms <= until
  const all = inOrder(acts)
  const [certain, possible, windows] = [new Map<string, PlantRecording>(), new Map<string, PlantRecording>(), new Set()]
  for (const act of all.filter(isDistrusted)) {
    for (const characteristic of Object.keys(act.parts) as Characteristic[]) {
      if (!isGood(act, characteristic)) continue
      const trusted = all.filter((one) => isGood(one, characteristic) && isAt(one, act) && !isDistrusted(one))
      const { start, end } = nextTo(trusted, act)
      const bad = { ...act, characteristic, order: act.order ?? '' }
      const found = bruteRecordings(recordings, bad, {
        ...{ start: start?.ms ?? -NEVER, end: end?.ms ?? NEVER, isOfOrder: start === null },
      })
      windows.add(JSON.stringify([act.unit, act.terminal, act.gauge, machineKey(act.machine), start?.ms, end?.ms]))
      for (const one of found.certain) certain.set(one.id, one)
      for (const one of found.possibleNext) possible.set(one.id, one)
    }
  }
  for (const id of certain.keys()) possible.delete(id)
  return {
    windows: windows.size,
    ...{ certain: [...certain.keys()].toSorted(), possibleNext: [...possible.keys()].toSorted() },
    ...{ pieces: piecesOf([...certain.values()]), piecesPossible: piecesOf([...possible.values()]) },
  }
}

const recordingRow = ({ at, order, unit, terminal, gauge, ...of }: PlantRecording): Tables['recordings'] => ({
  ...{ id: of.id, content_hash: 'x', state: 'delivered', promised: 1, counted: of.counted === false ? 0 : 1 },
  ...{ part: unit === '' ? 'juncao' : 'l1', branch: BRANCH, barcode: '', position: '', order_number: order },
  ...{
    pieces: of.pieces,
    machine: of.machine,
    lot: of.lot ?? '',
    terminal,
    unit_key: unit || null,
    payload_json: '{}',
  },
  ...{ capture_json: null, user_id: 1, operator: '', erp_message: null, superseded_by: null, gauge_milli: gauge },
  ...{
    recorded_at: Date.parse(at) + (of.ahead ?? 0),
    received_at: Date.parse(at),
    production_day: plantDay(Date.parse(at) + (of.ahead ?? 0), 'America/Sao_Paulo'),
  },
})

const actRows = ({ id, at, parts, order = '', unit, terminal, gauge, machine, ...of }: PlantAct) =>
  Object.entries(parts).map(([characteristic, verdict]) =>
    sampleOf([1000], {
      ...{ act_id: id, characteristic: characteristic as Characteristic, verdict, order_number: order },
      ...{ part: unit === '' ? 'juncao' : 'l1', unit, terminal, terminal_key: terminal, gauge_milli: gauge, machine },
      ...{
        instrument: of.instrument ?? '',
        measured_at: Date.parse(at),
        counted: of.counted === false ? 0 : 1,
        charted: unit === '' ? 0 : 1,
      },
      ...(of.invalid ? { invalid_reason: 'x', invalid_by: 'x', invalid_at: 1 } : {}),
    }),
  )

export async function storeRecordings(tx: Tx, recordings: readonly PlantRecording[]): Promise<void> {
  await tx.insertInto('recordings').values(recordings.map(recordingRow)).execute()
}

const AT_ONCE = 500
const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, nth) => all.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE))

/** The sums of days that an acceptance adds to: by them the orders of a junction's place are found. */
function daysOf(recordings: readonly PlantRecording[]): Tables['daily_production'][] {
  const sums = new Map<string, Tables['daily_production']>()
  for (const { counted, part, branch, machine, terminal, pieces, ...row } of recordings.map(recordingRow)) {
    if (counted === 0) continue
    const place = { part, branch, machine, terminal, order_number: row.order_number, unit_key: row.unit_key ?? '' }
    const key = JSON.stringify([row.production_day, place])
    const sum = sums.get(key) ?? {
      ...{ id: randomUUID(), production_day: row.production_day, operator: '', ...place, pieces: 0, recordings: 0 },
    }
    sums.set(key, { ...sum, pieces: sum.pieces + pieces, recordings: sum.recordings + 1 })
  }
  return [...sums.values()]
}

export async function storePlant(db: Db, { acts, recordings }: Plant): Promise<void> {
  await db.transaction(async (tx) => {
    for (const some of inParts(acts)) {
      const rows = some.flatMap(actRows)
      await tx.insertInto('measurements').values(rows).execute()
      await noteSubjects(tx, rows)
    }
    for (const some of inParts(recordings)) await storeRecordings(tx, some)
    for (const some of inParts(daysOf(recordings))) await tx.insertInto('daily_production').values(some).execute()
  })
}

export const readingOf = (bad: BadReading & { id: string }): PlaceReading => ({
  place: {
    ...{ branch: BRANCH, isJunction: bad.unit === '', unitKey: bad.unit, terminalKey: bad.terminal },
    ...{ gauge: bad.gauge, machineKey: machineKey(bad.machine) },
  },
  ...{ characteristic: bad.characteristic, orderedAt: Date.parse(bad.at), actId: bad.id, orderNumber: bad.order },
})

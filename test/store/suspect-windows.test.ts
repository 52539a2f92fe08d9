import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Certainty, SubjectKind } from '../../src/contract/containments.ts'
import type { Verdict } from '../../src/contract/measurements.ts'
import {
  certainSpans,
  mergedSuspects,
  type SuspectRecording,
  spansUpTo,
  widenedWindow,
} from '../../src/domain/quality/suspect-windows.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { listInstrumentWindows } from '../../src/server/store/instrument-windows.ts'
import { countPieces, listAtPlace, listMoved } from '../../src/server/store/suspect-recordings.ts'
import { listSuspects } from '../../src/server/store/suspect-subjects.ts'
import { findWindow } from '../../src/server/store/suspect-windows.ts'
import { type Database, databases, openStore } from '../support/harness.ts'
import { BRANCH } from '../support/store.ts'
import {
  type BadReading,
  bruteInstrument,
  bruteWindow,
  type ChosenEnds,
  goldenInstruments,
  goldenWindows,
  type InstrumentSpan,
  type Plant,
  readingOf,
  storePlant,
} from '../support/suspect-windows.ts'

/** Ids of a plant's acts made unique, so that one database holds many plants in turn. */
async function clear(db: Db) {
  await db.transaction(async (tx) => {
    for (const table of ['measurements', 'sample_subjects', 'recordings', 'daily_production'] as const)
      await tx.deleteFrom(table).execute()
  })
}

const MAX = 20_000
const idsOf = (found: readonly SuspectRecording[], certainty: Certainty) =>
  found
    .filter((one) => one.certainty === certainty)
    .map(({ id }) => id)
    .toSorted()

async function windowIn(db: Db, plant: Plant, bad: BadReading & { id: string }, chosen: ChosenEnds = {}) {
  await clear(db)
  await storePlant(db, plant)
  const reading = readingOf(bad)
  const ends = {
    startAt: chosen.start === undefined ? undefined : Date.parse(chosen.start),
    endAt: chosen.end === undefined ? undefined : Date.parse(chosen.end),
  }
  const window = widenedWindow(await findWindow(db.read, reading), ends)
  const found = mergedSuspects([
    ...(await listAtPlace(db.read, reading.place, [{ reading, window }], MAX)),
    ...(await listMoved(db.read, reading, MAX)),
  ])
  const sumOf = (some: readonly SuspectRecording[]) => some.reduce((sum, { pieces }) => sum + pieces, 0)
  const certain = found.filter(({ certainty }) => certainty === 'certo')
  const spans = certainSpans(reading, window)
  expect(await countPieces(db.read, reading.place, spans), 'the toast counts what is listed').toBe(sumOf(certain))
  return {
    window,
    ...{ certain: idsOf(found, 'certo'), possibleNext: idsOf(found, 'possivel') },
    possibleMoved: idsOf(found, 'outra-maquina'),
    piecesAtBad: await countPieces(db.read, reading.place, spansUpTo(spans, reading.orderedAt)),
    ...{ pieces: sumOf(certain), piecesPossible: sumOf(found) - sumOf(certain) },
  }
}

/** Those of visual checks come with what they speak of. */
const golden = goldenWindows.filter(({ bad }) => String(bad.characteristic) !== 'visual')

test.each(databases)('the golden windows begin, end and hold what they should, on %s', async (database) => {
  const db = await openStore(database)
  for (const { name, bad, expected, widened, ...plant } of golden) {
    const act = plant.acts.find((one) => one.at === bad.at && one.parts[bad.characteristic] === 'fora')
    const reading = { ...bad, id: act?.id ?? '' }
    const isoOf = (at: number | null) => at && new Date(at).toISOString().replace('.000Z', 'Z')
    const { window, ...found } = await windowIn(db, plant, reading, widened)
    const { window: _, ...brute } = bruteWindow(plant, reading, widened)
    expect({ name, ...found }).toEqual({ name, ...brute })
    const { start, basis, end, certain, possibleNext, possibleMoved, piecesAtBad, pieces, piecesPossible } = expected
    // when a set-up began nobody says yet: the first recording after the end is possible, whatever its set-up
    const isOfSetUp = plant.recordings.some(({ since }) => since !== undefined)
    const possible = isOfSetUp ? {} : { possibleNext, piecesPossible }
    expect({
      ...{ name, ...found, start: isoOf(window.startAt), basis: window.basis, end: isoOf(window.endAt) },
    }).toMatchObject({ name, start, basis, end, certain, possibleMoved, piecesAtBad, pieces, ...possible })
  }
  expect(golden).toHaveLength(16)
})

async function instrumentIn(db: Db, plant: Plant, { instrument, span }: InstrumentSpan) {
  await clear(db)
  await storePlant(db, plant)
  const instantOf = (iso: string | null) => (iso === null ? null : Date.parse(iso))
  const distrust = { branch: BRANCH, instrument, after: instantOf(span.start), until: instantOf(span.end) }
  const places = await listInstrumentWindows(db.read, distrust)
  const lists = []
  for (const { place, windows } of places) lists.push(await listAtPlace(db.read, place, windows, MAX))
  const found = mergedSuspects(lists.flat())
  const piecesOf = (certainty: Certainty) =>
    found.filter((one) => one.certainty === certainty).reduce((sum, { pieces }) => sum + pieces, 0)
  const ends = places.flatMap(({ place, windows }) =>
    windows.map(({ window: { startAt, endAt } }) => JSON.stringify([place, startAt, endAt])),
  )
  return {
    windows: new Set(ends).size,
    ...{ certain: idsOf(found, 'certo'), possibleNext: idsOf(found, 'possivel') },
    ...{ pieces: piecesOf('certo'), piecesPossible: piecesOf('possivel') },
  }
}

test.each(databases)('the golden windows of an instrument hold what it alone has cleared, on %s', async (database) => {
  const db = await openStore(database)
  for (const { name, instrument, span, expected, ...plant } of goldenInstruments) {
    const found = await instrumentIn(db, plant, { instrument, span })
    expect({ name, ...found }).toEqual({ name, ...expected })
    expect({ name, ...found }).toEqual({ name, ...bruteInstrument(plant, { instrument, span }) })
  }
  expect(goldenInstruments).toHaveLength(2)
})

const RUNS: Record<Database, number> = { sqlite: 150, mariadb: 20 }

const spot = fc.record({
  unit: fc.constantFrom('ma-1', 'ma-1', 'ma-2', ''),
  terminal: fc.constantFrom('t1', 't1', 't2'),
  gauge: fc.constantFrom(500, 500, 750),
  machine: fc.constantFrom('PR1', 'pr1 - Mecal', 'PR2'),
})
/** Few of them, so that many are equal. */
const at = fc.integer({ min: 10, max: 25 }).map((second) => `2026-11-23T10:00:${second}.000Z`)
const order = fc.constantFrom('o1', 'o2')
const lot = fc.constantFrom('L-1', 'l-1', 'L-2', '')
const ahead = fc.constantFrom(0, 0, 0, 3000, 86_400_000)
const verdict = fc.constantFrom<Verdict>('dentro', 'dentro', 'fora', 'sem-plano')
const isTrue = fc.constantFrom(true, true, true, false)
const plants = fc.record({
  acts: fc.array(
    fc
      .tuple(
        spot,
        fc.record({ at, order, counted: isTrue, isValid: isTrue }),
        fc.record({ altura: verdict, forca: verdict }, { requiredKeys: ['altura'] }),
        fc.constantFrom('MIC-1', 'mic-1 ', 'MIC-2', ''),
      )
      .map(([where, { isValid, ...act }, parts, instrument]) => ({
        ...{ ...where, ...act, parts, instrument, invalid: !isValid, id: randomUUID() },
      })),
    { minLength: 1, maxLength: 12 },
  ),
  recordings: fc.array(
    fc
      .tuple(spot, fc.record({ at, order, lot, pieces: fc.integer({ min: 1, max: 900 }), counted: isTrue, ahead }))
      .map(([where, recording]) => ({ ...where, ...recording, id: randomUUID() })),
    { maxLength: 20 },
  ),
})

const ends = fc.record({ start: at, end: at }, { requiredKeys: [] })

test.each(databases)('the database finds the window that is found one by one, on %s', async (database) => {
  const db = await openStore(database)
  await fc.assert(
    fc.asyncProperty(plants, fc.nat(), ends, async (plant, nth, chosen) => {
      const act = plant.acts[nth % plant.acts.length]
      if (!act) return
      const bad = { ...act, order: act.order ?? '', characteristic: 'altura' as const }
      expect(await windowIn(db, plant, bad, chosen)).toEqual(bruteWindow(plant, bad, chosen))
    }),
    { numRuns: RUNS[database] },
  )
})

test.each(databases)('and what an instrument alone has cleared, on %s', async (database) => {
  const db = await openStore(database)
  const spans = fc.record({ start: fc.option(at), end: fc.option(at) })
  await fc.assert(
    fc.asyncProperty(plants, spans, async (plant, span) => {
      const of = { instrument: 'MIC-1', span }
      expect(await instrumentIn(db, plant, of)).toEqual(bruteInstrument(plant, of))
    }),
    { numRuns: RUNS[database] },
  )
})

/** Told one by one: what a recording must have of each kind. */
const named: [kind: SubjectKind, term: string, isOf: (one: Plant['recordings'][number]) => boolean][] = [
  ['lote', 'L-1', ({ lot: is }) => is?.toLowerCase() === 'l-1'],
  ['ferramenta', 'MA-1', ({ unit }) => unit === 'ma-1'],
  ['maquina', 'PR1 - Outra', ({ machine }) => machine.toLowerCase().startsWith('pr1')],
]

test.each(databases)('and all of a lot, a tool or a machine between two instants, on %s', async (database) => {
  const db = await openStore(database)
  await fc.assert(
    fc.asyncProperty(plants, fc.constantFrom(...named), ends, async (plant, [kind, term, isOf], { start, end }) => {
      await clear(db)
      await storePlant(db, plant)
      const [startAt, endAt] = [start ? Date.parse(start) : null, end ? Date.parse(end) : null]
      const found = await listSuspects(db.read, { kind, branch: BRANCH, term, startAt, endAt })
      const made = plant.recordings.filter(
        (one) =>
          one.counted !== false &&
          isOf(one) &&
          (startAt === null || Date.parse(one.at) > startAt) &&
          (endAt === null || Date.parse(one.at) <= endAt),
      )
      expect(idsOf(found, 'certo')).toEqual(made.map(({ id }) => id).toSorted())
      expect(found).toHaveLength(made.length)
    }),
    { numRuns: RUNS[database] },
  )
})

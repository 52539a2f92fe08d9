import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Verdict } from '../../src/contract/measurements.ts'
import { suspectBefore } from '../../src/domain/quality/suspect-windows.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { countPieces, findWindow } from '../../src/server/store/suspect-windows.ts'
import { type Database, databases, openStore } from '../support/harness.ts'
import {
  type BadReading,
  bruteWindow,
  goldenWindows,
  type Plant,
  readingOf,
  storePlant,
} from '../support/suspect-windows.ts'

/** Ids of a plant's acts made unique, so that one database holds many plants in turn. */
async function clear(db: Db) {
  await db.transaction(async (tx) => {
    for (const table of ['measurements', 'recordings', 'daily_production'] as const)
      await tx.deleteFrom(table).execute()
  })
}

async function windowIn(db: Db, plant: Plant, bad: BadReading & { id: string }) {
  await clear(db)
  await storePlant(db, plant)
  const reading = readingOf(bad)
  const window = await findWindow(db.read, reading)
  const before = suspectBefore(reading, window)
  const after = { after: reading.orderedAt, until: window.endAt, orderNumber: null }
  return {
    window,
    piecesAtBad: await countPieces(db.read, reading.place, [before]),
    pieces: await countPieces(db.read, reading.place, [before, after]),
  }
}

/** Those widened by hand, and of visual checks, come with what they speak of. */
const golden = goldenWindows.filter(({ widened, bad }) => !widened && String(bad.characteristic) !== 'visual')

test.each(databases)('the golden windows begin, end and hold what they should, on %s', async (database) => {
  const db = await openStore(database)
  for (const { name, bad, expected, ...plant } of golden) {
    const act = plant.acts.find((one) => one.at === bad.at && one.parts[bad.characteristic] === 'fora')
    const reading = { ...bad, id: act?.id ?? '' }
    const brute = bruteWindow(plant, reading)
    const { window, ...counts } = await windowIn(db, plant, reading)
    const isoOf = (at: number | null) => at && new Date(at).toISOString().replace('.000Z', 'Z')
    const found = { start: isoOf(window.startAt), basis: window.basis, end: isoOf(window.endAt), ...counts }
    expect({ name, ...found, certain: brute.certain }).toEqual({
      name,
      ...{ start: expected.start, basis: expected.basis, end: expected.end, certain: expected.certain },
      ...{ piecesAtBad: expected.piecesAtBad, pieces: expected.pieces },
    })
  }
  expect(golden).toHaveLength(15)
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
const verdict = fc.constantFrom<Verdict>('dentro', 'dentro', 'fora', 'sem-plano')
const isTrue = fc.constantFrom(true, true, true, false)
const plants = fc.record({
  acts: fc.array(
    fc
      .tuple(
        spot,
        fc.record({ at, order, counted: isTrue, isValid: isTrue }),
        fc.record({ altura: verdict, forca: verdict }, { requiredKeys: ['altura'] }),
      )
      .map(([where, { isValid, ...act }, parts]) => ({ ...where, ...act, parts, invalid: !isValid, id: randomUUID() })),
    { minLength: 1, maxLength: 12 },
  ),
  recordings: fc.array(
    fc
      .tuple(spot, fc.record({ at, order, pieces: fc.integer({ min: 1, max: 900 }), counted: isTrue }))
      .map(([where, recording]) => ({ ...where, ...recording, id: randomUUID() })),
    { maxLength: 20 },
  ),
})

test.each(databases)('the database finds the window that is found one by one, on %s', async (database) => {
  const db = await openStore(database)
  await fc.assert(
    fc.asyncProperty(plants, fc.nat(), async (plant, nth) => {
      const act = plant.acts[nth % plant.acts.length]
      if (!act) return
      const bad = { ...act, order: act.order ?? '', characteristic: 'altura' as const }
      const { certain: _, ...expected } = bruteWindow(plant, bad)
      expect(await windowIn(db, plant, bad)).toEqual(expected)
    }),
    { numRuns: RUNS[database] },
  )
})

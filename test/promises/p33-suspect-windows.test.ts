import { describe, expect, test } from 'vitest'
import { type Random, randomFor } from '../../demo/simulator/random.ts'
import type { Verdict } from '../../src/contract/measurements.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { findAct } from '../../src/server/store/measurements.ts'
import { countSuspectPieces, readingOf } from '../../src/server/store/suspect-recordings.ts'
import { listSuspects } from '../../src/server/store/suspect-subjects.ts'
import { findWindow } from '../../src/server/store/suspect-windows.ts'
import { databases, openStore } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { bruteWindow, type Plant, type PlantAct, storePlant } from '../support/suspect-windows.ts'

const { recordings: recordingCount, acts: actCount, readings: readingCount } = sizeOf('p33')

const YEAR_MINUTES = 365 * 24 * 60
const BEGAN_AT = Date.parse('2025-11-23T06:00:00Z')
const TOOLS = 24
const machines = ['PR0001', 'PR0001 - Mecal', 'pr0002', 'PR0003 - Komax']

/** A tool in few terminals at few machines; some places are a junction's. */
function spotOf(random: Random) {
  const nth = random.between(0, TOOLS - 1)
  const unit = nth % 10 === 0 ? '' : `ma-${nth}`
  return { unit, terminal: `t${nth % 5}`, gauge: random.pick([500, 500, 500, 750]), machine: random.pick(machines) }
}

const idOf = (random: Random) => {
  const digits = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** In whole minutes, so that instants are equal now and then; with samples taken out, corrections, and clocks that run ahead. */
function seededYear(random: Random): Plant {
  const verdict = () => random.pick<Verdict>(['dentro', 'dentro', 'dentro', 'fora', 'sem-plano'])
  const common = () => ({
    ...{ ...spotOf(random), id: idOf(random), order: `o${random.between(0, 199)}` },
    at: new Date(BEGAN_AT + random.between(0, YEAR_MINUTES) * 60_000).toISOString(),
  })
  const partsOf = () =>
    random.pick([{ altura: verdict() }, { forca: verdict() }, { altura: verdict(), forca: verdict() }])
  return {
    acts: Array.from({ length: actCount }, () => ({
      ...{ ...common(), parts: partsOf(), counted: !random.chance(0.05), invalid: random.chance(0.05) },
    })),
    recordings: Array.from({ length: recordingCount }, () => ({
      ...{ ...common(), pieces: random.between(1, 500), counted: !random.chance(0.03) },
      ahead: random.chance(0.02) ? 7_200_000 : 0,
    })),
  }
}

/** Of a tool, or of all junctions of a terminal: nothing else can be in a window there. */
const withTool = ({ acts, recordings }: Plant, { unit, terminal }: PlantAct): Plant => {
  const isOf = (one: { unit: string; terminal: string }) => one.unit === unit && one.terminal === terminal
  return { acts: acts.filter(isOf), recordings: recordings.filter(isOf) }
}

type Found = { certain: string[]; possibleNext: string[]; possibleMoved: string[]; piecesAtBad: number }

/** What the toast says, and what preview, containment and labels list. */
async function foundIn({ read }: Db, id: string, characteristic: string): Promise<Found | null> {
  const act = await findAct(read, id)
  const row = act?.rows.find((one) => one.characteristic === characteristic)
  const reading = row && readingOf(row)
  if (!row || !reading) return null
  const suspects = await listSuspects(read, { kind: 'medicao', reading, window: await findWindow(read, reading) })
  const idsOf = (certainty: string) =>
    suspects
      .filter((one) => one.certainty === certainty)
      .map((one) => one.id)
      .toSorted()
  const listed = suspects
    .filter(({ certainty, at }) => certainty === 'certo' && at <= reading.orderedAt)
    .reduce((sum, { pieces }) => sum + pieces, 0)
  const { pieces: piecesAtBad } = await countSuspectPieces(read, [row])
  expect(listed, 'the list holds what the toast has counted').toBe(piecesAtBad)
  return {
    ...{ certain: idsOf('certo'), possibleNext: idsOf('possivel') },
    ...{ possibleMoved: idsOf('outra-maquina'), piecesAtBad },
  }
}

const bruteIn = (plant: Plant, act: PlantAct, characteristic: 'altura' | 'forca'): Found => {
  const brute = bruteWindow(withTool(plant, act), { ...act, order: act.order ?? '', characteristic })
  const { certain, possibleNext, possibleMoved, piecesAtBad } = brute
  return { certain, possibleNext, possibleMoved, piecesAtBad }
}

/** A mistake: an act is good or bad as a whole, so that a good force clears a bad height. */
const byWholeActs = ({ acts, recordings }: Plant): Plant => ({
  acts: acts.map((act) => {
    const verdicts = Object.values(act.parts)
    return verdicts.includes('dentro') ? { ...act, parts: { altura: 'dentro' } } : act
  }),
  recordings,
})

describe.each(databases)('suspect pieces of a seeded year on %s', (database) => {
  test('none is missed and none is too many, in whatever way they are looked for', async () => {
    const random = randomFor(SEED, 'p33', database)
    const plant = seededYear(random)
    const db = await openStore(database)
    await storePlant(db, plant)
    const bad = plant.acts.flatMap((act) =>
      (['altura', 'forca'] as const).flatMap((characteristic) =>
        act.parts[characteristic] === 'fora' ? [{ act, characteristic }] : [],
      ),
    )
    let pieces = 0
    let mistaken = 0
    for (let nth = 0; nth < readingCount; nth++) {
      const { act, characteristic } = random.pick(bad)
      const expected = bruteIn(plant, act, characteristic)
      expect(await foundIn(db, act.id, characteristic), `${act.id} ${characteristic}`).toEqual(expected)
      pieces += expected.piecesAtBad
      const wrong = bruteIn(byWholeActs(plant), act, 'altura')
      if (characteristic === 'altura' && JSON.stringify(wrong) !== JSON.stringify(expected)) mistaken++
    }
    expect(mistaken, 'a rule by whole acts is noticed').toBeGreaterThan(0)
    report('P33', { readings: readingCount, recordings: recordingCount }, { database, pieces, mistaken })
  })
})

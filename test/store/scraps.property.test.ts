import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wears } from '../../src/domain/tools/scraps.ts'
import { addCrimps, ensureUnit, listCounterDeviations, takeBackCrimps } from '../../src/server/store/applicators.ts'
import { chartOfApplicator } from '../../src/server/store/charts.ts'
import { resetCounter } from '../../src/server/store/crimp-counters.ts'
import { findLifetimeAfter, listCrimpsByDay } from '../../src/server/store/crimps-by-day.ts'
import { addProduction } from '../../src/server/store/daily-production.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { listFirstDays } from '../../src/server/store/maintenance-tasks.ts'
import { scrapReport } from '../../src/server/store/scrap-reports.ts'
import { confirmScrap, insertScrap, undoScrap } from '../../src/server/store/scraps.ts'
import { type Database, databases, NOON_MS, openStore } from '../support/harness.ts'
import { scrapRow } from '../support/scrap-rows.ts'

/**
 * Whatever is recorded, thrown away, repaired, undone, confirmed and reset, in whatever order: counters are their ledger, and each
 * reader of a tool's past says what an oracle counts that knows the acts alone.
 */
const RUNS: Record<Database, number> = { sqlite: Number(process.env.RUNS ?? 60), mariadb: 10 }
const SEED = Number(process.env.SEED ?? 20261222)

const UNITS = ['MA-0001', 'MA-0002'] as const
const DAYS = ['2026-09-30', '2026-10-01', '2026-11-20', '2026-11-21'] as const
const LAST = '2026-12-31'

const made = {
  unit: fc.constantFrom(...UNITS),
  day: fc.constantFrom(...DAYS),
  pieces: fc.integer({ min: 1, max: 500 }),
  terminal: fc.constantFrom('T1', 'T2'),
}
const stepArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('record' as const), ...made }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('scrap' as const),
      ...made,
      part: fc.constantFrom('cabo' as const, 'l1' as const, 'l2' as const, 'juncao' as const),
      hasTool: fc.boolean(),
      isRework: fc.boolean(),
      isTrusted: fc.boolean(),
      origin: fc.constantFrom('operador' as const, 'operador' as const, 'contencao' as const),
    }),
  },
  // of an earlier act, counted back
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), at: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('confirm' as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), unit: fc.constantFrom(...UNITS) }) },
)
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never
type Recorded = Extract<Step, { kind: 'record' }>
type Thrown = Extract<Step, { kind: 'scrap' }>

type Known = {
  id: string
  unit: string
  day: string
  pieces: number
  terminal: string
  wearsTool: boolean
  isCounted: boolean
  scrap: (Thrown & { isTrusted: boolean; isUndone: boolean }) | null
}

const by = { userId: 1, by: 'Ana', reason: null, at: NOON_MS }
const dayOf = ({ day, unit, terminal }: { day: string; unit: string; terminal: string }) => ({
  ...({ productionDay: day, branch: '010101', part: 'l1', orderNumber: '1', machine: 'm', operator: 'o' } as const),
  ...{ unitKey: unit.toLowerCase(), terminal },
})

async function record(db: Db, id: string, step: Recorded): Promise<Known> {
  await db.transaction(async (tx) => {
    await ensureUnit(tx, { name: step.unit, at: NOON_MS })
    const line = { recordingId: id, reason: 'recorded', unitKey: step.unit.toLowerCase(), at: NOON_MS } as const
    await addCrimps(tx, { ...line, crimps: step.pieces })
    await addProduction(tx, dayOf(step), { pieces: step.pieces, recordings: 1 })
  })
  return { id, ...step, wearsTool: true, isCounted: true, scrap: null }
}

async function throwAway(db: Db, id: string, step: Thrown): Promise<Known> {
  const unit = step.hasTool ? step.unit : ''
  const { part, isRework, isTrusted, origin, pieces, terminal, day } = step
  await db.transaction((tx) =>
    insertScrap(
      tx,
      scrapRow({
        ...{ id, part, origin, pieces, terminal, unit, unit_key: unit.toLowerCase(), production_day: day },
        ...{ is_rework: isRework ? 1 : 0, trusted: isTrusted ? 1 : 0 },
      }),
    ),
  )
  const wearsTool = wears({ part, unit, isRework, origin })
  return {
    id,
    unit: step.unit,
    day,
    pieces,
    terminal,
    wearsTool,
    isCounted: isTrusted,
    scrap: { ...step, isUndone: false },
  }
}

async function change(db: Db, kind: 'undo' | 'confirm' | 'refuse', act: Known): Promise<void> {
  const { id, scrap } = act
  await db.transaction(async (tx) => {
    if (scrap && kind === 'undo') await undoScrap(tx, id, by)
    if (scrap && kind === 'confirm') await confirmScrap(tx, id, NOON_MS)
    if (scrap || kind !== 'refuse' || !act.isCounted) return
    await takeBackCrimps(tx, { recordingId: id, reason: 'refused', at: NOON_MS })
    await addProduction(tx, dayOf(act), { pieces: -act.pieces, recordings: -1 })
  })
  if (!scrap) act.isCounted &&= kind !== 'refuse'
  else {
    if (kind === 'undo') scrap.isUndone = true
    if (kind === 'confirm') scrap.isTrusted = true
    act.isCounted = scrap.isTrusted && !scrap.isUndone
  }
}

async function play(db: Db, steps: readonly Step[]): Promise<Known[]> {
  const acts: Known[] = []
  for (const [at, step] of steps.entries()) {
    if (step.kind === 'record') acts.push(await record(db, `r${at}`, step))
    else if (step.kind === 'scrap') acts.push(await throwAway(db, `s${at}`, step))
    else if (step.kind === 'reset') {
      const reset = { name: step.unit, versionSeen: null, userId: 1, changedBy: 'Ana', at: NOON_MS }
      await db.transaction((tx) => resetCounter(tx, reset, { limitOfCrimps: 1000, done: {} }))
    } else {
      const act = acts.at(-1 - step.at)
      if (act) await change(db, step.kind, act)
    }
  }
  return acts
}

const sumOf = (acts: readonly { pieces: number }[]) => acts.reduce((sum, { pieces }) => sum + pieces, 0)

async function expectAll(db: Db, acts: readonly Known[]): Promise<void> {
  expect(await listCounterDeviations(db.read)).toEqual([])
  const first = new Map((await listFirstDays(db.read)).map(({ unitKey, productionDay }) => [unitKey, productionDay]))
  const lifetimes = await db.read.selectFrom('applicator_units').select(['name_key', 'lifetime_crimps']).execute()
  for (const unit of UNITS) {
    const key = unit.toLowerCase()
    const own = acts.filter((act) => act.unit === unit && act.wearsTool && act.isCounted)
    expect(lifetimes.find(({ name_key }) => name_key === key)?.lifetime_crimps ?? 0).toBe(sumOf(own))
    const days = await listCrimpsByDay(db.read, { from: DAYS[0], to: LAST }, key)
    const ofDays = Object.fromEntries(days.filter(({ crimps }) => crimps !== 0).map(({ day, crimps }) => [day, crimps]))
    const byDay = [...Map.groupBy(own, ({ day }) => day)].map(([day, some]) => [day, sumOf(some)])
    expect(ofDays).toEqual(Object.fromEntries(byDay))
    for (const day of DAYS) {
      const until = own.filter((act) => act.day <= day)
      expect(await findLifetimeAfter(db.read, key, day)).toBe(sumOf(until))
    }
    const { porMes, porTerminal } = await chartOfApplicator(db.read, unit, {})
    expect(porMes.reduce((sum, { crimpagens }) => sum + crimpagens, 0)).toBe(sumOf(own))
    for (const terminal of ['T1', 'T2']) {
      const points = porTerminal.find((line) => line.terminal === terminal)?.pontos ?? []
      expect(points.reduce((sum, { crimpagens }) => sum + crimpagens, 0)).toBe(
        sumOf(own.filter((act) => act.terminal === terminal)),
      )
    }
    const [firstDay = null] = own.map(({ day }) => day).toSorted()
    expect(first.get(key) ?? null).toBe(firstDay)
  }
  const scraps = acts.filter(({ scrap, isCounted }) => scrap && isCounted)
  const rework = scraps.filter(({ scrap }) => scrap?.isRework)
  const period = { from: DAYS[0], to: LAST }
  for (const grouping of ['motivo', 'dia', 'miniaplicador'] as const) {
    const report = await scrapReport(db.read, {
      ...{ period, by: grouping, branch: undefined, stage: undefined, hasProcess: false },
    })
    expect(report.totais).toMatchObject({ pecas: sumOf(scraps) - sumOf(rework), retrabalho: sumOf(rework) })
    expect(report.linhas.reduce((sum, { pecas }) => sum + pecas, 0)).toBe(report.totais.pecas)
  }
}

test.each(databases)('counters, sums of days and all readers of a tool say what was done, on %s', async (database) => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 25 }), async (steps) => {
      const db = await openStore(database)
      await expectAll(db, await play(db, steps))
    }),
    { numRuns: RUNS[database], seed: SEED },
  )
})

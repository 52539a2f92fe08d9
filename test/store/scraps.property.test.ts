import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Forecast } from '../../src/contract/crimp-counters.ts'
import { addDays } from '../../src/domain/plant/plant-time.ts'
import { wears } from '../../src/domain/tools/scraps.ts'
import { type Reading, readLives } from '../../src/server/features/tool-life.ts'
import {
  addCrimps,
  addCrimpsToCycle,
  ensureUnit,
  listCounterDeviations,
  takeBackCrimps,
} from '../../src/server/store/applicators.ts'
import { chartOfApplicator } from '../../src/server/store/charts.ts'
import { listCrimpCounters, resetCounter } from '../../src/server/store/crimp-counters.ts'
import { findLifetimeAfter, listCrimpsByDay } from '../../src/server/store/crimps-by-day.ts'
import { addProduction } from '../../src/server/store/daily-production.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { listFirstDays } from '../../src/server/store/maintenance-tasks.ts'
import { scrapReport } from '../../src/server/store/scrap-reports.ts'
import { confirmScrap, insertScrap, undoScrap } from '../../src/server/store/scraps.ts'
import { insertPart, listMountedParts, removePart } from '../../src/server/store/wear-parts.ts'
import { type Database, databases, NOON_MS, openStore, testConfig } from '../support/harness.ts'
import { scrapRow } from '../support/scrap-rows.ts'

/**
 * Whatever is recorded, corrected, refused, thrown away, repaired, undone, confirmed and reset, and whatever parts are changed meanwhile,
 * in whatever order: counters are their ledger, and each reader of a tool's past says what an oracle counts that knows the acts alone.
 */
const RUNS: Record<Database, number> = { sqlite: Number(process.env.RUNS ?? 100), mariadb: 30 }
const SEED = Number(process.env.SEED ?? 20261222)

const UNITS = ['MA-0001', 'MA-0002'] as const
const DAYS = ['2026-09-30', '2026-10-01', '2026-11-12', '2026-11-17', '2026-11-19', '2026-11-20', '2026-11-21'] as const
const LAST = '2026-12-31'
/** At noon of the last of the days. */
const TODAY = '2026-11-21'
const LIMIT = 3000

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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('correct' as const), at: fc.nat(8), to: fc.record(made) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), unit: fc.constantFrom(...UNITS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{ kind: fc.constant('change-part' as const), unit: fc.constantFrom(...UNITS) },
      usedBefore: fc.constantFrom(0, 200),
    }),
  },
)
type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never
type Recorded = Extract<Step, { kind: 'record' }>
type Thrown = Extract<Step, { kind: 'scrap' }>

type Known = {
  id: string
  /** Of its tool, when it was counted first. */
  cycle: number
  unit: string
  day: string
  pieces: number
  terminal: string
  wearsTool: boolean
  isCounted: boolean
  scrap: OfScrap | null
}
type OfScrap = Thrown & { isTrusted: boolean; isUndone: boolean }

/** Told by nobody else: the acts, how often each tool was reset, and what its part was mounted at. */
type Plant = {
  db: Db
  acts: Known[]
  cycles: Map<string, number>
  parts: Map<string, { mountedAt: number; usedBefore: number }>
  happened: Set<string>
}

const by = { userId: 1, by: 'Ana', reason: null, at: NOON_MS }
const keyOf = (unit: string) => unit.toLowerCase()
const dayOf = ({ day, unit, terminal }: { day: string; unit: string; terminal: string }) => ({
  ...({ productionDay: day, branch: '010101', part: 'l1', orderNumber: '1', machine: 'm', operator: 'o' } as const),
  ...{ unitKey: keyOf(unit), terminal },
})
const cycleOf = ({ cycles }: Plant, unit: string) => cycles.get(unit) ?? 1
const madeBy = ({ acts }: Plant, unit: string) =>
  acts.filter((act) => act.unit === unit && act.wearsTool && act.isCounted)
const isThere = ({ acts, cycles }: Plant, unit: string) =>
  cycles.has(unit) || acts.some((act) => act.unit === unit && act.wearsTool && act.cycle > 0)

/** `cycle` null: in the one that is open. */
async function record(plant: Plant, id: string, step: Omit<Recorded, 'kind'>, cycle: number | null): Promise<void> {
  await plant.db.transaction(async (tx) => {
    await ensureUnit(tx, { name: step.unit, at: NOON_MS })
    const line = { recordingId: id, reason: 'recorded', unitKey: keyOf(step.unit), at: NOON_MS } as const
    if (cycle === null) await addCrimps(tx, { ...line, crimps: step.pieces })
    else await addCrimpsToCycle(tx, { ...line, cycle, crimps: step.pieces })
    await addProduction(tx, dayOf(step), { pieces: step.pieces, recordings: 1 })
  })
  const counted = cycle ?? cycleOf(plant, step.unit)
  plant.acts.push({ id, ...step, cycle: counted, wearsTool: true, isCounted: true, scrap: null })
}

async function throwAway(plant: Plant, id: string, step: Thrown): Promise<void> {
  const unit = step.hasTool ? step.unit : ''
  const { part, isRework, isTrusted, origin, pieces, terminal, day } = step
  await plant.db.transaction((tx) =>
    insertScrap(
      tx,
      scrapRow({
        ...{ id, part, origin, pieces, terminal, unit, unit_key: keyOf(unit), production_day: day },
        ...{ is_rework: isRework ? 1 : 0, trusted: isTrusted ? 1 : 0 },
      }),
    ),
  )
  plant.acts.push({
    ...{ id, unit: step.unit, day, pieces, terminal, cycle: isTrusted ? cycleOf(plant, step.unit) : 0 },
    ...{ wearsTool: wears({ part, unit, isRework, origin }), isCounted: isTrusted },
    scrap: { ...step, isUndone: false },
  })
}

async function takeOut({ db }: Plant, act: Known, reason: 'refused' | 'superseded'): Promise<void> {
  await db.transaction(async (tx) => {
    await takeBackCrimps(tx, { recordingId: act.id, reason, at: NOON_MS })
    await addProduction(tx, dayOf(act), { pieces: -act.pieces, recordings: -1 })
  })
  act.isCounted = false
}

/** Whatever else was written wrong, the act stays its day's, and its tool's cycle. */
async function correct(plant: Plant, id: string, act: Known, to: Omit<Recorded, 'kind'>): Promise<void> {
  await takeOut(plant, act, 'superseded')
  await record(plant, id, { ...to, day: act.day as Recorded['day'] }, to.unit === act.unit ? act.cycle : null)
}

async function changeScrap(plant: Plant, kind: 'undo' | 'confirm', { act, scrap }: { act: Known; scrap: OfScrap }) {
  const { id } = act
  await plant.db.transaction((tx) => (kind === 'undo' ? undoScrap(tx, id, by) : confirmScrap(tx, id, NOON_MS)))
  if (kind === 'undo') scrap.isUndone = true
  else scrap.isTrusted = true
  const isCounted = scrap.isTrusted && !scrap.isUndone
  if (isCounted && !act.isCounted) act.cycle = cycleOf(plant, act.unit)
  act.isCounted = isCounted
}

async function changePart(plant: Plant, name: string, usedBefore: number): Promise<void> {
  const unitKey = keyOf(name)
  const [old] = await listMountedParts(plant.db.read, unitKey)
  const unit = (await listCrimpCounters(plant.db.read)).find(({ miniaplicator }) => miniaplicator === name)
  const author = { userId: 1, name: 'Ana', at: NOON_MS }
  const part = { kind: 'bigorna' as const, code: '1', limitOfCrimps: LIMIT, usedBefore }
  await plant.db.transaction(async (tx) => {
    if (old) await removePart(tx, old.id, { crimps: 0, reason: 'gasta' }, author)
    await insertPart(tx, { ...part, unitKey, lifetimeAtMount: unit?.lifetimeCrimps ?? 0 }, author)
  })
  plant.parts.set(name, { mountedAt: sumOf(madeBy(plant, name)), usedBefore })
}

async function reset(plant: Plant, name: string): Promise<void> {
  const change = { name, versionSeen: null, userId: 1, changedBy: 'Ana', at: NOON_MS }
  await plant.db.transaction((tx) => resetCounter(tx, change, { limitOfCrimps: LIMIT, done: {} }))
  plant.cycles.set(name, cycleOf(plant, name) + 1)
}

async function take(plant: Plant, step: Step, at: number): Promise<void> {
  if (step.kind === 'record') return await record(plant, `r${at}`, step, null)
  if (step.kind === 'scrap') return await throwAway(plant, `s${at}`, step)
  if (step.kind === 'reset' || step.kind === 'change-part') {
    if (!isThere(plant, step.unit)) return
    return await (step.kind === 'reset' ? reset(plant, step.unit) : changePart(plant, step.unit, step.usedBefore))
  }
  const act = plant.acts.at(-1 - step.at)
  if (!act) return
  const { scrap } = act
  if (step.kind === 'undo' || step.kind === 'confirm') {
    if (!scrap) return
    if (scrap.isUndone) plant.happened.add(`${step.kind} of what is undone`)
    else if (act.wearsTool) plant.happened.add(step.kind)
    await changeScrap(plant, step.kind, { act, scrap })
  } else if (scrap || !act.isCounted) return
  else {
    plant.happened.add(`${step.kind}${act.cycle < cycleOf(plant, act.unit) ? ' after a reset' : ''}`)
    if (step.kind === 'refuse') await takeOut(plant, act, 'refused')
    else await correct(plant, `c${at}`, act, step.to)
  }
}

const sumOf = (acts: readonly { pieces: number }[]) => acts.reduce((sum, { pieces }) => sum + pieces, 0)

/** Counted on from tomorrow, day after day, by the mean of its weekday since the first productive day of four weeks. */
function forecastOf(own: readonly Known[], wear: { crimps: number; limit: number }): Forecast {
  const state = (estado: 'atingido' | 'sem-previsao' | 'mais-de-um-ano') =>
    ({ estado, dia: null, emDias: null, aproximada: false }) as const
  if (wear.crimps >= wear.limit) return state('atingido')
  const days = Array.from({ length: 28 }, (_, at) => addDays(TODAY, at - 28))
  const crimpsOn = (day: string) => sumOf(own.filter((act) => act.day === day))
  const productive = days.filter((day) => crimpsOn(day) > 0)
  if (productive.length < 3) return state('sem-previsao')
  const since = days.filter((day) => day >= (productive[0] ?? ''))
  // twelfths: each weekday is there up to four times
  let left = 12 * (wear.limit - wear.crimps)
  for (let emDias = 1; emDias <= 365; emDias++) {
    const dia = addDays(TODAY, emDias)
    const same = since.filter((day) => new Date(day).getUTCDay() === new Date(dia).getUTCDay())
    if (same.length > 0) left -= (12 / same.length) * same.reduce((sum, day) => sum + crimpsOn(day), 0)
    if (left <= 0) return { estado: 'previsto', dia, emDias, aproximada: productive.length < 10 }
  }
  return state('mais-de-um-ano')
}

async function expectLives(plant: Plant): Promise<void> {
  const { db, cycles, parts, happened } = plant
  const { lifeOf } = await readLives({ db, now: () => NOON_MS, config: testConfig() } as Reading, null)
  const units = new Map((await listCrimpCounters(db.read)).map((unit) => [unit.miniaplicator, lifeOf(unit).unit]))
  for (const name of UNITS) {
    const [unit, own] = [units.get(name), madeBy(plant, name)]
    expect(unit?.lifetimeCrimps ?? 0).toBe(sumOf(own))
    if (!unit) continue
    const crimps = sumOf(own.filter(({ cycle }) => cycle === (cycles.get(name) ?? 1)))
    expect(unit.numberOfCrimps).toBe(crimps)
    if (cycles.has(name)) expect(unit.previsao).toEqual(forecastOf(own, { crimps, limit: LIMIT }))
    const part = parts.get(name)
    const wear = part && Math.max(0, sumOf(own) - part.mountedAt) + part.usedBefore
    expect(unit.pecas?.map(({ numberOfCrimps }) => numberOfCrimps)).toEqual(wear === undefined ? [] : [wear])
    if (wear === undefined) continue
    const forecast = forecastOf(own, { crimps: wear, limit: LIMIT })
    expect(unit.pecas?.[0]?.previsao).toEqual(forecast)
    happened.add(`part ${forecast.estado}`)
  }
}

async function expectAll(plant: Plant): Promise<void> {
  const { db, acts } = plant
  expect(await listCounterDeviations(db.read)).toEqual([])
  await expectLives(plant)
  const first = new Map((await listFirstDays(db.read)).map(({ unitKey, productionDay }) => [unitKey, productionDay]))
  for (const unit of UNITS) {
    const key = keyOf(unit)
    const own = madeBy(plant, unit)
    const days = await listCrimpsByDay(db.read, { from: DAYS[0], to: LAST }, key)
    const ofDays = Object.fromEntries(days.filter(({ crimps }) => crimps !== 0).map(({ day, crimps }) => [day, crimps]))
    const byDay = [...Map.groupBy(own, ({ day }) => day)].map(([day, some]) => [day, sumOf(some)])
    expect(ofDays).toEqual(Object.fromEntries(byDay))
    for (const day of DAYS) {
      const until = own.filter((act) => act.day <= day)
      expect(await findLifetimeAfter(db.read, key, day)).toBe(sumOf(until))
    }
    const { porMes, porTerminal } = await chartOfApplicator(db.read, unit, {})
    const byMonth = Map.groupBy(own, ({ day }) => day.slice(0, 7))
    for (const { mes, crimpagens } of porMes) expect(crimpagens, mes).toBe(sumOf(byMonth.get(mes) ?? []))
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
  await expectReports(db, acts)
}

async function expectReports(db: Db, acts: readonly Known[]): Promise<void> {
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

const tables = [
  ...(['crimp_ledger', 'applicator_units', 'crimp_history', 'wear_parts'] as const),
  ...(['daily_production', 'daily_scrap', 'scraps'] as const),
] as const
const empty = (db: Db) =>
  db.transaction(async (tx) => {
    for (const table of tables) await tx.deleteFrom(table).execute()
  })

const outcomes = [
  ...['undo', 'confirm', 'refuse', 'correct', 'undo of what is undone', 'confirm of what is undone'],
  ...['part previsto', 'part sem-previsao'],
]

test.each(databases)('counters, sums of days and all readers of a tool say what was done, on %s', async (database) => {
  const db = await openStore(database)
  const happened = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      await empty(db)
      const plant: Plant = { db, acts: [], cycles: new Map(), parts: new Map(), happened }
      for (const [at, step] of steps.entries()) await take(plant, step, at)
      await expectAll(plant)
    }),
    { numRuns: RUNS[database], seed: SEED },
  )
  expect(outcomes.filter((outcome) => !happened.has(outcome))).toEqual([])
})

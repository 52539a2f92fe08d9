import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlanContent } from '../../src/contract/control-plans.ts'
import type { MeasurementForm } from '../../src/contract/measurements.ts'
import { nameKey } from '../../src/domain/acts/recordings.ts'
import { gateSamples, type WorkFacts } from '../../src/domain/quality/measuring.ts'
import { planGate } from '../../src/domain/quality/plan-gate.ts'
import {
  limitsOf,
  orderSpecOf,
  type Readings,
  shiftText,
  verdictOfReadings,
} from '../../src/domain/quality/sampling.ts'
import type { WaitingSample } from '../../src/domain/quality/waiting-samples.ts'
import { toCutCrimp } from '../../src/server/acts/cut-crimp.ts'
import { insertMeasured } from '../../src/server/acts/measuring.ts'
import { notePlanFindings } from '../../src/server/acts/plan-findings.ts'
import { Refused } from '../../src/server/http/refused.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { findItem } from '../../src/server/store/items.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { crimpOf, ORDER, UNTOUCHED } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'
import { sampleOf } from '../support/series-samples.ts'
import { limitMs } from '../support/slowness.ts'
import { type BruteReading, bruteGate } from '../support/verdicts-brute.ts'

const RUNS = Number(process.env.RUNS ?? 150)

const altura = { nominal: 1100, menos: 50, mais: 50 }
const base = { terminal: 'T1326030', bitola: 500, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false }
const plans: PlanContent[] = [
  { ...base, altura, forcaMin: 75_000 },
  { ...base, altura, forcaMin: 75_000, digitadoVale: false },
  { ...base, altura, largura: altura },
  { ...base, forcaMin: 75_000 },
]

const machine = fc.constantFrom('KX0001 - Komax', 'KX0001 - Komax', 'kx0001', 'PR0002 - Mecal')
const unit = fc.constantFrom('MA-0001', 'MA-0001', ' ma-0001', 'MA-0002')
const lot = fc.constantFrom('L-1', 'L-1', 'L-2')
const isSeldom = fc.constantFrom(false, false, false, false, true)
const height = fc.constantFrom(1100, 1102, 1170)
const force = fc.constantFrom(80_000, 92_000, 60_000)
const readings = fc.record(
  {
    altura: fc.array(height, { minLength: 1, maxLength: 3 }),
    forca: fc.array(force, { minLength: 1, maxLength: 2 }),
    largura: fc.array(height, { minLength: 1, maxLength: 1 }),
  },
  { requiredKeys: [] },
)
const acts = fc.array(
  fc.record({
    ...{ machine, unit, lot, readings },
    /** The server has heard of it when the tablet last asked; the others wait in the tablet's queue. */
    isAtServer: fc.boolean(),
    /** Of the shift before. */
    isEarlier: isSeldom,
    isOtherOrder: isSeldom,
    isOut: isSeldom,
    /** By a recording itself, and by no sample. */
    isTyped: isSeldom,
    hasTwoWires: isSeldom,
    /** Its form names it, where it was taken of its work. */
    isNamed: fc.boolean(),
  }),
  { maxLength: 8 },
)
const histories = fc.record({
  ...{ acts, machine, unit, lot, plan: fc.constantFrom(...plans) },
  altura: fc.record({ milli: height as fc.Arbitrary<number>, isMeasured: fc.boolean() }),
  forca: fc.record({ milli: force as fc.Arbitrary<number>, isMeasured: fc.boolean() }),
  /** The form shows what the newest sample that it names gave it, as it mostly does. */
  isAsTaken: fc.boolean(),
})
type History = typeof histories extends fc.Arbitrary<infer H> ? H : never
type Act = History['acts'][number] & { id: string; measuredAt: number }

const HOUR_MS = 3_600_000

const formOf = (act: Act): MeasurementForm => ({
  ...{ filial: '010101', codigoBarras: UNTOUCHED, ordem: act.isOtherOrder ? '01629901001' : ORDER, parte: 'l1' },
  ...{ terminal: base.terminal, maquina: act.machine, miniaplicador: act.unit, lote: act.lot, ocasiao: 'avulsa' },
  ...(act.hasTwoWires ? { doisFios: true } : {}),
  leituras: (['altura', 'forca', 'largura'] as const).flatMap((caracteristica) => {
    const valores = act.readings[caracteristica]
    return valores ? [{ caracteristica, valores }] : []
  }),
})

class Undone extends Error {}

async function setUp() {
  const panel = await setUpMeasuring()
  const { db, context, clock } = panel
  await db.transaction((tx) => saveSetting(tx, PLAN_MODE, 'bloquear'))
  const item = (await findItem(db.read, '010101', UNTOUCHED))?.item
  if (!item) throw new Error('the item has no copy')
  const spec = orderSpecOf(item, 'l1')
  const storeActs = (some: readonly Act[], plan: PlanContent) =>
    db.transaction(async (tx) => {
      const rows = some.flatMap((act) => {
        const form = formOf(act)
        return form.leituras.map(({ caracteristica, valores }) => {
          const limits = act.hasTwoWires ? null : limitsOf(plan, caracteristica, spec)
          return sampleOf(valores, {
            ...{ act_id: act.id, characteristic: caracteristica, order_number: form.ordem, machine: act.machine },
            recording_id: act.isTyped ? act.id : null,
            ...{ unit: act.unit, unit_key: nameKey(act.unit), unit_cycle: null, lot: act.lot, user_id: 9 },
            ...{
              measured_at: act.measuredAt,
              shift: shiftText(act.measuredAt, context.config),
              counted: act.isOut ? 0 : 1,
            },
            verdict: verdictOfReadings(limits, valores as unknown as Readings),
          })
        })
      })
      if (rows.length > 0) await tx.insertInto('measurements').values(rows).execute()
    })
  const planAnew = async (plan: PlanContent) => {
    await db.transaction(async (tx) => {
      for (const table of ['measurements', 'control_plans'] as const) await tx.deleteFrom(table).execute()
      await insertPlans(tx, [{ plan, version: 1, from: clock.now() - 48 * HOUR_MS }])
    })
  }
  /** What the server says to the recording; empty: it is taken, and nothing noted. */
  const serverSays = async (payload: ReturnType<typeof crimpOf>): Promise<string> => {
    const caller = { userId: 9, username: 'operador', fullName: 'Maria Souza' }
    const acting = { idempotencyKey: randomUUID(), contentHash: '', config: context.config, now: clock.now, caller }
    const recording = { ...toCutCrimp(payload, acting), gaugeMilli: base.bitola, orderSpec: spec }
    const samples = payload.captura?.medicoes ?? []
    try {
      return await db.transaction(async (tx) => {
        const measured = await insertMeasured(tx, recording, { samples }, context)
        await notePlanFindings(tx, recording, { measured, samples, way: 'online', config: context.config })
        const noted = await tx.selectFrom('recording_findings').select('finding').executeTakeFirst()
        throw new Undone(noted?.finding ?? '')
      })
    } catch (error) {
      if (error instanceof Refused) return error.more.message ?? error.code
      if (error instanceof Undone) return error.message
      throw error
    }
  }
  return { ...panel, spec, storeActs, planAnew, serverSays }
}

/** The acts that a form can name: measured, not typed, of its order, tool and lot, whatever became of the press since. */
const namable = ({ acts: all, unit: tool, lot: reel }: { acts: Act[] } & Pick<History, 'unit' | 'lot'>) =>
  all.filter(
    ({ isNamed, isTyped, isOut, isOtherOrder, ...act }) =>
      isNamed && !isTyped && !isOut && !isOtherOrder && nameKey(act.unit) === nameKey(tool) && act.lot === reel,
  )

/** What the form shows. */
function valuesOf({ altura: typedHeight, forca: typedForce, isAsTaken }: History, named: readonly Act[]) {
  const values = { altura: typedHeight, forca: typedForce }
  if (!isAsTaken) return values
  for (const { readings: taken } of named.toSorted((one, other) => one.measuredAt - other.measuredAt)) {
    const far = taken.altura?.reduce((best, one) => (Math.abs(one - 1100) > Math.abs(best - 1100) ? one : best))
    if (far !== undefined) values.altura = { milli: far, isMeasured: true }
    if (taken.forca) values.forca = { milli: Math.min(...taken.forca), isMeasured: true }
  }
  return values
}

/** As the brute force, which knows nothing of the product, wants them. */
function bruteOf({ plan, machine: press, unit: tool, lot: reel }: History, all: readonly Act[], named: readonly Act[]) {
  const boundsOf = (of: typeof altura | undefined) =>
    of && { low: of.nominal - of.menos, high: of.nominal + of.mais, nominal: of.nominal }
  const [heights, widths] = [boundsOf(plan.altura), boundsOf(plan.largura)]
  const lines = all
    .filter(({ isOut, isOtherOrder }) => !isOut && !isOtherOrder)
    .flatMap((act): BruteReading[] =>
      (['altura', 'forca', 'largura'] as const).flatMap((what) => {
        const values = act.readings[what]
        if (!values) return []
        const { id, measuredAt: at, machine: ofPress, unit: ofTool, lot: ofReel, isTyped, hasTwoWires } = act
        return [
          {
            ...{ act: id, at, what, values, press: ofPress, tool: ofTool, reel: ofReel, isTyped, hasTwoWires },
            ...{ isOfShiftBefore: act.isEarlier, isNamed: named.includes(act) },
          },
        ]
      }),
    )
  return {
    plan: {
      ...{ isTypedEnough: plan.digitadoVale !== false },
      ...(heights && { altura: heights }),
      ...(widths && { largura: widths }),
      ...(plan.forcaMin === undefined ? {} : { forceMin: plan.forcaMin }),
    },
    lines,
    work: { press, tool, reel, named: named.map(({ id }) => id) },
  }
}

test(
  'tablet, server and a brute force that knows neither decide alike, whatever was measured before, named, typed, and still waits',
  async () => {
    const { planAnew, storeActs, contextOf, serverSays, clock, context, spec } = await setUp()
    const decide = async (history: History): Promise<[tablet: string, server: string]> => {
      const all: Act[] = history.acts.map((act, nth) => ({
        ...act,
        id: randomUUID(),
        measuredAt: clock.now() - (act.isEarlier ? 12 * HOUR_MS : 0) - 1000 * (history.acts.length - nth),
      }))
      const named = namable({ ...history, acts: all })
      const values = valuesOf(history, named)
      const { plan } = history
      await planAnew(plan)
      const [atServer, waiting] = [
        all.filter((one) => one.isAtServer),
        all.filter((one) => !one.isAtServer && !one.isOut),
      ]
      await storeActs(atServer, plan)
      const known = await contextOf()
      const samples: WaitingSample[] = waiting
        .filter(({ readings: some }) => Object.keys(some).length > 0)
        .map((act) => ({
          ...{ id: act.id, form: formOf(act), measuredAt: act.measuredAt },
          ...(act.isTyped ? { isTyped: true as const } : {}),
        }))
      const [holding] = known.planos
      if (!holding) throw new Error('no plan holds')
      const facts: WorkFacts = {
        ...{ plan: holding, context: known, waiting: { samples, pieces: 0, named: [] }, values },
        at: {
          ...{ part: 'l1', order: ORDER, terminal: base.terminal, machine: history.machine.split(' - ')[0] ?? '' },
          ...{ tool: history.unit, lot: history.lot, limits: spec, hasHeight: true },
        },
        taken: named.map((act) => ({
          ...{ id: act.id, occasion: 'avulsa' as const },
          made: { form: formOf(act), measuredAt: act.measuredAt },
        })),
        ...{ quantity: 1, remainingAfter: 5, nowMs: clock.now(), shiftPlan: context.config },
      }
      const gate = planGate({
        ...gateSamples(facts),
        ...{ mode: 'bloquear', isReachable: true, hasRelease: false, hasReason: false },
      })
      const brute = bruteOf(history, all, named)
      const { outside, due, missing } = gateSamples(facts)
      expect({ outside, due: due[0] ?? null, missing }).toEqual(
        bruteGate(brute.plan, brute.lines, { ...brute.work, values }),
      )
      await storeActs(waiting, plan)
      const server = await serverSays({
        ...crimpOf(1, history.unit),
        ...{ MAQUINA: history.machine, LOTE_TERM_LD1: history.lot },
        ...{ ALTURA_LD1: values.altura.milli / 1000, FORCA_LD1: values.forca.milli / 1000 },
        captura: {
          ...{ plano: holding.id, medicoes: named.map(({ id }) => id) },
          ...{ medidoAltura: values.altura.isMeasured, medidoForca: values.forca.isMeasured },
        },
      })
      return [gate.text, server]
    }
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const [tablet, server] = await decide(history)
        expect(server).toBe(tablet)
        seen.add(tablet)
      }),
      { numRuns: RUNS },
    )
    expect(seen.size, 'of many kinds').toBeGreaterThan(5)
  },
  limitMs(600_000),
)

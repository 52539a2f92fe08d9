import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heightLimits, type Limits } from './control-plans.ts'
import {
  checkCommaText,
  dueSamples,
  expectedOf,
  isPlanned,
  limitsOf,
  measuredText,
  plausibility,
  recordedForce,
  recordedHeight,
  type SamplePlace,
  shiftText,
} from './sampling.ts'

type Golden = {
  dueSamples: {
    name: string
    plan: { every: number | null; last: boolean }
    now: SamplePlace
    last: SamplePlace | null
    carry: number
    quantity: number
    samplesSinceRecording: number
    remainingAfter: number
    lastPieceTaken: boolean
    expected: { due: string[]; carryAfter: number }
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/control-plan.json', import.meta.url), 'utf8'),
) as Golden

test.each(golden.dueSamples.map((row) => [row.name, row] as const))('%s', (_, { now, last, expected, ...given }) => {
  const samples = last ? [{ ...last, characteristic: 'altura' as const, measuredAt: 1 }] : []
  const found = dueSamples({ ...given, required: ['altura'], now: { ...now, maintainedAt: null }, samples })
  expect(found).toMatchObject(expected)
})

const here: SamplePlace = {
  order: '1',
  machine: 'PR0002 - Schäfer',
  unit: 'MA-0412',
  lot: 'A',
  cycle: 7,
  shift: '2026-11-23#0',
}
const dueAt = (now: Partial<SamplePlace> & { maintainedAt?: number }, ...samples: Partial<SamplePlace>[]) =>
  dueSamples({
    plan: { every: null, last: false },
    now: { ...here, maintainedAt: null, ...now },
    required: ['altura'],
    samples: samples.map((sample, at) => ({
      ...{ ...here, characteristic: 'altura' as const },
      ...{ ...sample, measuredAt: 10 * (at + 1) },
    })),
    ...{ carry: 0, quantity: 1, samplesSinceRecording: 0, remainingAfter: 5, lastPieceTaken: false },
  }).due

test('one reason of a first piece is said, the first in order', () => {
  expect(dueAt({}, {})).toEqual([])
  expect(dueAt({ order: '2' }, {})).toEqual(['primeira-peca'])
  expect(dueAt({ lot: 'B', unit: 'MA-1', machine: 'PR1', cycle: 8, shift: 'x#0' }, {})).toEqual(['troca-de-lote'])
  expect(dueAt({ unit: 'MA-1', machine: 'PR1', cycle: 8 }, {})).toEqual(['troca-de-mini-aplicador'])
  expect(dueAt({ machine: 'PR1', cycle: 8 }, {})).toEqual(['troca-de-maquina'])
  expect(dueAt({ cycle: 8, shift: 'x#0' }, {})).toEqual(['apos-manutencao'])
})

test('the same tool, machine and lot are known however they are spelled, and when somebody comes back to them', () => {
  expect(dueAt({ unit: ' ma-0412', machine: 'pr0002', lot: ' A ' }, {})).toEqual([])
  expect(dueAt({}, {}, { lot: 'B' })).toEqual([])
  expect(dueAt({ shift: '2026-11-23#1' }, { shift: '2026-11-23#0' }, { lot: 'B', shift: '2026-11-23#1' })).toEqual([
    'novo-turno',
  ])
})

test('maintenance since the sample asks for another one, also without a reset; an unknown counter asks for nothing', () => {
  expect([dueAt({ maintainedAt: 10 }, {}), dueAt({ maintainedAt: 11 }, {})]).toEqual([[], ['apos-manutencao']])
  expect(dueAt({ cycle: 1 }, { cycle: null })).toEqual([])
})

test('the carry is what all pieces leave beyond whole multiples, in whatever portions they are recorded', () => {
  const portions = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(portions, fc.integer({ min: 1, max: 1000 }), (quantities, every) => {
      const given = { now: { ...here, maintainedAt: null }, samples: [] }
      const rest = { samplesSinceRecording: 0, remainingAfter: 1, lastPieceTaken: false }
      const plan = { every, last: false }
      const after = quantities.reduce(
        (carry, quantity) => dueSamples({ ...given, ...rest, required: [], plan, carry, quantity }).carryAfter,
        0,
      )
      expect(after).toBe(quantities.reduce((sum, one) => sum + one, 0) % every)
    }),
    { numRuns: 100, seed: 20261125 },
  )
})

test('a shift is named by the day on which it begins, also through midnight', () => {
  const plan = { shifts: ['06:00', '14:00', '22:00'], timeZone: 'America/Sao_Paulo' }
  expect(shiftText(Date.parse('2026-11-23T12:00:00Z'), plan)).toBe('2026-11-23#0')
  expect(shiftText(Date.parse('2026-11-24T04:00:00Z'), plan)).toBe('2026-11-23#2')
  const ofShifts = ['2026-11-24T08:59:59.999Z', '2026-11-24T09:00:00Z', '2026-11-23T09:00:00Z'].map((instant) =>
    shiftText(Date.parse(instant), plan),
  )
  expect(ofShifts).toEqual(['2026-11-23#2', '2026-11-24#0', '2026-11-23#0'])
})

const height = heightLimits({ nominal: 1100, menos: 50, mais: 50 })
const force: Limits = { low: 75_000, high: null, nominal: null }

test.each<[Limits, number[], string]>([
  [height, [880, 1320], 'plausivel'],
  [height, [1100, 879], 'confira'],
  [height, [1321], 'confira'],
  [height, [550, 2200], 'confira'],
  [height, [549], 'implausivel'],
  [height, [1100, 2201], 'implausivel'],
  [height, [11_000], 'implausivel'],
  [force, [1], 'plausivel'],
  [force, [750_000], 'plausivel'],
  [force, [90_000, 750_001], 'implausivel'],
  [{ low: null, high: null, nominal: null }, [1], 'plausivel'],
])('%j with %j is %s', (limits, readings, expected) => expect(plausibility(limits, readings)).toBe(expected))

test('a lost comma is named with what was expected', () => {
  expect(checkCommaText(height, 'mm')).toBe('Confira a vírgula: o nominal é 1,100 mm')
  expect(checkCommaText(force, 'N')).toBe('Confira a vírgula: a força mínima é 75 N')
})

test('what a recording says of some readings is the worst of them, never better than what was measured', () => {
  expect([recordedForce([92_000, 74_900, 88_000]), recordedForce([74_000])]).toEqual([74, 74])
  expect([recordedHeight([1080, 1120, 1100], 1100), recordedHeight([1459, 1541], 1490)]).toEqual([1080, 1541])
  expect(recordedHeight([1080, 1070], null)).toBe(1070)
})

test('without a plan the order judges force alone, and expects its height', () => {
  const order = { forceMin: 70_000, height: 1100 }
  const plan = {
    ...{ terminal: 'T1', bitola: 500, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
    ...{ forcaMin: 60_000, largura: { nominal: 2300, menos: 100, mais: 100 } },
  }
  expect(limitsOf(null, 'altura', order)).toBe(null)
  expect(limitsOf(null, 'forca', order)).toEqual({ low: 70_000, high: null, nominal: null })
  expect(limitsOf(plan, 'forca', order)?.low).toBe(70_000)
  expect(limitsOf(plan, 'largura', order)).toEqual({ low: 2200, high: 2400, nominal: 2300 })
  expect(limitsOf(plan, 'altura-isolante', order)).toBe(null)
  expect(expectedOf(plan, 'altura', order)).toEqual({ low: null, high: null, nominal: 1100 })
  expect(expectedOf(plan, 'altura', { ...order, height: null })).toBe(null)
})

test('no plan speaks of two wires, an unknown gauge, or a crimp without a registered tool', () => {
  const crimp = { part: 'l1', gauge: 500, unit: 'MA-1', hasTwoWires: false } as const
  expect(isPlanned(crimp)).toBe(true)
  expect(isPlanned({ ...crimp, part: 'juncao', unit: '' }), 'a junction has no tool').toBe(true)
  expect(isPlanned({ ...crimp, hasTwoWires: true })).toBe(false)
  expect(isPlanned({ ...crimp, gauge: null })).toBe(false)
  expect(isPlanned({ ...crimp, unit: '' })).toBe(false)
})

test('what was saved is said in a sentence', () => {
  expect(measuredText(['sem-plano'], null)).toBe('Medição salva.')
  expect(measuredText(['dentro', 'sem-plano'], null)).toBe('Medição salva: dentro do plano.')
  expect(measuredText(['fora'], null)).toBe('Medição salva: fora do plano.')
  const since = (pieces: number) => measuredText(['dentro', 'fora'], { pieces, isOfOrder: false })
  expect(since(1436)).toBe('Medição salva: fora do plano. 1.436 peças desde a última medição boa.')
  expect(since(1)).toContain(' 1 peça desde')
  expect(since(0)).toContain(' Nenhuma peça desde')
  const never = (pieces: number) => measuredText(['fora'], { pieces, isOfOrder: true })
  expect(never(120)).toBe('Medição salva: fora do plano. Nunca medida: 120 peças desta ordem.')
  expect(never(0)).toContain(' Nunca medida: nenhuma peça desta ordem.')
})

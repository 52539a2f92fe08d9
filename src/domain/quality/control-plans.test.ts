import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  beyondLimits,
  forceLimits,
  heightLimits,
  isCompleteReading,
  judge,
  milliText,
  occasionsText,
  planFor,
  planText,
  readingStart,
  readMilli,
  toleranceScale,
  verdictOf,
} from './control-plans.ts'

type Golden = {
  judgements: {
    name: string
    spec: Partial<Record<'nominal' | 'minus' | 'plus' | 'planMin' | 'erpMin', string>>
    readings: string[]
    expected: { low: number; high: number | null; verdict: string; worst: number; beyond: number; outside: number }
  }[]
  plans: (Record<'branch' | 'unit' | 'machine' | 'until', string | null> & {
    id: number
    terminal: string
    gauge: number
    from: string
  })[]
  matches: {
    q: Record<'terminal' | 'branch' | 'at', string> & Record<'unit' | 'machine', string | null> & { gauge: number }
    expected: number | null
  }[]
}

const golden = JSON.parse(
  readFileSync(new URL('../../../test/support/golden/control-plan.json', import.meta.url), 'utf8'),
) as Golden

test.each([
  ['0,50', 500],
  ['0.50', 500],
  [' 1,1 ', 1100],
  ['1,151', 1151],
  ['.5', 500],
  ['75', 75_000],
  ['0', 0],
  ['1,', null],
  ['1,1234', null],
  ['1.10,5', null],
  ['1.000,5', null],
  ['-1', null],
  ['+1', null],
  ['1e3', null],
  ['AWG 20', null],
  ['0,50 mm', null],
  [',', null],
  ['', null],
  ['9999999', null],
])('%j is read as %s thousandths', (text, milli) => expect(readMilli(text)).toBe(milli))

test.each([
  [500, 2, '0,50'],
  [1151, 2, '1,151'],
  [1100, 3, '1,100'],
  [75_000, 0, '75'],
  [69_900, 0, '69,9'],
])('%i thousandths are written with at least %i decimals as %s', (milli, decimals, text) => {
  expect(milliText(milli, decimals)).toBe(text)
})

const milliOf = (text: string): number => readMilli(text) as number
type Readings = [number, ...number[]]

test.each(golden.judgements.map((row) => [row.name, row] as const))('%s', (_, { spec, readings, expected }) => {
  const orNull = (text: string | undefined) => (text === undefined ? null : milliOf(text))
  const limits =
    spec.nominal && spec.minus && spec.plus
      ? heightLimits({ nominal: milliOf(spec.nominal), menos: milliOf(spec.minus), mais: milliOf(spec.plus) })
      : forceLimits(orNull(spec.planMin), orNull(spec.erpMin))
  const { low, high, ...judgement } = expected
  expect(limits).toMatchObject({ low, high })
  expect(limits && judge(limits, readings.map(milliOf) as Readings)).toEqual(judgement)
})

/** As somebody does it on paper: the digits one under the other. */
const compareTexts = (one: string, other: string): number => {
  const digits = (text: string) => text.replace(',', '').padStart(12, '0')
  return digits(one) < digits(other) ? -1 : digits(one) > digits(other) ? 1 : 0
}

test('a judgement in whole thousandths is that of decimal arithmetic, on the limits above all', () => {
  const threeDecimals = (milli: number) => milliText(milli, 3)
  const spec = fc.tuple(
    fc.integer({ min: 300, max: 9000 }),
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 0, max: 200 }),
  )
  fc.assert(
    fc.property(
      spec,
      fc.array(fc.integer({ min: -250, max: 250 }), { minLength: 1 }),
      ([nominal, menos, mais], offs) => {
        const limits = heightLimits({ nominal, menos, mais })
        const readings = [...offs.map((off) => nominal + off), nominal - menos, nominal + mais]
        const { verdict, outside } = judge(limits, readings as Readings)
        const isInside = (reading: number) =>
          compareTexts(threeDecimals(reading), threeDecimals(nominal - menos)) >= 0 &&
          compareTexts(threeDecimals(reading), threeDecimals(nominal + mais)) <= 0
        expect(outside).toBe(readings.filter((reading) => !isInside(reading)).length)
        expect(verdict).toBe(outside === 0 ? 'dentro' : 'fora')
      },
    ),
  )
})

test('the worst reading is one outside, though another inside is farther from nominal', () => {
  const limits = heightLimits({ nominal: 1490, menos: 30, mais: 50 })
  expect(judge(limits, [1538, 1455])).toEqual({ verdict: 'fora', worst: 1455, beyond: -5, outside: 1 })
})

const given = (name: string, value: string | null) => (value === null ? {} : { [name]: value })
const plans = golden.plans.map((plan) => ({
  id: plan.id,
  terminal: plan.terminal,
  bitola: plan.gauge,
  ...given('filial', plan.branch),
  ...given('miniaplicador', plan.unit),
  ...given('maquina', plan.machine),
  from: Date.parse(plan.from),
  until: plan.until === null ? null : Date.parse(plan.until),
}))

test.each(golden.matches.map(({ q, expected }) => [JSON.stringify(q), q, expected] as const))(
  'of several plans the most specific in force is meant: %s',
  (_, { unit, machine, at, ...q }, expected) => {
    const query = { ...q, unit: unit ?? '', machine: machine ?? '', at: Date.parse(at) }
    expect(planFor(plans, query)?.id ?? null).toBe(expected)
    expect(planFor(plans, { ...query, machine: machine ? `${machine} - Komax` : '' })?.id ?? null).toBe(expected)
  },
)

const plan = { terminal: 'T1', bitola: 500, leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false, version: 3 }
const altura = { nominal: 1100, menos: 50, mais: 50 }

test.each([
  [{ ...plan, altura, forcaMin: 75_000 }, 'Plano v3: 1,050 a 1,150 mm · força mín. 75 N · 3 leituras'],
  [{ ...plan, altura, leiturasAltura: 1 }, 'Plano v3: 1,050 a 1,150 mm · 1 leitura'],
  [
    { ...plan, altura, forcaMin: 69_900, leiturasForca: 5, aCadaPecas: 1500, ultimaPeca: true },
    'Plano v3: 1,050 a 1,150 mm · força mín. 69,9 N · 3 de altura, 5 de força',
  ],
])('a plan is said in one line', (given, text) => expect(planText(given, 'N')).toBe(text))

test('when somebody measures is said beside it', () => {
  expect(occasionsText(plan)).toBe('')
  expect(occasionsText({ ...plan, aCadaPecas: 1500, ultimaPeca: true })).toBe('a cada 1.500 peças, última peça')
})

test.each([
  ['1,15', true, 'dentro'],
  ['1,17', false, 'fora: 0,020 mm acima'],
  ['1.0', false, 'fora: 0,050 mm abaixo'],
])('a height of %s is judged when it was typed', (typed, isInside, text) => {
  const mm = (milli: number) => `${milliText(milli, 3)} mm`
  expect(verdictOf(typed, heightLimits(altura), mm)).toEqual({ isInside, text })
  expect(verdictOf('', heightLimits(altura), mm)).toBeNull()
  expect(verdictOf(typed, null, mm)).toBeNull()
})

test('a plan is found by what its names look like: an order is written by another program', () => {
  const always = { from: 0, until: null }
  const plan = { terminal: 'KB 77', bitola: 500, miniaplicador: 'Ímã 1', maquina: 'PR0002', ...always }
  const query = { gauge: 500, unit: 'I\u0301ma\u0303\u00A01', machine: 'PR\u200B0002 - Mecal', branch: '010101', at: 1 }
  expect(planFor([plan], { terminal: 'KB\u00A077', ...query })).toBe(plan)
  expect(planFor([plan], { terminal: 'KB  77', ...query })).toBeNull()
})

test('a box begins with the digits that minimum and maximum share', () => {
  expect(readingStart(heightLimits({ nominal: 1100, menos: 50, mais: 50 }))).toBe('1,')
  expect(readingStart(heightLimits({ nominal: 1850, menos: 40, mais: 40 }))).toBe('1,8')
  expect(readingStart(heightLimits({ nominal: 10_000, menos: 50, mais: 50 })), '9,950 a 10,050').toBe('')
  expect(readingStart(heightLimits({ nominal: 1000, menos: 50, mais: 50 })), '0,950 a 1,050').toBe('')
  expect(readingStart({ low: 70_000, high: null, nominal: null })).toBe('')
  expect(readingStart(null)).toBe('')
  expect(readingStart({ low: 1100, high: 1100, nominal: 1100 }), 'nothing is left to measure').toBe('')
})

test('every reading inside begins with the start of its box', () => {
  const tolerance = fc.record({
    nominal: fc.integer({ min: 1, max: 20_000 }),
    menos: fc.integer({ min: 0, max: 300 }),
    mais: fc.integer({ min: 1, max: 300 }),
  })
  fc.assert(
    fc.property(tolerance, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const limits = heightLimits(given)
      const low = Math.max(0, limits.low ?? 0)
      const reading = Math.round(low + share * ((limits.high ?? 0) - low))
      expect(milliText(reading, 3).startsWith(readingStart({ ...limits, low }))).toBe(true)
    }),
  )
})

test('a reading is complete with three decimals', () => {
  expect(['1,105', '1,10', '1,', '1', ''].map(isCompleteReading)).toEqual([true, false, false, false, false])
})

test('the dot stands within the tolerance exactly where the reading does', () => {
  const limits = heightLimits({ nominal: 1100, menos: 50, mais: 50 })
  expect(toleranceScale(limits, 1100)).toEqual({ low: 0.25, high: 0.75, nominal: 0.5, dot: 0.5 })
  expect(toleranceScale(limits, 11_000)?.dot, 'far outside it stands at the edge').toBeCloseTo(0.98)
  expect(toleranceScale(limits, null)?.dot).toBeNull()
  expect(toleranceScale({ low: 75_000, high: null, nominal: null }, 75_000)).toMatchObject({
    high: null,
    nominal: null,
  })
  expect(toleranceScale({ low: null, high: null, nominal: null }, 1)).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.boolean(), (reading, isHeight) => {
      const of = isHeight ? limits : { low: 75_000, high: null, nominal: null }
      const value = isHeight ? reading : 100 * reading
      const scale = toleranceScale(of, value)
      const isDrawnInside = (scale?.dot ?? 0) >= (scale?.low ?? 0) && (scale?.dot ?? 0) <= (scale?.high ?? 1)
      expect(isDrawnInside).toBe(beyondLimits(of, value) === 0)
    }),
  )
})

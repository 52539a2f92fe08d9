import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../../demo/simulator/random.ts'
import golden from '../../../test/support/golden/spc.json' with { type: 'json' }
import {
  baseOf,
  type ChartSample,
  chartOf,
  factorsOf,
  hasBaseSignals,
  type Limits,
  limitsFrom,
  meanOf,
  quietAt,
  type Readings,
  rangesOf,
  signalsOf,
  sizeOf,
} from './spc.ts'
import { dataNotes, decimalsOf, pressText } from './spc-texts.ts'

const [nist, rings, , height, force] = golden.cases
const milli = (samples: readonly Readings[]): ChartSample[] =>
  samples.map((values) => ({ values: values.map((value) => Math.round(value * 1000)) }))
const singles = (readings: Readings): Readings[] => readings.map((reading) => [reading])

function expectNear(found: number | null | undefined, expected: number | null): void {
  if (expected === null) expect(found ?? null).toBeNull()
  else expect(Math.abs((found ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-6 * Math.abs(expected) + 1e-12)
}

function expectLimits(found: Limits | null, expected: Record<string, number>): void {
  const { k, n, mean, rangeMean, sigmaWithin, uclMean, lclMean, uclRange, lclRange } = expected
  expect([found?.k, found?.n]).toEqual([k, n])
  expectNear(found?.mean, mean ?? 0)
  expectNear(found?.rangeMean, rangeMean ?? 0)
  expectNear(found?.sigma, sigmaWithin ?? 0)
  expectNear(found?.uclMean, uclMean ?? 0)
  expectNear(found?.lclMean, lclMean ?? 0)
  expectNear(found?.uclRange, uclRange ?? 0)
  expectNear(found?.lclRange, lclRange ?? 0)
}

const limitsOf = (samples: readonly Readings[]) => {
  const base = baseOf(samples)
  return base && limitsFrom(base)
}

/** Of a chart: which point breaks which rule. */
const hitsOf = (samples: readonly Readings[], base: Limits | null, which: 'media' | 'amplitude' = 'media') =>
  chartOf(milli(samples), base).points.flatMap(({ signals }, at) =>
    signals.filter(({ chart }) => chart === which).map(({ rule }) => [at, rule]),
  )

describe('control limits', () => {
  test('come from the constants of the tables', () => {
    for (const [n, { d2, d3, A2, D3, D4, E2 }] of Object.entries(golden.constants)) {
      const found = factorsOf(Number(n))
      expect(found).toEqual({ d2, d3 })
      expectNear(3 / (found.d2 * Math.sqrt(Number(n))), A2)
      expectNear(Math.max(0, 1 - (3 * found.d3) / found.d2), D3)
      expectNear(1 + (3 * found.d3) / found.d2, D4)
      expectNear(3 / found.d2, E2)
    }
  })

  test('are the published ones of single readings, NIST 6.3.2.2', () => {
    const readings = singles(nist?.readings ?? [])
    const limits = limitsOf(readings)
    expectLimits(limits, nist?.expected.limits as Record<string, number>)
    expect([limits?.mean.toFixed(2), limits?.rangeMean.toFixed(4)]).toEqual(['50.81', '1.8778'])
    expect([limits?.uclMean.toFixed(4), limits?.lclMean.toFixed(4)]).toEqual(['55.8041', '45.8159'])
    expect(hitsOf(readings, limits)).toEqual([])
  })

  test('are the published ones of samples of five, Montgomery', () => {
    const limits = limitsOf(rings?.baseline ?? [])
    expectLimits(limits, rings?.expected.limits as Record<string, number>)
    const published = [limits?.mean.toFixed(5), limits?.lclMean.toFixed(5), limits?.uclMean.toFixed(4)]
    expect(published).toEqual(['74.00118', '73.98805', '74.0143'])
    expect([limits?.sigma.toPrecision(7), limits?.rangeMean.toFixed(5)]).toEqual(['0.009785039', '0.02276'])
    const all = [...(rings?.baseline ?? []), ...(rings?.later ?? [])]
    expect(hitsOf(all, limits)).toEqual(rings?.expected.signalsOfAll40Means)
    expect(hitsOf(all, limits, 'amplitude')).toEqual([])
  })

  test('see a crimper that wears before any piece is out of tolerance', () => {
    const limits = limitsOf(height?.baseline ?? [])
    expectLimits(limits, height?.expected.limits as Record<string, number>)
    const all = [...(height?.baseline ?? []), ...(height?.later ?? [])]
    expect(hitsOf(all, limits)).toEqual(height?.expected.signalsOfAllMeans)
    expect(hitsOf(all, limits, 'amplitude')).toEqual([])
    expect(all.flat().filter((value) => value < 1.05 || value > 1.15)).toEqual([])
  })

  test('are those of what was measured: what nobody measured is absent', () => {
    const measured = (force?.readings ?? []).filter((_, at) => force?.measured?.[at])
    expect(measured).toHaveLength(30)
    expectLimits(limitsOf(singles(measured)), force?.expected.limits as Record<string, number>)
    expect(hitsOf(singles(measured), limitsOf(singles(measured)))).toEqual([])
  })

  test('take the mean of the ranges, not the range of all readings', () => {
    const base = baseOf([
      [1, 3],
      [11, 13],
    ])
    expect(base).toEqual({ n: 2, k: 2, mean: 7, rangeMean: 2 })
    expect(rangesOf(singles([1, 4, 2]))).toEqual([null, 3, 2])
  })

  test('are none where nothing varies', () => {
    const flat = milli(Array.from({ length: 30 }, () => [1.1, 1.1, 1.1]))
    const chart = chartOf(flat, null)
    expect([chart.limits, chart.state, chart.points[29]?.signals]).toEqual([null, 'flat', []])
    expect(pressText(chart, flat, 'altura')).toBe('Sem variação: sem limites nem índices.')
    expect(dataNotes(chart, flat, 'altura')).toEqual(['Sem variação: sem limites nem índices.'])
  })
})

describe('signals', () => {
  test.each(golden.ruleCases)('$name', ({ z, hits, tooQuiet = [] }) => {
    expect(signalsOf(z).flatMap((rules, at) => rules.map((rule) => [at, rule]))).toEqual(hits)
    expect(quietAt(z)).toEqual(tooQuiet)
  })

  test('come by chance once in 159 samples, and after 13 of a shift by one sigma, as when the rules were chosen', () => {
    const random = randomFor(1, 'spc', 'runs')
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    const meanRun = (runs: number, shift: number) => {
      let samples = 0
      for (let run = 0; run < runs; run++) {
        const z: number[] = []
        do {
          z.push(normal() + shift)
          samples++
        } while (signalsOf(z.slice(-9)).at(-1)?.length === 0)
      }
      return samples / runs
    }
    const [inControl, shifted] = [meanRun(1000, 0), meanRun(1000, 1)]
    expect([inControl > 140, inControl < 180, shifted > 11, shifted < 15], `${inControl} ${shifted}`).toEqual(
      Array.from({ length: 4 }, () => true),
    )
  })

  test('of preliminary limits are points beyond them alone', () => {
    const wave = Array.from({ length: 20 }, (_, at) => [1.1 + (at % 2) * 0.004 + (at < 10 ? 0.01 : 0), 1.1])
    expect(hitsOf(wave, null).filter(([, rule]) => rule !== 'R1')).toEqual([])
    expect(chartOf(milli(wave), null).state).toBe('preliminary')
    expect(hitsOf(wave, limitsOf(wave)).some(([, rule]) => rule === 'R2')).toBe(true)
  })

  test('in the base ask for causes until each has one', () => {
    const samples = milli([...(height?.baseline ?? []).slice(0, 24), [1.2, 1.2, 1.2]])
    const chart = chartOf(samples, null)
    expect(chart.state).toBe('fixed')
    expect(hasBaseSignals(chart, () => false)).toBe(true)
    expect(hasBaseSignals(chart, (at) => at === 24)).toBe(false)
  })
})

describe('a series', () => {
  test('has no limits below 12 samples, preliminary ones to 24, and those of the first 25 from then on', () => {
    const samples = milli([...(height?.baseline ?? []), ...(height?.later ?? [])])
    const at = (count: number) => chartOf(samples.slice(0, count), null)
    expect([11, 12, 24, 25, 45].map((count) => at(count).state)).toEqual([
      'few',
      'preliminary',
      'preliminary',
      'fixed',
      'fixed',
    ])
    expect(at(45).limits).toEqual(at(25).limits)
    expect(pressText(at(9), samples.slice(0, 9), 'altura')).toBe('Ainda sem limites: 9 de 25 amostras.')
    expect(pressText(at(14), samples.slice(0, 14), 'altura')).toBe(
      'Dentro dos limites preliminares: 14 de 25 amostras.',
    )
    expect(pressText(at(25), samples.slice(0, 25), 'altura')).toBe('Dentro dos limites de controle.')
  })

  test('is of the size most frequent among the newest 25; others are hollow, an incomplete last one too', () => {
    const samples = milli([...Array.from({ length: 20 }, () => [1]), ...(height?.baseline ?? []).slice(0, 20), [1.2]])
    expect(sizeOf(samples)).toBe(3)
    const chart = chartOf(samples, null)
    expect([chart.n, chart.count, chart.points[0]?.mean, chart.points.at(-1)?.mean]).toEqual([3, 20, null, null])
    expect(pressText(chart, samples, 'altura')).toBe('Amostra de 1 leitura: os limites são de 3.')
    expect(sizeOf(milli([[1], [1, 2]])), 'of equals the newest').toBe(2)
    expect(sizeOf([])).toBe(1)
  })

  test('says of its newest point what the operator is to do', () => {
    const base = limitsOf(height?.baseline ?? [])
    const say = (later: readonly Readings[]) => pressText(chartOf(milli(later), base), milli(later), 'altura')
    expect(say([[1.12, 1.118, 1.119]])).toBe(
      'Sinal: ponto além do limite superior (1,1179). Veja ferramenta e ajuste antes de seguir.',
    )
    expect(say([[1.08, 1.081, 1.08]])).toBe(
      'Sinal: ponto além do limite inferior (1,0909). Veja ferramenta e ajuste antes de seguir.',
    )
    expect(say([[1.09, 1.105, 1.126]])).toBe(
      'Sinal: variação além do limite (0,0340). Veja ferramenta e ajuste antes de seguir.',
    )
    const rising = Array.from({ length: 9 }, () => [1.106, 1.107, 1.108])
    expect(say(rising)).toBe('Sinal: 9 pontos acima da média. A altura está subindo: avise a manutenção.')
    expect(say([[1.115, 1.114, 1.114], ...rising.slice(0, 1), [1.115, 1.114, 1.114]])).toBe(
      'Sinal: 2 de 3 pontos perto do limite.',
    )
    expect(say([[1.104, 1.105, 1.104]])).toBe('Dentro dos limites de controle.')
  })

  test('notes what looks too good, or too coarse', () => {
    const base = limitsOf(height?.baseline ?? [])
    const quiet = milli(Array.from({ length: 15 }, (_, at) => [1.104, 1.105, 1.104 + (at % 3) / 1000]))
    expect(dataNotes(chartOf(quiet, base), quiet, 'altura')).toEqual([
      'Variação menor que o esperado: confira se todos os valores foram medidos.',
    ])
    const coarse = milli(Array.from({ length: 25 }, (_, at) => [1.1 + (at % 3) / 100]))
    expect(dataNotes(chartOf(coarse, null), coarse, 'altura')).toContain('Resolução insuficiente: registre 0,001 mm.')
    expect([decimalsOf('altura', coarse), decimalsOf('forca', milli([[92], [92.5]]))]).toEqual([4, 2])
  })
})

const Samples = fc.integer({ min: 1, max: 10 }).chain((n) =>
  fc.array(fc.array(fc.integer({ min: 900, max: 1300 }), { minLength: n, maxLength: n }), {
    minLength: 12,
    maxLength: 40,
  }),
)
const samplesOf = (values: readonly (readonly number[])[]): ChartSample[] => values.map((one) => ({ values: one }))
const rulesOf = (samples: readonly ChartSample[]) => chartOf(samples, null).points.map(({ signals }) => signals)

describe('whatever the samples', () => {
  test('what is added to each reading moves the limits of means and nothing else', () => {
    fc.assert(
      fc.property(Samples, fc.integer({ min: 1, max: 500 }), (values, added) => {
        const before = chartOf(samplesOf(values), null).limits
        const after = chartOf(samplesOf(values.map((one) => one.map((value) => value + added))), null).limits
        expect(after === null).toBe(before === null)
        if (!before || !after) return
        expect(after.uclMean - before.uclMean).toBeCloseTo(added / 1000, 9)
        expect(after.lclMean - before.lclMean).toBeCloseTo(added / 1000, 9)
        expect(after.sigma).toBeCloseTo(before.sigma, 9)
        expect(after.uclRange).toBeCloseTo(before.uclRange, 9)
      }),
    )
  })

  test('what multiplies each reading multiplies each limit, and the order within a sample says nothing', () => {
    fc.assert(
      fc.property(Samples, fc.integer({ min: 2, max: 9 }), (values, times) => {
        const before = chartOf(samplesOf(values), null)
        const scaled = chartOf(samplesOf(values.map((one) => one.map((value) => value * times))), null).limits
        if (before.limits && scaled) {
          expect(scaled.uclMean).toBeCloseTo(before.limits.uclMean * times, 8)
          expect(scaled.uclRange).toBeCloseTo(before.limits.uclRange * times, 8)
        }
        const turned = chartOf(samplesOf(values.map((one) => one.toReversed())), null)
        expect(turned.limits?.sigma.toFixed(9)).toBe(before.limits?.sigma.toFixed(9))
        expect(turned.points.map(({ mean }) => mean?.toFixed(9))).toEqual(
          before.points.map(({ mean }) => mean?.toFixed(9)),
        )
      }),
    )
  })

  test('one that is out is as one that was never there', () => {
    fc.assert(
      fc.property(Samples, fc.nat(11), (values, out) => {
        const samples = samplesOf(values)
        const marked = samples.map((sample, at) => (at === out ? { ...sample, isOut: true } : sample))
        const without = samples.toSpliced(out, 1)
        expect(chartOf(marked, null).limits).toEqual(chartOf(without, null).limits)
        expect(rulesOf(marked).toSpliced(out, 1)).toEqual(rulesOf(without))
      }),
    )
  })

  test('no limit is ever infinite or no number', () => {
    fc.assert(
      fc.property(Samples, (values) => {
        const { limits } = chartOf(samplesOf(values), null)
        const numbers = limits ? [limits.uclMean, limits.lclMean, limits.uclRange, limits.lclRange, limits.sigma] : []
        expect(numbers.every(Number.isFinite)).toBe(true)
        if (limits) expect(meanOf([limits.uclMean, limits.lclMean])).toBeCloseTo(limits.mean, 9)
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import golden from '../../../test/support/golden/spc.json' with { type: 'json' }
import type { CapabilityNaming } from '../../contract/settings.ts'
import type { Readings } from './spc.ts'
import {
  capabilityOf,
  chiSquareQuantile,
  indicesOf,
  spreadOverall,
  spreadWithin,
  type Tolerances,
} from './spc-capability.ts'
import { capabilityLevel, capabilityText, indexText } from './spc-texts.ts'

const [, rings, summary, height, force] = golden.cases

function expectNear(found: number | null | undefined, expected: number | null): void {
  if (expected === null) expect(found ?? null).toBeNull()
  else expect(Math.abs((found ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-6 * Math.abs(expected))
}

type Expected = { p: number | null; pk: number; pCi: number[] | null; pkCi: number[] }
type Found = ReturnType<typeof indicesOf>

function expectIndices({ p, pk }: Found, expected: Expected): void {
  expectNear(p?.valor, expected.p)
  expectNear(p?.baixo, expected.pCi?.[0] ?? null)
  expectNear(p?.alto, expected.pCi?.[1] ?? null)
  expectNear(pk?.valor, expected.pk)
  expectNear(pk?.baixo, expected.pkCi[0] ?? null)
  expectNear(pk?.alto, expected.pkCi[1] ?? null)
}

function expectCapability(samples: readonly Readings[], tolerances: Tolerances, expected: object): void {
  const { N, mean, sigmaOverall, sigmaWithin, nuWithin, nuOverall, within, overall } = expected as Record<
    'N' | 'mean' | 'sigmaOverall' | 'sigmaWithin' | 'nuWithin' | 'nuOverall',
    number
  > & { within: Expected; overall: Expected }
  const [inside, whole] = [spreadWithin(samples), spreadOverall(samples)]
  if (!inside || !whole) throw new Error('no spread')
  expect([inside.readings, whole.readings]).toEqual([N, N])
  expectNear(inside.mean, mean)
  expectNear(inside.sigma, sigmaWithin)
  expectNear(whole.sigma, sigmaOverall)
  expectNear(inside.nu, nuWithin)
  expectNear(whole.nu, nuOverall)
  expectIndices(indicesOf(inside, tolerances), within)
  expectIndices(indicesOf(whole, tolerances), overall)
}

const measuredForce = (force?.readings ?? []).filter((_, at) => force?.measured?.[at]).map((one) => [one])

describe('indices of capability', () => {
  test('have the quantiles of the tables', () => {
    for (const [probability = 0, nu = 0, value = 0] of golden.quantiles.chi2) {
      expectNear(chiSquareQuantile(probability, nu), value)
    }
    // the square of what is normal is a χ² of one degree
    for (const [probability = 0, value = 0] of golden.quantiles.normal) {
      expectNear(Math.sqrt(chiSquareQuantile(2 * probability - 1, 1)), value)
    }
  })

  test('are the published ones of NIST 6.1.6', () => {
    const { mean = 0, sigma = 0, N = 0, lsl, usl } = summary as { mean: number; sigma: number; N: number } & Tolerances
    const found = indicesOf({ mean, sigma, nu: N - 1, readings: N }, { lsl, usl })
    expectIndices(found, summary?.expected as unknown as Expected)
    expect([found.p?.valor.toFixed(1), found.pk?.valor.toFixed(4)]).toEqual(['1.0', '0.6667'])
  })

  test('are those of the piston rings, and with the degrees of freedom of qcc its interval', () => {
    const samples = rings?.baseline ?? []
    const tolerances = { lsl: 73.95, usl: 74.05 }
    expectCapability(samples, tolerances, rings?.expected.capability as object)
    const within = spreadWithin(samples)
    if (!within) throw new Error('no spread')
    const { p, pk } = indicesOf({ ...within, nu: 124 }, tolerances)
    const published = [p?.valor, p?.baixo, p?.alto, pk?.valor, pk?.baixo, pk?.alto].map((value) => value?.toFixed(3))
    expect(published).toEqual(['1.703', '1.491', '1.915', '1.663', '1.448', '1.878'])
  })

  test('are those of a height, and of a force that has no upper side', () => {
    expectCapability(height?.baseline ?? [], { lsl: 1.05, usl: 1.15 }, height?.expected.capability as object)
    expectCapability(measuredForce, { lsl: 70, usl: null }, force?.expected.capability as object)
  })

  test('would be half as good with the defaults that nobody measured', () => {
    const all = (force?.readings ?? []).map((one) => [one])
    const { mean = 0, ppk = 0 } =
      (force?.expected as { wrongIfDefaultsCounted?: { mean: number; ppk: number } } | undefined)
        ?.wrongIfDefaultsCounted ?? {}
    const spread = spreadOverall(all)
    if (!spread) throw new Error('no spread')
    expectNear(spread.mean, mean)
    expectNear(indicesOf(spread, { lsl: 70, usl: null }).pk?.valor, ppk)
  })
})

const tolerances = { lsl: 1.05, usl: 1.15 }
const of = (samples: readonly Readings[], hasSignals = false, naming: CapabilityNaming = 'aiag-2005') =>
  capabilityOf(samples, { tolerances, hasSignals, naming })

describe('a capability', () => {
  const samples = height?.baseline ?? []

  test('says of how many readings it is, and nothing of fewer than 30', () => {
    expect(of(samples.slice(0, 6))).toMatchObject({
      leituras: 18,
      nota: 'Capacidade: faltam 12 leituras (mínimo 30).',
      dentro: null,
      total: null,
    })
    expect(of([]).nota).toBe('Capacidade: faltam 30 leituras (mínimo 30).')
    expect(of(samples).nota).toBe('Estimativa com 75 leituras.')
    expect(of([...samples, ...samples]).nota, '125 readings in 25 samples').toBe('')
  })

  test('names its indices as the plant wants, and prints the sigma of each', () => {
    const { dentro, total } = of(samples)
    expect([dentro?.nomes, total?.nomes]).toEqual([
      ['Cp', 'Cpk'],
      ['Pp', 'Ppk'],
    ])
    expect(dentro && capabilityText(dentro, 4)).toBe('Cpk 1,95 (σ = R̄/d₂ = 0,0078)')
    expect(total && capabilityText(total, 4)).toBe('Ppk 2,19 (σ = s = 0,0069)')
    const newer = of(samples, false, 'aiag-vda-2026')
    expect([newer.dentro?.nomes, newer.total?.nomes]).toEqual([
      ['Cw', 'Cwk'],
      ['Cp', 'Cpk'],
    ])
    expect(of(samples, true, 'aiag-vda-2026').total?.nomes).toEqual(['Pp', 'Ppk'])
  })

  test('of a process with signals is overall alone', () => {
    const { dentro, total, nota } = of(samples, true)
    expect([dentro, total?.nomes, nota]).toEqual([
      null,
      ['Pp', 'Ppk'],
      'Processo instável: Cp e Cpk não se aplicam. Estimativa com 75 leituras.',
    ])
  })

  test('is none where nothing varies or nothing limits, and never infinite', () => {
    const flat = Array.from({ length: 30 }, () => [1.1])
    expect(of(flat)).toMatchObject({ nota: 'Sem variação: sem limites nem índices.', dentro: null, total: null })
    const unlimited = capabilityOf(samples, {
      tolerances: { lsl: null, usl: null },
      hasSignals: false,
      naming: 'aiag-2005',
    })
    expect([unlimited.total, unlimited.nota]).toEqual([null, 'Capacidade: falta um plano de controle com limites.'])
    const stepped = [...Array.from({ length: 15 }, () => [1.1, 1.1]), ...Array.from({ length: 15 }, () => [1.12, 1.12])]
    expect(of(stepped).dentro, 'nothing varies within a sample').toBeNull()
  })

  test('is cut, and so no threshold is reached by rounding', () => {
    expect([1.328, 1.33, 1.3299999999999998, 0.1 + 0.2, -0.555].map(indexText)).toEqual([
      '1,32',
      '1,33',
      '1,33',
      '0,30',
      '-0,56',
    ])
    const levels = [
      [1.32, 1.2],
      [1.34, 1.2],
      [1.5, 1.33],
      [2, 1.67],
    ].map(([valor = 0, baixo = 0]) => capabilityLevel({ valor, baixo }))
    expect(levels).toEqual(['ruim', 'incerta', 'media', 'boa'])
  })
})

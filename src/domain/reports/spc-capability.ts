import type { CapabilityNaming } from '../../contract/settings.ts'
import type { Capability, CapabilityRow } from '../../contract/spc.ts'
import { baseOf, isWithoutVariation, meanOf, type Readings, sigmaWithin } from './spc.ts'
import { NO_VARIATION } from './spc-texts.ts'

/** 95 % of what is normal lies within so many sigmas. */
const Z_975 = 1.959963984540054

/** Lanczos' approximation, to ten digits. */
function lnGamma(x: number): number {
  const coefficients = [
    76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 0.001208650973866179,
    -0.000005395239384953,
  ]
  const tmp = x + 5.5 - (x + 0.5) * Math.log(x + 5.5)
  const series = coefficients.reduce((sum, one, at) => sum + one / (x + 1 + at), 1.000000000190015)
  return Math.log((2.5066282746310007 * series) / x) - tmp
}

/** The regularised gamma function P(a, x): by its series below a + 1, by its continued fraction above. */
function gammaP(a: number, x: number): number {
  if (x <= 0) return 0
  const scale = Math.exp(a * Math.log(x) - x - lnGamma(a))
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a]
    for (let n = 1; term > sum * 1e-16; n++) {
      term *= x / (a + n)
      sum += term
    }
    return sum * scale
  }
  // Lentz's way from the front; nothing below is ever 0 where x > a + 1
  let b = x + 1 - a
  let [c, d] = [Number.MAX_VALUE, 1 / b]
  let fraction = d
  for (let n = 1, factor = 0; Math.abs(factor - 1) > 1e-15 && n < 10_000; n++) {
    const an = -n * (n - a)
    b += 2
    d = 1 / (an * d + b)
    c = b + an / c
    factor = c * d
    fraction *= factor
  }
  return 1 - fraction * scale
}

/** Below which a χ² of ν degrees of freedom, whole or not, stays with a probability. */
export function chiSquareQuantile(probability: number, nu: number): number {
  let [low, high] = [0, nu + 10 * Math.sqrt(2 * nu) + 50]
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (gammaP(nu / 2, middle / 2) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

export type Tolerances = { lsl: number | null; usl: number | null }

/** Readings that follow a normal curve, as far as an index asks. */
type Spread = { mean: number; sigma: number; nu: number; readings: number }

type Index = NonNullable<CapabilityRow['pk']>

/** Both sides are needed for `p`, one for `pk`; the intervals hold 95 %. */
export function indicesOf(
  { mean, sigma, nu, readings }: Spread,
  { lsl, usl }: Tolerances,
): { p: Index | null; pk: Index | null } {
  const sides = [
    ...(lsl === null ? [] : [(mean - lsl) / (3 * sigma)]),
    ...(usl === null ? [] : [(usl - mean) / (3 * sigma)]),
  ]
  if (sides.length === 0) return { p: null, pk: null }
  const pk = Math.min(...sides)
  const apart = Z_975 * Math.sqrt(1 / (9 * readings) + pk ** 2 / (2 * nu))
  const index = { valor: pk, baixo: pk - apart, alto: pk + apart }
  if (lsl === null || usl === null) return { p: null, pk: index }
  const p = (usl - lsl) / (6 * sigma)
  const bound = (probability: number) => p * Math.sqrt(chiSquareQuantile(probability, nu) / nu)
  return { p: { valor: p, baixo: bound(0.025), alto: bound(0.975) }, pk: index }
}

/** Variation within samples of one size, or from one to the next where a sample is one reading. */
export function spreadWithin(samples: readonly Readings[]): Spread | null {
  const base = baseOf(samples)
  if (base === null) return null
  const { n, k, mean } = base
  const nu = n === 1 ? k - 1 : 0.9 * k * (n - 1)
  return { mean, sigma: sigmaWithin(base), nu, readings: k * n }
}

/** Variation of all readings. */
export function spreadOverall(samples: readonly Readings[]): Spread | null {
  const all = samples.flat()
  if (all.length < 2) return null
  const mean = meanOf(all)
  const sigma = Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (all.length - 1))
  return { mean, sigma, nu: all.length - 1, readings: all.length }
}

/** No index below; from so many readings in so many samples on without 'Estimativa'. */
export const READINGS_MIN = 30
const READINGS_SURE = 125
const SAMPLES_SURE = 25

const names: Record<
  CapabilityNaming,
  { within: [string, string]; overall: (hasSignals: boolean) => [string, string] }
> = {
  'aiag-2005': { within: ['Cp', 'Cpk'], overall: () => ['Pp', 'Ppk'] },
  'aiag-vda-2026': {
    within: ['Cw', 'Cwk'],
    overall: (hasSignals) => (hasSignals ? ['Pp', 'Ppk'] : ['Cp', 'Cpk']),
  },
}

/**
 * Capability over valid samples of one size. `hasSignals`: a signal among them has no noted cause, so the variation
 * within says nothing about the future.
 */
export function capabilityOf(
  samples: readonly Readings[],
  { tolerances, hasSignals, naming }: { tolerances: Tolerances; hasSignals: boolean; naming: CapabilityNaming },
): Capability {
  const leituras = samples.flat().length
  const [within, overall] = [spreadWithin(samples), spreadOverall(samples)]
  const { lsl, usl } = tolerances
  const found = { leituras, amostras: samples.length, media: overall?.mean ?? null, lsl, usl }
  const without = (nota: string): Capability => ({ ...found, nota, dentro: null, total: null })
  if (leituras < READINGS_MIN || !within || !overall) {
    return without(`Capacidade: faltam ${Math.max(1, READINGS_MIN - leituras)} leituras (mínimo ${READINGS_MIN}).`)
  }
  if (isWithoutVariation(overall)) return without(NO_VARIATION)
  if (lsl === null && usl === null) return without('Capacidade: falta um plano de controle com limites.')
  const isSure = leituras >= READINGS_SURE && samples.length >= SAMPLES_SURE
  const sigmaDe = samples[0]?.length === 1 ? 'MR̄/d₂' : 'R̄/d₂'
  const isWithin = !hasSignals && !isWithoutVariation(within)
  const notes = [
    ...(hasSignals ? [`Processo instável: ${names[naming].within.join(' e ')} não se aplicam.`] : []),
    ...(isSure ? [] : [`Estimativa com ${leituras} leituras.`]),
  ]
  return {
    ...found,
    nota: notes.join(' '),
    dentro: isWithin
      ? { nomes: names[naming].within, sigma: within.sigma, sigmaDe, ...indicesOf(within, tolerances) }
      : null,
    total: {
      nomes: names[naming].overall(hasSignals),
      sigma: overall.sigma,
      sigmaDe: 's',
      ...indicesOf(overall, tolerances),
    },
  }
}

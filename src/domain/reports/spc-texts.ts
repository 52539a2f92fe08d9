import type { Characteristic } from '../../contract/measurements.ts'
import type { CapabilityRow, SignalRule } from '../../contract/spc.ts'
import { countedText } from '../text/numbers.ts'
import { type Chart, type ChartSample, FIXED_SAMPLES, quietAt, type Signal, zOfMean } from './spc.ts'

/** 1,1179 */
export const decimalText = (value: number, decimals: number): string => value.toFixed(decimals).replace('.', ',')

/** Means and limits have one decimal more than what is read: mm are read to 0,001, forces as they were typed. */
export function decimalsOf(characteristic: Characteristic, samples: readonly ChartSample[]): number {
  if (characteristic !== 'forca') return 4
  const values = samples.flatMap((sample) => sample.values)
  const read = [0, 1, 2].find((decimals) => values.every((milli) => milli % 10 ** (3 - decimals) === 0)) ?? 3
  return read + 1
}

/** Cut, and so no threshold is reached by rounding: 1,328 is 1,32. */
export const indexText = (value: number): string => decimalText(Math.floor(value * 100 + 1e-9) / 100, 2)

/** 'Cpk 1,95 (σ = R̄/d₂ = 0,0078)': nobody takes one sigma for the other. */
export const capabilityText = ({ nomes, pk, sigma, sigmaDe }: CapabilityRow, decimals: number): string =>
  pk === null ? '' : `${nomes[1]} ${indexText(pk.valor)} (σ = ${sigmaDe} = ${decimalText(sigma, decimals)})`

/** Two constants until a plan says its own. */
const GOOD = 1.67
const ENOUGH = 1.33

/** How a `pk` is coloured, by the lower end of its interval before itself. */
export function capabilityLevel({
  valor,
  baixo,
}: {
  valor: number
  baixo: number
}): 'boa' | 'media' | 'incerta' | 'ruim' {
  if (valor < ENOUGH) return 'ruim'
  if (baixo >= GOOD) return 'boa'
  return baixo >= ENOUGH ? 'media' : 'incerta'
}

export const NO_VARIATION = 'Sem variação: sem limites nem índices.'
export const BASE_WITH_SIGNALS = 'Base com sinais: anote as causas e recalcule.'

/** `size`: of the newest samples; `n`: of those that the limits come from. */
export const otherSizeText = (size: number, n: number): string =>
  `As amostras têm agora ${countedText(size, 'leitura', 'leituras')} e os limites são de ${n}: fixe os limites de novo.`

const subjects: Record<Characteristic, string> = {
  altura: 'A altura',
  forca: 'A força',
  largura: 'A largura',
  'altura-isolante': 'A altura do isolante',
}

const moves: Record<Characteristic, readonly [up: string, down: string]> = {
  altura: ['está subindo', 'está descendo'],
  forca: ['está subindo', 'está caindo'],
  largura: ['está aumentando', 'está diminuindo'],
  'altura-isolante': ['está subindo', 'está descendo'],
}

/** Sentence about the newest point where it breaks a rule; empty: it breaks none. */
function signalText({ limits, points }: Chart, characteristic: Characteristic, decimals: number): string {
  const { mean = null, signals = [] } = points.at(-1) ?? {}
  if (limits === null || mean === null) return ''
  const breaks = (rule: SignalRule, chart: Signal['chart'] = 'media') =>
    signals.some((signal) => signal.rule === rule && signal.chart === chart)
  const isAbove = mean > limits.mean
  if (breaks('R1')) {
    const [side, limit] = isAbove ? ['superior', limits.uclMean] : ['inferior', limits.lclMean]
    return `Sinal: ponto além do limite ${side} (${decimalText(limit, decimals)}). Veja ferramenta e ajuste antes de seguir.`
  }
  if (breaks('R1', 'amplitude')) {
    const limit = decimalText(limits.uclRange, decimals)
    return `Sinal: variação além do limite (${limit}). Veja ferramenta e ajuste antes de seguir.`
  }
  if (breaks('R2')) {
    const move = `${subjects[characteristic]} ${moves[characteristic][isAbove ? 0 : 1]}`
    return `Sinal: 9 pontos ${isAbove ? 'acima' : 'abaixo'} da média. ${move}: avise a manutenção.`
  }
  return breaks('R3') ? 'Sinal: 2 de 3 pontos perto do limite.' : ''
}

/** The one sentence about a series at the press, of its newest sample. */
export function pressText(chart: Chart, samples: readonly ChartSample[], characteristic: Characteristic): string {
  const { state, count, n, points } = chart
  if (state === 'few') return `Ainda sem limites: ${count} de ${FIXED_SAMPLES} amostras.`
  if (state === 'flat') return NO_VARIATION
  const newest = samples.at(-1)
  if (newest && points.at(-1)?.mean === null) {
    if (newest.isOut) return 'Amostra inválida: fora do gráfico.'
    const size = countedText(newest.values.length, 'leitura', 'leituras')
    return `Amostra de ${size}: os limites são de ${n}.`
  }
  const signal = signalText(chart, characteristic, decimalsOf(characteristic, samples))
  if (signal !== '') return signal
  return state === 'fixed'
    ? 'Dentro dos limites de controle.'
    : `Dentro dos limites preliminares: ${count} de ${FIXED_SAMPLES} amostras.`
}

const DISTINCT_MIN = 5

/** Sentences about the data, for who looks at a whole series; none of them is a signal. */
export function dataNotes(chart: Chart, samples: readonly ChartSample[], characteristic: Characteristic): string[] {
  const { limits, points, state } = chart
  if (state === 'flat') return [NO_VARIATION]
  const newest = samples.filter((_, at) => points[at]?.mean !== null).slice(-FIXED_SAMPLES)
  const z = points.flatMap(({ mean }) => (limits && mean !== null ? [zOfMean(limits, mean)] : []))
  const isQuiet = quietAt(z).at(-1) === z.length - 1
  const isCoarse =
    newest.length === FIXED_SAMPLES && new Set(newest.flatMap(({ values }) => values)).size < DISTINCT_MIN
  const finer = characteristic === 'forca' ? 'com mais casas decimais' : '0,001 mm'
  return [
    ...(isQuiet ? ['Variação menor que o esperado: confira se todos os valores foram medidos.'] : []),
    ...(isCoarse ? [`Resolução insuficiente: registre ${finer}.`] : []),
  ]
}

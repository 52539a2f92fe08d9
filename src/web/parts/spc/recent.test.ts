import { expect, test } from 'vitest'
import type { RecentSeries } from '../../../contract/measurements.ts'
import { mergedSamples, recentOf } from './recent.ts'

const sample = (nth: number, ...valores: number[]): RecentSeries['amostras'][number] => ({
  id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  valores,
  veredito: 'dentro',
  medidoEm: `2026-11-25T12:${String(nth).padStart(2, '0')}:00.000Z`,
})
const series: RecentSeries = {
  ...{ miniaplicador: 'MA-0001', terminal: 'T1326030', bitola: 500, caracteristica: 'altura' },
  base: { n: 3, media: 1.1044, amplitudeMedia: 0.0132 },
  amostras: [sample(1, 1100, 1105, 1108), sample(2, 1101, 1104, 1107)],
}

test('what waits on this device comes after what the server has sent, and is not drawn twice', () => {
  const waiting = [sample(3, 1103, 1105, 1106), sample(2, 1101, 1104, 1107)]
  expect(mergedSamples(series.amostras, waiting).map(({ valores }) => valores[0])).toEqual([1100, 1101, 1103])
})

test('the newest sample is judged by the limits in force, without network too', () => {
  const inside = recentOf(series, series.amostras)
  expect([inside.hasSignal, inside.sentence]).toEqual([false, 'Dentro dos limites de controle.'])
  const high = recentOf(series, mergedSamples(series.amostras, [sample(3, 1130, 1131, 1132)]))
  expect(high.hasSignal).toBe(true)
  expect(high.sentence).toMatch(/^Sinal: ponto além do limite superior \(1,1179\)\./)
  expect(high.drawn.points.map(({ signal }) => signal)).toEqual(['', '', '1'])
  const other = recentOf(series, mergedSamples(series.amostras, [sample(3, 1104)]))
  expect(other.drawn.points.at(-1)).toEqual({ value: 1.104, look: 'other', signal: '' })
})

test('before there are limits the press says how many samples are missing', () => {
  expect(recentOf({ ...series, base: null }, series.amostras).sentence).toBe('Ainda sem limites: 2 de 25 amostras.')
})

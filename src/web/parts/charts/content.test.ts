import { expect, test } from 'vitest'
import type { ChartContent } from './content.ts'
import { describeChart } from './content.ts'

const content: ChartContent = {
  kind: 'line',
  title: 'Crimpagens por Terminal - MA-0001',
  unit: 'crimpagens',
  categoryName: 'Mês',
  categories: ['jan/26', 'fev/26', 'mar/26'],
  series: [
    { name: 'T1', values: [1000, 0, 2500] },
    { name: 'T2', values: [0, 0, 0] },
  ],
}

test('a chart is told with its extent, and each series with its sum and its highest point', () => {
  expect(describeChart(content)).toBe(
    'Crimpagens por Terminal - MA-0001. Gráfico de linhas, de jan/26 a mar/26. ' +
      'T1: 3.500 crimpagens, o máximo em mar/26: 2.500. T2: 0 crimpagens.',
  )
})

test('of a level its last point is told, never a sum, and what is said beside it', () => {
  const series = [{ name: 'Limite', values: [100, 100, 100], isLevel: true, note: 'Atingido' }]
  expect(describeChart({ ...content, series })).toContain('Limite: 100 crimpagens em mar/26. Atingido.')
})

test('a chart of one month names it once', () => {
  const series = [{ name: 'Crimpagens', values: [12] }]
  expect(describeChart({ ...content, kind: 'bar', categories: ['jan/26'], series })).toBe(
    'Crimpagens por Terminal - MA-0001. Gráfico de barras, Mês: jan/26. Crimpagens: 12 crimpagens, o máximo em jan/26: 12.',
  )
})

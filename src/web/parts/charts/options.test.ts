import { expect, test } from 'vitest'
import { formatCount } from '../../text/format.ts'
import type { ChartContent } from './content.ts'
import { chartOption } from './options.ts'

const look = {
  ink: '#000',
  muted: '#444',
  line: '#ccc',
  surface: '#fff',
  bad: '#c3202b',
  series: ['#0b6179', '#7a4494'],
  fontFamily: 'Inter',
  fontPx: 13,
} as const

const linesOf = (count: number): ChartContent => ({
  kind: 'line',
  title: 'Crimpagens por Terminal - MA-0001',
  unit: 'crimpagens',
  categoryName: 'Mês',
  categories: ['jan/26', 'fev/26'],
  series: Array.from({ length: count }, (_, at) => ({ name: `T${at}`, values: [1200, 30] })),
})

test('two colours tell forty lines apart, with strokes and marks', () => {
  const { series } = chartOption(linesOf(40), look, false)
  const looks = [series ?? []].flat().map((one) => {
    const line = one.type === 'line' ? one : null
    return `${String(line?.color)} ${String(line?.lineStyle?.type)} ${String(line?.symbol)}`
  })
  expect(new Set(looks).size).toBe(40)
  expect(new Set(looks.map((one) => one.split(' ')[0])).size).toBe(2)
})

test('numbers are written as at the plant, over a month and on the axis', () => {
  const { tooltip, yAxis } = chartOption(linesOf(1), look, false)
  const written = tooltip && !Array.isArray(tooltip) ? tooltip.valueFormatter?.(1200, 0) : undefined
  expect(written).toBe('1.200')
  expect(yAxis).toMatchObject({ axisLabel: { formatter: formatCount } })
})

test('a level is a line over the bars, without marks', () => {
  const bars = linesOf(1)
  const level = { name: 'Limite', values: [100, 100], isLevel: true }
  const { series, legend } = chartOption({ ...bars, kind: 'bar', series: [...bars.series, level] }, look, false)
  expect(series).toMatchObject([{ type: 'bar' }, { type: 'line', symbol: 'none' }])
  expect(legend).toMatchObject({ type: 'scroll' })
})

test('what is said beside a line stands at its name under the chart', () => {
  const [first] = linesOf(1).series
  const series = [{ ...first, name: 'Limite', values: [100, 100], note: 'Previsto: qui 26/11 (3 dias)' }]
  const { legend } = chartOption({ ...linesOf(1), series }, look, false)
  const label = legend && !Array.isArray(legend) && typeof legend.formatter === 'function' ? legend.formatter : null
  expect(['Limite', 'T1'].map((name) => label?.(name))).toEqual(['Limite · Previsto: qui 26/11 (3 dias)', 'T1'])
})

test('lines are named below the chart, a single row of bars by its title', () => {
  expect(chartOption(linesOf(1), look, false).legend).toMatchObject({ type: 'scroll' })
  expect(chartOption({ ...linesOf(1), kind: 'bar' }, look, false).legend).toMatchObject({ show: false })
})

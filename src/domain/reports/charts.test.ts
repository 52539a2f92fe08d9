import { expect, test } from 'vitest'
import { isReversed } from '../plant/periods.ts'
import { chartCsv, chartFileName, monthsOf, monthText, periodText, valuesOver } from './charts.ts'

const point = (mes: string, crimpagens = 1) => ({ mes, crimpagens })

test('a month is written as on the wall calendar', () => {
  expect(['2026-01', '2026-02', '2026-12', '2009-10'].map(monthText)).toEqual(['jan/26', 'fev/26', 'dez/26', 'out/09'])
})

test('months without crimps between others stand on the axis, across the turn of the year', () => {
  expect(monthsOf([point('2025-11'), point('2026-02')])).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
})

test('the axis begins and ends with a month that has crimps, in whatever order they came', () => {
  expect(monthsOf([point('2026-03'), point('2026-01'), point('2026-02')])).toEqual(['2026-01', '2026-02', '2026-03'])
  expect(monthsOf([point('2026-12')])).toEqual(['2026-12'])
  expect(monthsOf([])).toEqual([])
})

test('a long axis has twelve months a year', () => {
  expect(monthsOf([point('2001-01'), point('2026-12')])).toHaveLength(26 * 12)
})

test('each month of the axis has its crimps, or none', () => {
  const points = [point('2026-03', 7), point('2026-01', 1200)]
  expect(valuesOver(['2026-01', '2026-02', '2026-03'], points)).toEqual([1200, 0, 7])
})

test('a period is told with its days, and with words where it is open', () => {
  expect(periodText({ start: '2026-01-05', end: '2026-11-21' })).toBe('Período: 05/01/2026 até 21/11/2026')
  expect(periodText({ start: '', end: '2026-11-21' })).toBe('Período: Início até 21/11/2026')
  expect(periodText({ start: '2026-01-05', end: '' })).toBe('Período: 05/01/2026 até Fim')
})

test('only a period of which both days are known can be reversed', () => {
  expect(isReversed({ start: '2026-01-02', end: '2026-01-01' })).toBe(true)
  expect(isReversed({ start: '2026-01-01', end: '2026-01-01' })).toBe(false)
  expect(isReversed({ start: '2026-01-02', end: '' })).toBe(false)
  expect(isReversed({ start: '', end: '2026-01-01' })).toBe(false)
})

test('a file of a chart has a row per month and a column per series', () => {
  const series = [
    { name: 'Crimpagens', values: [1200, 0, 7] },
    { name: 'T1326030', values: [1200, 0, 5] },
    { name: '=T2;x', values: [0, 0, 2] },
    { name: '0925-10', values: [0, 0, 0] },
  ]
  expect(chartCsv({ categoryName: 'Mês', categories: ['jan/26', 'fev/26', 'mar/26'], series })).toBe(
    `\uFEFF"Mês";"=""Crimpagens""";"=""T1326030""";"=""'=T2,x""";"=""0925-10"""\r\n"jan/26";1200;1200;0;0\r\n"fev/26";0;0;0;0\r\n"mar/26";7;5;2;0\r\n`,
  )
})

test('the file is named after what it shows, without what no file name may hold', () => {
  expect(chartFileName('crimpagens_MA-0001', '2026-11-21', 'csv')).toBe('crimpagens_MA-0001_2026-11-21.csv')
  expect(chartFileName('crimpagens_T 13/26: "ção"', '2026-11-21', 'png')).toBe('crimpagens_T-13-26-ção-_2026-11-21.png')
})

import { expect, test } from 'vitest'
import { monthsOf, monthText, periodText, valuesOver } from './charts.ts'
import { isReversed } from './periods.ts'

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

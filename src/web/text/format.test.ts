import { expect, test } from 'vitest'
import {
  formatAgo,
  formatCnpj,
  formatInstant,
  formatPercent,
  formatRecentInstant,
  formatShortInstant,
} from './format.ts'

test.each([
  [-3, '0%'],
  [0, '0%'],
  [33.333, '33%'],
  [50, '50%'],
  [99.96, '99%'],
  [0.3 * 100, '30%'],
  [100, '100%'],
  [140, '100%'],
])('percentage %d is shown as %s', (percent, shown) => {
  expect(formatPercent(percent)).toBe(shown)
})

test.each([
  ['12345678000195', '12.345.678/0001-95'],
  ['12ABC34501DE35', '12.ABC.345/01DE-35'],
  ['123', '123'],
  ['', ''],
])('CNPJ %s is shown as %s', (cnpj, shown) => {
  expect(formatCnpj(cnpj)).toBe(shown)
})

test('moments are shown in the time zone of the plant', () => {
  expect(formatInstant('2026-01-01T02:05:00.000Z', 'America/Sao_Paulo')).toBe('31/12/2025 23:05')
  expect(formatRecentInstant('2026-01-01T02:05:00.000Z', 'America/Sao_Paulo')).toBe('31/12 23:05')
  expect(formatInstant('2026-01-01T03:00:00.000Z', 'America/Sao_Paulo')).toBe('01/01/2026 00:00')
})

test.each([
  ['2026-01-01T02:05:00.000Z', '31/12 23:05'],
  ['2026-01-01T03:00:00.000Z', '00:00'],
  ['2025-01-01T03:00:00.000Z', '01/01 00:00'],
])('on 1 January 2026 %s is shown as %s', (instant, shown) => {
  expect(formatShortInstant(instant, 'America/Sao_Paulo', Date.parse('2026-01-01T20:00:00.000Z'))).toBe(shown)
})

test.each([
  [-5000, 'agora'],
  [59_999, 'agora'],
  [60_000, 'há 1 min'],
  [3_599_999, 'há 59 min'],
  [2 * 3_600_000, 'há 2 h'],
  [86_400_000, 'há 1 dia'],
  [3 * 86_400_000, 'há 3 dias'],
])('what is %d ms old is from %s', (passedMs, shown) => {
  const at = '2026-01-01T03:00:00.000Z'
  expect(formatAgo(at, Date.parse(at) + passedMs)).toBe(shown)
})

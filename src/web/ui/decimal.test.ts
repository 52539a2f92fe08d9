import { expect, test } from 'vitest'
import { decimalText, parseDecimal, typedDecimal } from './decimal.ts'

test.each([
  ['12,345', 2, '12,34'],
  ['12.3', 2, '12,3'],
  ['12,', 2, '12,'],
  ['12,3', 0, '12'],
  ['1a2', 0, '12'],
  ['-5', 0, '5'],
  ['1,2,3', 2, '1,23'],
  [',5', 2, ',5'],
])('typing %s with %i decimals leaves %s', (typed, decimals, left) => {
  expect(typedDecimal(typed, decimals)).toBe(left)
})

test.each([
  ['', null],
  [',', null],
  ['1,25', 1.25],
  [',5', 0.5],
  ['12,', 12],
])('%s is the number %s', (typed, value) => {
  expect(parseDecimal(typed)).toBe(value)
})

test.each([
  [1.2, 2, '1,20'],
  [12, 0, '12'],
  [0.35, 0, '0,35'],
])('%d with at least %i decimals is written %s', (value, decimalsMin, text) => {
  expect(decimalText(value, decimalsMin)).toBe(text)
})

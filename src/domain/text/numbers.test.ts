import { expect, test } from 'vitest'
import { readNumber, readWhole } from './numbers.ts'

test.each([
  ['70', 70],
  [' 120 ', 120],
  ['007', 7],
  ['1.000', 1000],
  ['12.345.678', 12_345_678],
  ['70,7', Number.NaN],
  ['2.5', Number.NaN],
  ['1.00', Number.NaN],
  ['1000.000', Number.NaN],
  ['-5', Number.NaN],
  ['+5', Number.NaN],
  ['1e3', Number.NaN],
  ['5 peças', Number.NaN],
  ['٣', Number.NaN],
  ['', Number.NaN],
])('%j as a whole number is %d', (text, value) => {
  expect(readWhole(text)).toBe(value)
})

test('a number takes comma and dot', () => {
  expect(['1,5', '1.5', '-2', ',5', 'x', '1.000,5'].map(readNumber)).toEqual([
    1.5,
    1.5,
    -2,
    0.5,
    Number.NaN,
    Number.NaN,
  ])
})

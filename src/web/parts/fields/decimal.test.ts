import { expect, test } from 'vitest'
import { typedDecimal } from './decimal.ts'

test.each([
  ['12,345', 2, '12,34'],
  ['12.3', 2, '12,3'],
  ['12,', 2, '12,'],
  ['1a2', 2, '12'],
  ['-5', 2, '5'],
  ['1,2,3', 2, '1,23'],
  [',5', 2, ',5'],
])('typing %s with %i decimals leaves %s', (typed, decimals, left) => {
  expect(typedDecimal(typed, decimals)).toBe(left)
})

test.each([
  ['1,1', '1,', '1,1'],
  ['1,1,', '1,', '1,'],
  ['1,1.', '1,', '1,'],
  ['1,,', '1,', '1,'],
  ['1,81,', '1,8', '1,'],
  ['11,', '1,', '11,'],
])('typing %s into a box that began with %s leaves %s', (typed, start, left) => {
  expect(typedDecimal(typed, 3, start)).toBe(left)
})

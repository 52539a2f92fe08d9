import { expect, test } from 'vitest'
import { shareOfEach } from './noise.ts'

test('what fits stays whole', () => {
  expect(shareOfEach([3, 4], 7)).toBe(Number.POSITIVE_INFINITY)
  expect(shareOfEach([], 7)).toBe(Number.POSITIVE_INFINITY)
})

test('the largest give way until all fit, and the small ones lose nothing', () => {
  expect(shareOfEach([10_000, 3, 4], 107)).toBe(100)
  expect(shareOfEach([50, 1, 60, 2], 43)).toBe(20)
})

test('where there are more sorts than places nothing can be kept of each', () => {
  expect(shareOfEach([1, 1, 1], 2)).toBe(0)
})

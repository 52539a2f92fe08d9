import { expect, test } from 'vitest'
import { connectivityPercent } from './connectivity.ts'

test.each([
  [0, 0, true, null],
  [3, 3, true, 100],
  [1000, 999, true, 99],
  [3, 3, false, 99],
  [4, 1, false, 25],
])('of %i polls %i answered, all up: %s', (sent, answered, isAllUp, percent) => {
  expect(connectivityPercent({ sent, answered }, isAllUp)).toBe(percent)
})

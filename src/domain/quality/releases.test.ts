import { expect, test } from 'vitest'
import { isWorse, type Seen } from './releases.ts'

const limits = { low: 1050, high: 1150, nominal: 1100 }
const height = (...values: [number, ...number[]]): Seen => ({ characteristic: 'altura', values })
const force = (...values: [number, ...number[]]): Seen => ({ characteristic: 'forca', values })

test.each<[string, Seen, Seen[], boolean]>([
  ['as it was looked at', height(1100, 1202, 1110), [height(1100, 1202, 1110)], false],
  ['nearer to its plan', height(1180), [height(1202)], false],
  ['farther outside', height(1400), [height(1202)], true],
  ['as far outside on the other side', height(998), [height(1202)], false],
  ['farther outside than the worst of all that was looked at', height(1203), [height(1100), height(1202)], true],
  ['not farther than the worst of all', height(1202), [height(1202), height(1100)], false],
  ['outside where it was inside', height(1151), [height(1150)], true],
  ['another characteristic', force(60_000), [height(1202)], true],
  ['what nobody looked at', height(1151), [], true],
  ['a force below the one looked at', force(80_000, 59_000), [force(60_000)], true],
  ['a force above the one looked at', force(61_000), [force(80_000, 60_000)], false],
])('a release is void where something is worse than what was looked at: %s', (_, now, looked, isVoid) => {
  const of = now.characteristic === 'altura' ? limits : { low: 70_000, high: null, nominal: null }
  expect(isWorse([{ ...now, limits: of }], looked)).toBe(isVoid)
})

test('where nothing is outside nothing is worse', () => {
  expect(isWorse([], [])).toBe(false)
})

import { expect, test } from 'vitest'
import { UNLIMITED } from '../contract/crimp-counters.ts'
import { isMaintenanceDue, usedPercent, wearLevel } from './crimp-counters.ts'

const wear = (numberOfCrimps: number, limitOfCrimps = 100_000) => ({ numberOfCrimps, limitOfCrimps })

test.each([
  [wear(0), 0, 'fine', false],
  [wear(79_999), 79, 'fine', false],
  [wear(80_000), 80, 'near', false],
  [wear(99_999), 99, 'near', false],
  [wear(100_000), 100, 'reached', true],
  [wear(130_500), 130, 'reached', true],
  [wear(5_000_000, UNLIMITED), 0, 'unlimited', false],
  [wear(-3), 0, 'fine', false],
] as const)('%o is at %i %% and %s', (counter, percent, level, isDue) => {
  expect(usedPercent(counter)).toBe(percent)
  expect(wearLevel(counter, 80)).toBe(level)
  expect(isMaintenanceDue(counter)).toBe(isDue)
})

test('the warning threshold is a setting', () => {
  expect(wearLevel(wear(70_000), 70)).toBe('near')
  expect(wearLevel(wear(99_999), 100)).toBe('fine')
})

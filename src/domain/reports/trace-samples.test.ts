import { expect, test } from 'vitest'
import { samplesText } from './trace-samples.ts'

test('readings are said with the name of what was measured: heights with three decimals, forces with as many as they have', () => {
  expect(samplesText('altura', [1100, 1098])).toBe('Altura 1,100 / 1,098')
  expect(samplesText('forca', [75_000, 74_900])).toBe('Força 75 / 74,9')
})

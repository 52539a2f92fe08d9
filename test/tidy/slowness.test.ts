import { describe, expect, test } from 'vitest'
import { readSlowness, slownessOf } from '../support/slowness.ts'

describe('the factor of all limits', () => {
  test('is what TEST_SLOW says, or measured where it says nothing', () => {
    expect([undefined, '', '2', '1.5'].map(readSlowness)).toEqual([null, null, 2, 1.5])
    expect(() => readSlowness('fast')).toThrow('TEST_SLOW=fast')
    expect(() => readSlowness('0.5')).toThrow('TEST_SLOW=0.5')
  })

  test('is never below one, and four on a machine at a quarter of the speed', () => {
    expect([25, 50, 200].map(slownessOf)).toEqual([1, 1, 4])
  })
})

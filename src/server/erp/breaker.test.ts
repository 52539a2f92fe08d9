import { describe, expect, it } from 'vitest'
import { createBreaker } from './breaker.ts'

const setUp = () => {
  const clock = { ms: 1_000_000 }
  const breaker = createBreaker(() => clock.ms)
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.failed()
  }
  return { clock, breaker, fail }
}

describe('breaker', () => {
  it('opens after five failures in a row', () => {
    const { breaker, fail } = setUp()
    fail(4)
    expect(breaker.admit()).toBe(true)
    breaker.answered()
    fail(4)
    expect(breaker.admit()).toBe(true)
    breaker.failed()
    expect(breaker.admit()).toBe(false)
    expect(breaker.isOpen()).toBe(true)
  })

  it('sends a single call to see after 15 s, and closes when it is answered', () => {
    const { clock, breaker, fail } = setUp()
    fail(5)
    clock.ms += 14_999
    expect(breaker.admit()).toBe(false)
    clock.ms += 1
    expect(breaker.isOpen()).toBe(false)
    expect(breaker.admit()).toBe(true)
    expect(breaker.admit()).toBe(false)
    breaker.answered()
    expect(breaker.admit()).toBe(true)
    expect(breaker.admit()).toBe(true)
  })

  it('waits again when that call fails', () => {
    const { clock, breaker, fail } = setUp()
    fail(5)
    clock.ms += 15_000
    expect(breaker.admit()).toBe(true)
    breaker.failed()
    expect(breaker.admit()).toBe(false)
    clock.ms += 15_000
    expect(breaker.admit()).toBe(true)
  })

  it('is not held open by a clock that is set back', () => {
    const { clock, breaker, fail } = setUp()
    fail(5)
    clock.ms -= 3_600_000
    expect(breaker.admit()).toBe(true)
  })
})

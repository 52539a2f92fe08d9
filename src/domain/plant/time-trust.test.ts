import { expect, test } from 'vitest'
import { believedNow } from './time-trust.ts'

const DAY_MS = 86_400_000
const before = { wallMs: 100 * DAY_MS, elapsedMs: 5 * DAY_MS }
const after = (wallMs: number, passedMs: number) =>
  believedNow(before, { wallMs: before.wallMs + wallMs, elapsedMs: before.elapsedMs + passedMs }) !== null

test('a clock is believed up to two days further than the time that has passed', () => {
  expect([0, 2 * DAY_MS, 2 * DAY_MS + 1, 365 * DAY_MS].map((wallMs) => after(wallMs, 0))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(after(3 * DAY_MS, DAY_MS / 2)).toBe(false)
  expect(after(2.5 * DAY_MS, DAY_MS / 2)).toBe(true)
})

test('one that stands ahead for a day is believed then, and one that is behind always', () => {
  expect([DAY_MS - 1, DAY_MS].map((passedMs) => after(400 * DAY_MS, passedMs))).toEqual([false, true])
  expect(after(-400 * DAY_MS, 0)).toBe(true)
})

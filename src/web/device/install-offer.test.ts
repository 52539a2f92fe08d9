import { expect, it } from 'vitest'
import { snoozeLeftMs } from './install-offer.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 12)

it.each([
  ['never dismissed', null, 0],
  ['dismissed just now', NOW, 7 * DAY_MS],
  ['dismissed two days ago', NOW - 2 * DAY_MS, 5 * DAY_MS],
  ['a millisecond before seven days', NOW - 7 * DAY_MS + 1, 1],
  ['seven days ago', NOW - 7 * DAY_MS, 0],
  ['dismissed by a clock that was ahead', NOW + DAY_MS, 0],
  ['something else under the key', 'sim', 0],
])('a banner %s stays away as long as it should', (_, dismissedAt, leftMs) => {
  expect(snoozeLeftMs(dismissedAt === null ? null : String(dismissedAt), NOW)).toBe(leftMs)
})

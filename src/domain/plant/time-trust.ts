/** A moment that was believed, on the clock that people set and on one that nobody can. */
export type Believed = { wallMs: number; elapsedMs: number }

const AHEAD_MS_MAX = 48 * 3_600_000
const HABIT_MS = 24 * 3_600_000

/**
 * Whether irreversible chores may trust the clock: since it was last trusted it has moved at most two days more than
 * the time that passed, or a day has passed. Null: not now.
 */
export function believedNow(before: Believed, now: Believed): Believed | null {
  const passedMs = now.elapsedMs - before.elapsedMs
  const aheadMs = now.wallMs - (before.wallMs + passedMs)
  return aheadMs <= AHEAD_MS_MAX || passedMs >= HABIT_MS ? now : null
}

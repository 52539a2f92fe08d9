/** A moment that was believed, on the clock that people set and on one that nobody can. */
export type Believed = { wallMs: number; elapsedMs: number }

const AHEAD_MS_MAX = 48 * 3_600_000
const HABIT_MS = 24 * 3_600_000

/**
 * Whether what cannot be brought back may go by the clock: it is at most two days further than the time that has passed
 * since it was believed last, or has been so for a day. Null: not now.
 */
export function believedNow(before: Believed, now: Believed): Believed | null {
  const passedMs = now.elapsedMs - before.elapsedMs
  const aheadMs = now.wallMs - (before.wallMs + passedMs)
  return aheadMs <= AHEAD_MS_MAX || passedMs >= HABIT_MS ? now : null
}

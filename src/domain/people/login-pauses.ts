/** After the first, the second and each later refusal in a row: a password tried at every call locks its user. */
const PAUSES_MS = [30_000, 120_000, 600_000]

/** How often in a row the panel's own user was refused, and when last. */
type Refusals = { count: number; at: number }

export const noRefusals: Refusals = { count: 0, at: 0 }

export function isPaused({ count, at }: Refusals, now: number): boolean {
  if (count === 0) return false
  const elapsedMs = now - at
  // a clock set back must not keep the panel out for hours
  return elapsedMs >= 0 && elapsedMs < (PAUSES_MS[count - 1] ?? 0)
}

/** One within a pause is one of several calls at once. */
export const withRefusal = (before: Refusals, now: number): Refusals =>
  isPaused(before, now) ? before : { count: Math.min(before.count + 1, PAUSES_MS.length), at: now }

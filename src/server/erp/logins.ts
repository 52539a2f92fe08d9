import { NotExecuted } from './calls.ts'

/** After the first, the second and each later refusal in a row: a password tried at every search locks its user. */
const PAUSES_MS = [30_000, 120_000, 600_000]

export type Logins = {
  /** Throws while logins are paused. */
  admit(): void
  refused(): void
  accepted(): void
  access(): 'ok' | 'refused'
}

/** Whether the ERP takes the panel's own user, and when that may be tried again. */
export function openLogins(now: () => number): Logins {
  let refusals = 0
  let refusedAt = 0
  const isPaused = () => {
    if (refusals === 0) return false
    const elapsedMs = now() - refusedAt
    // a clock set back must not keep the panel out for hours
    return elapsedMs >= 0 && elapsedMs < (PAUSES_MS[refusals - 1] ?? 0)
  }
  return {
    admit() {
      if (isPaused()) throw new NotExecuted('auth')
    },
    refused() {
      // one of several calls at once
      if (isPaused()) return
      refusals = Math.min(refusals + 1, PAUSES_MS.length)
      refusedAt = now()
    },
    accepted() {
      refusals = 0
    },
    access: () => (refusals === 0 ? 'ok' : 'refused'),
  }
}

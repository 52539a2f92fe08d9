const FAILURES_MAX = 5
const PAUSE_MS = 15_000

export type Breaker = ReturnType<typeof createBreaker>

/** A circuit breaker: while the ERP is away calls fail at once, and after a pause a single call probes it. */
export function createBreaker(now: () => number) {
  let failures = 0
  let failedAt = 0
  let trying = false

  const isOpen = () => {
    if (failures < FAILURES_MAX) return false
    const elapsedMs = now() - failedAt
    // A wall clock set back must not keep it open for hours.
    return trying || (elapsedMs >= 0 && elapsedMs < PAUSE_MS)
  }

  return {
    /** True while a call would be turned away. */
    isOpen,
    /** Whether a call may go out now; every admitted call reports `answered` or `failed`. */
    admit() {
      if (isOpen()) return false
      trying = failures >= FAILURES_MAX
      return true
    },
    answered() {
      failures = 0
      trying = false
    },
    failed() {
      failures += 1
      failedAt = now()
      trying = false
    },
  }
}

const HOUR_MS = 3_600_000
/** After a silence this long the cause has ended: the next line is news. */
const QUIET_MS = 15 * 60_000
const KEYS_MAX = 1000

type Heard = { letThroughMs: number; lastMs: number; heldBack: number }

/**
 * Throttles a line that repeats as long as its cause lasts: the first passes, then one an hour. Returns how many equal
 * ones were held back since; null: this one is.
 */
export function openRepeats(elapsedMs: () => number): (key: string) => number | null {
  const heard = new Map<string, Heard>()

  const forgetOld = (nowMs: number) => {
    for (const [key, { lastMs }] of heard) if (nowMs - lastMs > QUIET_MS) heard.delete(key)
    // more than a server has kinds of trouble: the oldest may be said once more
    for (const key of heard.keys()) if (heard.size > KEYS_MAX) heard.delete(key)
  }

  return (key) => {
    const nowMs = elapsedMs()
    const before = heard.get(key)
    const isOver = before === undefined || nowMs - before.lastMs > QUIET_MS
    if (!isOver && nowMs - before.letThroughMs < HOUR_MS) {
      before.lastMs = nowMs
      before.heldBack++
      return null
    }
    heard.delete(key)
    heard.set(key, { letThroughMs: nowMs, lastMs: nowMs, heldBack: 0 })
    if (heard.size > KEYS_MAX) forgetOld(nowMs)
    return before?.heldBack ?? 0
  }
}

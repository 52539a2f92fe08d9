/** Among the tabs of this device, where the browser can say so. Plain HTTP addresses have no locks. */

export const hasLocks = (): boolean => navigator.locks !== undefined

/** How often a tab that holds a lock tells the others that it lives. */
const ALIVE_EVERY_MS = 10_000
/** A tab out of sight wakes once a minute. */
const SILENCE_MS_MAX = 3 * 60_000

/**
 * Waits for its turn. A tab that holds it and gives no sign of life, as one that its device has put to sleep, loses it:
 * `work` bears being done in two tabs, so nothing is lost should it wake.
 */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator
  if (!locks) return await work()
  const signs = new BroadcastChannel(`vez:${name}`)
  const waiting = new AbortController()
  let silence: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    clearTimeout(silence)
    silence = setTimeout(() => waiting.abort(), SILENCE_MS_MAX)
  }
  const hold = async () => {
    signs.onmessage = null
    clearTimeout(silence)
    const alive = setInterval(() => signs.postMessage(null), ALIVE_EVERY_MS)
    return await work().finally(() => clearInterval(alive))
  }
  signs.onmessage = hear
  hear()
  try {
    return await locks.request(name, { signal: waiting.signal }, hold).catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error
      return locks.request(name, { steal: true }, hold)
    })
  } finally {
    signs.close()
  }
}

/** Resolves once nobody is at it any more. Only where there are locks. */
export const whenFree = (name: string): Promise<void> => navigator.locks.request(name, () => undefined)

/** Done by this page, by its name. */
const underWay = new Map<string, Promise<unknown>>()

async function begin<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const begun = work()
  underWay.set(name, begun)
  try {
    return await begun
  } finally {
    underWay.delete(name)
  }
}

/** Null, and nothing done, while somebody else is at it: in this page, and with locks in any tab. */
export async function ifFree<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
  if (navigator.locks) {
    return await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? begin(name, work) : null))
  }
  return underWay.has(name) ? null : await begin(name, work)
}

/** Resolves once what this page is doing under these names now has ended, however it ends. Takes no turn of anybody. */
export const whenDoneHere = async (names: readonly string[]): Promise<void> => {
  await Promise.allSettled(names.flatMap((name) => underWay.get(name) ?? []))
}

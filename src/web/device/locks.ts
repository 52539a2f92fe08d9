/** Among the tabs of this device, where the browser can say so. Plain HTTP addresses have no locks. */

export const hasLocks = (): boolean => navigator.locks !== undefined

/** Waits for its turn. */
export const alone = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request(name, work) : work()

const lockedHere = new Set<string>()

/** Null, and nothing done, while somebody else is at it: in this page, and with locks in any tab. */
export async function ifFree<Result>(name: string, work: () => Promise<Result>): Promise<Result | null> {
  if (navigator.locks) {
    return await navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? work() : null))
  }
  if (lockedHere.has(name)) return null
  lockedHere.add(name)
  try {
    return await work()
  } finally {
    lockedHere.delete(name)
  }
}

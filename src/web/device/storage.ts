/** Browsers may clear what a page keeps when the device runs short of room, unless they have promised not to. */

let asked: Promise<boolean> | null = null

/** Asks once per visit. False where the browser does not promise. */
export function keepStorage(): Promise<boolean> {
  asked ??= (navigator.storage?.persist?.() ?? Promise.resolve(false)).catch(() => false)
  return asked
}

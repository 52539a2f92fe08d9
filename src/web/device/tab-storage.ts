/** What this tab keeps for a reload or the way back. A full storage costs that, never what is on screen. */
export function keepInTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // As said above.
  }
}

/** Null where nothing is kept that can be read. Anybody may have written it. */
export function keptInTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export type ItemSearch = { plant: string; term: string }

const STORAGE_KEY = 'cut-crimp-search'

/** The search to show again when a person comes back from an item or reloads the page. */
export function lastSearch(): ItemSearch | null {
  const stored = sessionStorage.getItem(STORAGE_KEY)
  if (!stored) return null
  const [plant, term] = stored.split('\n')
  return plant && term ? { plant, term } : null
}

export function keepSearch({ plant, term }: ItemSearch): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, `${plant}\n${term}`)
  } catch {
    // A full storage costs the way back, not the search itself.
  }
}

import type { CutItem } from '../../../contract/items.ts'

/** As the specification names its parts. */
type CheckCache = { itens: CutItem[]; searchTerm: string; filial: string }

const STORAGE_KEY = 'conferenciaCorteCache'

const isCache = (value: unknown): value is CheckCache =>
  typeof value === 'object' && value !== null && 'itens' in value && Array.isArray(value.itens) && 'filial' in value

/** The last search of this tab with what it found and what was received since. */
export function keptCheck(): CheckCache | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null')
    return isCache(kept) ? kept : null
  } catch {
    return null
  }
}

export function keepCheck(cache: CheckCache): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(cache))
  } catch {
    // A full storage costs the way back, not the list on screen.
  }
}

/** For who looks into a tablet from the browser's console. */
const conferenciaCorteCache = {
  show: (): CheckCache | null => {
    const kept = keptCheck()
    console.info('Conferência de Corte', kept)
    return kept
  },
  clear: (): void => sessionStorage.removeItem(STORAGE_KEY),
}

declare global {
  interface Window {
    conferenciaCorteCache?: typeof conferenciaCorteCache
  }
}

export const offerCheckCache = (): void => {
  window.conferenciaCorteCache = conferenciaCorteCache
}

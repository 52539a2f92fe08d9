import type { CutItem } from '../../../contract/items.ts'
import { keepInTab, keptInTab } from '../../tab-storage.ts'

/** As the specification names its parts. */
type CheckCache = { itens: CutItem[]; searchTerm: string; filial: string }

const STORAGE_KEY = 'conferenciaCorteCache'

const isCache = (value: unknown): value is CheckCache =>
  typeof value === 'object' && value !== null && 'itens' in value && Array.isArray(value.itens) && 'filial' in value

/** The last search of this tab with what it found and what was received since. */
export function keptCheck(): CheckCache | null {
  const kept = keptInTab(STORAGE_KEY)
  return isCache(kept) ? kept : null
}

export const keepCheck = (cache: CheckCache): void => keepInTab(STORAGE_KEY, cache)

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

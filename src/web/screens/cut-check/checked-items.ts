import type { CutItem } from '../../../contract/items.ts'
import { RECEIVED } from '../../../contract/receipts.ts'

/** How far an item's receipt has come. */
export type ReceiptState = 'open' | 'confirmed' | 'atServer' | 'here'
export type CheckedItem = { item: CutItem; receipt: ReceiptState }

export const isReceived = (item: CutItem): boolean => item.Z1_CONFERE.trim().toUpperCase() === RECEIVED

type Known = {
  /** Barcodes whose receipts wait on this device. */
  here: ReadonlySet<string>
  /** Barcodes whose receipts were taken since the list was read, and whether the ERP has them. */
  taken: ReadonlyMap<string, 'confirmed' | 'atServer'>
}

export const checkedItems = (items: readonly CutItem[], { here, taken }: Known): CheckedItem[] =>
  items.map((item) => {
    const code = item.Z1_CODBAR
    if (here.has(code)) return { item, receipt: 'here' }
    return { item, receipt: taken.get(code) ?? (isReceived(item) ? 'confirmed' : 'open') }
  })

const NAMED_MAX = 12

/** 'Faltam 14: 000010, 000020 … e mais 2'; null when nothing does. */
export function missingText(checked: readonly CheckedItem[]): string | null {
  const missing = checked.filter(({ receipt }) => receipt === 'open').map(({ item }) => item.Z1_ITEMEST)
  if (missing.length === 0) return null
  const named = missing.slice(0, NAMED_MAX).join(', ')
  const rest = missing.length - NAMED_MAX
  const verb = missing.length === 1 ? 'Falta' : 'Faltam'
  return `${verb} ${missing.length}: ${named}${rest > 0 ? ` e mais ${rest}` : ''}`
}

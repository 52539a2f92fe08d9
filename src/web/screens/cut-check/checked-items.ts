import type { CutItem } from '../../../contract/items.ts'
import { isReceived } from '../../../domain/recordings.ts'

/** How far an item's receipt has come. */
export type ReceiptState = 'open' | 'confirmed' | 'atServer' | 'here'
export type CheckedItem = { item: CutItem; receipt: ReceiptState }

function receiptOf(item: CutItem): ReceiptState {
  if (item.recebimentoAguardandoErp) return 'atServer'
  return isReceived(item) ? 'confirmed' : 'open'
}

/** `here`: barcodes whose receipts wait on this device. */
export const checkedItems = (items: readonly CutItem[], here: ReadonlySet<string>): CheckedItem[] =>
  items.map((item) => ({ item, receipt: here.has(item.Z1_CODBAR) ? 'here' : receiptOf(item) }))

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

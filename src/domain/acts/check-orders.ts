import type { CutItem } from '../../contract/items.ts'
import { BARCODE_LENGTH } from '../../contract/values.ts'

const ORDER_LENGTH_MAX = 15

/** Objection to searching for an order in the cut check, in the words shown. A scan is seen whole: nothing cuts it off. */
export function orderProblem(order: string): string | null {
  const { length } = order.trim()
  if (length === 0) return 'Por favor, digite uma ordem de produção'
  if (length === BARCODE_LENGTH) {
    return 'Para Conferência Corte, utilize apenas ordem de produção (não código de barras)'
  }
  return length > ORDER_LENGTH_MAX ? `A ordem de produção tem no máximo ${ORDER_LENGTH_MAX} caracteres` : null
}

type Coded = Pick<CutItem, 'Z1_CODBAR' | 'Z1_OP' | 'Z1_ITEMEST'>

/**
 * Order and number that the code of an item on no row of a list says: each plant has codes of its own, and the rows show
 * where they hold both. Null: they do not, or the code is of another make.
 */
export function ownerIn(code: string, rows: readonly Coded[]): { order: string; item: string } | null {
  const [first] = rows
  if (!first || code.length !== first.Z1_CODBAR.length) return null
  const order = first.Z1_OP.trim()
  const item = first.Z1_ITEMEST.trim()
  const orderAt = first.Z1_CODBAR.indexOf(order)
  const itemAt = first.Z1_CODBAR.indexOf(item, orderAt + order.length)
  const holdsBoth = ({ Z1_CODBAR, Z1_OP, Z1_ITEMEST }: Coded) =>
    Z1_CODBAR.slice(orderAt, orderAt + order.length) === Z1_OP.trim() &&
    Z1_CODBAR.slice(itemAt, itemAt + item.length) === Z1_ITEMEST.trim()
  const isTold = order !== '' && item !== '' && orderAt >= 0 && itemAt > orderAt && rows.every(holdsBoth)
  const said = { order: code.slice(orderAt, orderAt + order.length), item: code.slice(itemAt, itemAt + item.length) }
  const isAlike = code.startsWith(first.Z1_CODBAR.slice(0, orderAt)) && /^\d+$/.test(said.item) === /^\d+$/.test(item)
  return isTold && isAlike ? said : null
}

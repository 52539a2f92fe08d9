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

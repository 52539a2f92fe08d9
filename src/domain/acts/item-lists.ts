import { type CutItem, parts } from '../../contract/items.ts'
import { completionPercent, itemCompletionPercent } from '../forms/recording-form.ts'

export const itemStages = ['open', 'begun', 'done'] as const
export type ItemStage = (typeof itemStages)[number]

/** How far an item has come, what is on its way included. */
export function stageOf(item: CutItem): ItemStage {
  if (itemCompletionPercent(item) >= 100) return 'done'
  return parts.some((part) => completionPercent(item, part) > 0) ? 'begun' : 'open'
}

type Coded = Pick<CutItem, 'Z1_CODBAR' | 'Z1_OP' | 'Z1_ITEMEST'>

/**
 * A code in the parts that a person knows: what stands before its order, the order, the item, the rest. How an ERP composes its
 * codes is its own affair: one in which no order is found comes back in two halves.
 */
export function codeGroups({ Z1_CODBAR: code, Z1_OP: order, Z1_ITEMEST: item }: Coded): string[] {
  const orderAt = order === '' ? -1 : code.indexOf(order)
  const itemAt = orderAt < 0 || item === '' ? -1 : code.indexOf(item, orderAt + order.length)
  const ofOrder = orderAt < 0 ? [code.length / 2] : [orderAt, orderAt + order.length]
  const cuts = itemAt < 0 ? ofOrder : [...ofOrder, itemAt, itemAt + item.length]
  return [0, ...cuts].map((from, at) => code.slice(from, cuts[at])).filter((group) => group !== '')
}

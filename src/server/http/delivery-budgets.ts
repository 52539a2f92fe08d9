import { limits } from './limits.ts'
import { Refused } from './refused.ts'

/** What comes without a live session: under a grant, or under the receipt of an earlier answer. */
export type Authority = 'grant' | 'receipt'

export type DeliveryBudgets = {
  /** Throws `too_many_deliveries`, with the time after which one more is taken. */
  take(authority: Authority, device: string): void
}

const MINUTE_MS = 60_000
/** Beyond as many the ones that are full again are forgotten. */
const RETAINED_MAX = 10_000

type Budget = { left: number; asOfMs: number }

/** Of each device as many at once, then as many a minute; by each server for itself. */
export function openDeliveryBudgets(elapsedMs: () => number): DeliveryBudgets {
  const budgets = new Map<string, Budget>()
  const refilled = ({ left, asOfMs }: Budget, perMinute: number, atOnce: number) =>
    Math.min(atOnce, left + ((elapsedMs() - asOfMs) * perMinute) / MINUTE_MS)
  const forgetFull = () => {
    for (const [key, budget] of budgets) {
      const { atOnce, aMinute } = limits.deliveriesOfDevice[key.startsWith('grant') ? 'grant' : 'receipt']
      if (refilled(budget, aMinute, atOnce) >= atOnce) budgets.delete(key)
    }
  }
  return {
    take(authority, device) {
      const { atOnce, aMinute } = limits.deliveriesOfDevice[authority]
      const key = `${authority} ${device}`
      const before = budgets.get(key) ?? { left: atOnce, asOfMs: elapsedMs() }
      const left = refilled(before, aMinute, atOnce)
      if (left < 1) {
        const seconds = Math.ceil(((1 - left) * MINUTE_MS) / aMinute / 1000)
        throw new Refused('too_many_deliveries', { values: { seconds }, headers: { 'retry-after': String(seconds) } })
      }
      if (budgets.size >= RETAINED_MAX) forgetFull()
      budgets.set(key, { left: left - 1, asOfMs: elapsedMs() })
    },
  }
}

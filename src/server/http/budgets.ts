import { type Rate, rates } from './limits.ts'
import { Refused } from './refused.ts'

export type Budgets = {
  /** Throws the refusal of this rate where its holder has used it up, with the time after which one more is taken. */
  take(rate: Rate, holder: string | number): void
}

/** What an admin decides costs its author nothing. */
export const NO_BUDGETS: Budgets = { take: () => undefined }

const MINUTE_MS = 60_000
/** Beyond as many the ones that are full again are forgotten. */
const RETAINED_MAX = 10_000

type Budget = { rate: Rate; left: number; asOfMs: number }

/** Of each holder as many at once, then as many a minute; by each server for itself. */
export function openBudgets(elapsedMs: () => number): Budgets {
  const budgets = new Map<string, Budget>()
  const leftOf = ({ rate, left, asOfMs }: Budget) => {
    const { atOnce, aMinute } = rates[rate]
    return Math.min(atOnce, left + (Math.max(0, elapsedMs() - asOfMs) * aMinute) / MINUTE_MS)
  }
  const forgetFull = () => {
    for (const [key, budget] of budgets) if (leftOf(budget) >= rates[budget.rate].atOnce) budgets.delete(key)
  }
  return {
    take(rate, holder) {
      const { atOnce, aMinute, refusal } = rates[rate]
      const key = `${rate} ${holder}`
      const before = budgets.get(key)
      const left = before ? leftOf(before) : atOnce
      if (left < 1) {
        const seconds = Math.ceil(((1 - left) * MINUTE_MS) / aMinute / 1000)
        throw new Refused(refusal, { values: { seconds }, headers: { 'retry-after': String(seconds) } })
      }
      if (budgets.size >= RETAINED_MAX) forgetFull()
      budgets.set(key, { rate, left: left - 1, asOfMs: elapsedMs() })
    },
  }
}

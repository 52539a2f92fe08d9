import { type RefusalCode, refusals } from '../../contract/errors.ts'
import { refusedFor } from './refused.ts'

/**
 * How much one asker may have or do at a time, and the sentence that a person reads beyond it. A person's are over all sessions
 * and devices: of those a person has sixty at most, but works at two or three.
 */
export const limits = {
  /** Reads of the ERP that one session has open. */
  erpReadsOfSession: { max: 3, sentence: refusals.too_many_searches.message },
  erpReadsOfPerson: { max: 12, sentence: refusals.too_many_searches.message },
  /** Reads and files that keep the database busy, open at the same time. */
  heavyReadsOfPerson: { max: 6, sentence: refusals.too_many_searches.message },
  /** Pairs that one operator adds within an hour. */
  newPairsAnHour: { max: 200, sentence: refusals.too_many_pairs.message },
  /** A log-in ends the oldest beyond them. */
  sessionsOfUser: { max: 60, sentence: refusals.session_missing.message },
  /** Event streams of one device, and of one session. */
  streamsOfDevice: { max: 24, sentence: refusals.too_many_streams.message },
  /** Two on each of sixty devices. */
  streamsOfPerson: { max: 120, sentence: refusals.too_many_streams.message },
  /** Deliveries of one device that wait for an admin. */
  retainedOfDevice: { max: 1000, sentence: refusals.too_many_retained.message },
  retainedOfPerson: { max: 3000, sentence: refusals.too_many_retained.message },
} as const satisfies Record<string, { sentence: string; [amount: string]: unknown }>

/** How often one asker may do what: so many at once and then so many a minute, and the refusal beyond. */
const rates = {
  /** Deliveries of one device without a live session. */
  grantsOfDevice: { atOnce: 300, aMinute: 60, refusal: 'too_many_deliveries' },
  receiptsOfDevice: { atOnce: 300, aMinute: 600, refusal: 'too_many_deliveries' },
  /** Room for three devices that a person may have left full. */
  grantsOfPerson: { atOnce: 900, aMinute: 180, refusal: 'too_many_deliveries' },
  receiptsOfPerson: { atOnce: 900, aMinute: 1800, refusal: 'too_many_deliveries' },
  /** Calls for maintenance: of one machine and symptom one is open, which all others join. */
  callsOfPerson: { atOnce: 20, aMinute: 20, refusal: 'too_many_of_person' },
  /** Recordings that wait for a person as soon as they come: a tablet's whole day at once. */
  parkedOfPerson: { atOnce: 100, aMinute: 20, refusal: 'too_many_of_person' },
  logTestsOfPerson: { atOnce: 10, aMinute: 10, refusal: 'too_many_attempts' },
} as const satisfies Record<string, { atOnce: number; aMinute: number; refusal: RefusalCode }>
type Rate = keyof typeof rates

export type Budgets = {
  /** Throws the refusal of this rate where its holder has used it up, with the time after which one more is taken. */
  take(rate: Rate, holder: string | number): void
}

/** Budget of a delivery that an admin decides: it costs its author nothing. */
export const NO_BUDGETS: Budgets = { take: () => undefined }

const MINUTE_MS = 60_000
/** Beyond as many the ones that are full again are forgotten. */
const RETAINED_MAX = 10_000

type Budget = { rate: Rate; left: number; asOfMs: number }

/** Budgets for each holder: so many at once, then so many a minute; each server counts for itself. */
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
      if (left < 1) throw refusedFor(refusal, ((1 - left) * MINUTE_MS) / aMinute)
      if (budgets.size >= RETAINED_MAX) forgetFull()
      budgets.set(key, { rate, left: left - 1, asOfMs: elapsedMs() })
    },
  }
}

import { type RefusalCode, refusals } from '../../contract/errors.ts'

/** How much one asker may have or do at a time, and the sentence that a person reads beyond it. */
export const limits = {
  /** Reads of the ERP that one session has open. */
  erpReadsOfSession: { max: 3, sentence: refusals.too_many_searches.message },
  /** Pairs that one operator adds within an hour. */
  newPairsAnHour: { max: 200, sentence: refusals.too_many_pairs.message },
  /** A log-in ends the oldest beyond them. */
  sessionsOfUser: { max: 60, sentence: refusals.session_missing.message },
  /** Event streams of one device, and of one session. */
  streamsOfDevice: { max: 24, sentence: refusals.too_many_streams.message },
  /** What one device has that waits for an admin. */
  retainedOfDevice: { max: 1000, sentence: refusals.too_many_retained.message },
} as const satisfies Record<string, { sentence: string; [amount: string]: unknown }>

/** How often one asker may do what: so many at once and then so many a minute, and the refusal beyond. */
export const rates = {
  /** What one device delivers without a live session. */
  grantsOfDevice: { atOnce: 300, aMinute: 60, refusal: 'too_many_deliveries' },
  receiptsOfDevice: { atOnce: 300, aMinute: 600, refusal: 'too_many_deliveries' },
  logTestsOfPerson: { atOnce: 10, aMinute: 10, refusal: 'too_many_attempts' },
} as const satisfies Record<string, { atOnce: number; aMinute: number; refusal: RefusalCode }>
export type Rate = keyof typeof rates

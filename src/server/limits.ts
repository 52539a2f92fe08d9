import { refusals } from '../contract/errors.ts'

/** How much one asker may have or do at a time, and the sentence that a person reads beyond it. */
export const limits = {
  /** Reads of the ERP that one session has open. */
  erpReadsOfSession: { max: 3, sentence: refusals.too_many_searches.message },
} as const satisfies Record<string, { max: number; sentence: string }>

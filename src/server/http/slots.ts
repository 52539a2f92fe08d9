import type { RefusalCode } from '../../contract/errors.ts'
import { Refused } from './refused.ts'

/** A session, a device or a person, with the number of slots it may hold. */
export type Holder = { holder: string; max: number }

export type Slots = {
  /** Returns what gives the slot back, once. Throws where a holder has all of its own, or nobody more has room. */
  take(holders: readonly Holder[], person?: string): () => void
}

type Room = {
  /** The refusal for a holder who has too many. */
  refusal: RefusalCode
  retryAfterS: number
  max: number
  /** The last of them, for people who have only a few. */
  keptForOthers: number
  few: number
}

/** Limits calls open at the same time, in all and for each holder; each server counts for itself. */
export function openSlots({ refusal, retryAfterS, max, keptForOthers, few }: Room): Slots {
  const taken = new Map<string, number>()
  let all = 0
  const of = (holder: string) => taken.get(holder) ?? 0
  const count = (holders: readonly Holder[], by: 1 | -1) => {
    all += by
    for (const { holder } of holders) {
      const left = of(holder) + by
      if (left > 0) taken.set(holder, left)
      else taken.delete(holder)
    }
  }
  const refuse = (code: RefusalCode) => new Refused(code, { headers: { 'retry-after': String(retryAfterS) } })
  return {
    take(holders, person = '') {
      if (all >= max) throw refuse('overloaded')
      if (holders.some((one) => of(one.holder) >= one.max)) throw refuse(refusal)
      if (all >= max - keptForOthers && of(person) >= few) throw refuse(refusal)
      count(holders, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(holders, -1)
        isTaken = false
      }
    },
  }
}

/** As many in all as there are people. */
export const UNBOUNDED = { max: Number.POSITIVE_INFINITY, keptForOthers: 0, few: 0 }

import type { Characteristic } from '../contract/measurements.ts'
import { judge, type Limits } from './control-plans.ts'
import type { Readings } from './sampling.ts'

/** Readings of one characteristic. */
export type Seen = { characteristic: Characteristic; values: Readings }

/** Of force the lowest reading decides, whether plan or order asks for more; of the others the one farthest outside. */
const badness = (limits: Limits | null, { characteristic, values }: Seen): number =>
  characteristic === 'forca' || limits === null ? -Math.min(...values) : Math.abs(judge(limits, values).beyond)

/**
 * Whether something is outside now that was not when it was released, or was less so. A release is bound to what was
 * looked at: what is worse voids it, what is better does not.
 */
export const isWorse = (outside: readonly (Seen & { limits: Limits | null })[], looked: readonly Seen[]): boolean =>
  outside.some((now) =>
    looked
      .filter(({ characteristic }) => characteristic === now.characteristic)
      .every((before) => badness(now.limits, before) < badness(now.limits, now)),
  )

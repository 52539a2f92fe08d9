import { type Characteristic, MEASUREMENTS_OF_RECORDING_MAX } from '../../contract/measurements.ts'
import { nameKey } from '../acts/recordings.ts'
import { judge, type Limits, machineKey } from './control-plans.ts'
import { knownSamples, type WorkFacts } from './measuring.ts'
import type { Readings } from './sampling.ts'

/** Readings of one characteristic. */
export type Seen = { characteristic: Characteristic; values: Readings }

/**
 * How bad a reading is: for force the lowest is the worst, whether plan or order asks for more; for the others the one
 * farthest outside.
 */
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

/** The newest judged samples at this press and tool: what whoever releases a recording looks at. */
export function newestActs(facts: WorkFacts): string[] {
  const { tool, machine } = facts.at
  const here = knownSamples(facts).filter(
    (one) =>
      one.verdict !== 'sem-plano' &&
      nameKey(one.unit) === nameKey(tool) &&
      machineKey(one.machine) === machineKey(machine),
  )
  const newestFirst = here.toSorted((one, other) => other.measuredAt - one.measuredAt)
  return [...new Set(newestFirst.map(({ id }) => id))].slice(0, MEASUREMENTS_OF_RECORDING_MAX)
}

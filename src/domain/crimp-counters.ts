import { type CrimpCounter, UNLIMITED } from '../contract/crimp-counters.ts'
import { compareNames } from './names.ts'
import { nameKey } from './recordings.ts'

type Wear = Pick<CrimpCounter, 'numberOfCrimps' | 'limitOfCrimps'>

/** The limit is reached: the tool belongs into maintenance. */
export const isMaintenanceDue = ({ numberOfCrimps, limitOfCrimps }: Wear): boolean =>
  limitOfCrimps !== UNLIMITED && numberOfCrimps >= limitOfCrimps

/** How much of its limit a tool has used: 0 without a limit, above 100 when it is over. Rounded down: 100 means reached. */
export const usedPercent = ({ numberOfCrimps, limitOfCrimps }: Wear): number =>
  limitOfCrimps === UNLIMITED ? 0 : Math.max(0, Math.floor((numberOfCrimps * 100) / limitOfCrimps))

export type WearLevel = 'unlimited' | 'fine' | 'near' | 'reached'

export function wearLevel(wear: Wear, warningPercent: number): WearLevel {
  if (wear.limitOfCrimps === UNLIMITED) return 'unlimited'
  if (isMaintenanceDue(wear)) return 'reached'
  return usedPercent(wear) >= warningPercent ? 'near' : 'fine'
}

export const byUnitName = (a: { miniaplicator: string }, b: { miniaplicator: string }): number =>
  compareNames(a.miniaplicator, b.miniaplicator)

/** Which units a filter leaves: those whose name contains it, without regard to case or outer blanks. */
export const filterUnits = <T extends { miniaplicator: string }>(units: readonly T[], filter: string): T[] =>
  units.filter(({ miniaplicator }) => nameKey(miniaplicator).includes(nameKey(filter)))

import { type CrimpCounter, UNLIMITED } from '../contract/crimp-counters.ts'

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

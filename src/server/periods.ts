import { Refused } from './refused.ts'
import type { Period } from './store/daily-production.ts'

/** Both days belong to it; where one is missing it is open. */
export function requirePeriod({ inicio, fim }: { inicio?: string | undefined; fim?: string | undefined }): Period {
  if (inicio !== undefined && fim !== undefined && inicio > fim) throw new Refused('period_reversed')
  return { from: inicio, to: fim }
}

import { index, type Step } from './steps.ts'

/** A counter names the terminals of its unit: without this every read of one looked through all pairs. */
export const pairsOfUnits: Record<string, Step> = {
  applicators_unit: index('applicators_unit', 'applicators', 'miniaplicator_key', 'terminal'),
}

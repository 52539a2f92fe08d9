import { column, type Step } from './steps.ts'

/** Since when the newest maintenance record of a tool declares it unsafe; a start fills it from the records. */
export const unsafeTools: Record<string, Step> = {
  applicator_units_unsafe_since: column('unsafe_since', 'applicator_units', (c) => c.integer),
}

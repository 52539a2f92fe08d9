import { column, type Step } from './steps.ts'

/** What the owner of a badge is told at the next log-in. */
export const wrongPins: Record<string, Step> = {
  badges_wrong_pins: column('wrong_pins', 'badges', (c) => c.integer),
  badges_wrong_since: column('wrong_since', 'badges', (c) => c.integer),
}

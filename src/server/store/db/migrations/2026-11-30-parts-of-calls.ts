import { column, index, type Step } from './steps.ts'

/** By which call a part went. */
export const partsOfCalls: Record<string, Step> = {
  wear_parts_call: column('call_id', 'wear_parts', (c) => c.key(36)),
  wear_parts_of_call: index('wear_parts_of_call', 'wear_parts', 'call_id'),
}

import { column, type Step } from './steps.ts'

/** When a page of the session was touched last, as far as it has said; null: it has not. */
export const touchedAt: Record<string, Step> = {
  sessions_touched_at: column('touched_at', 'sessions', (c) => c.integer),
}

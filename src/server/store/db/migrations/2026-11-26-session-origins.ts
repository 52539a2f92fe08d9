import { column, type Step } from './steps.ts'

/** What tells sessions of nameless devices apart; null in those that were open before. */
export const sessionOrigins: Record<string, Step> = {
  sessions_agent: column('agent', 'sessions', (c) => c.key(64)),
  sessions_address: column('address', 'sessions', (c) => c.key(64)),
}

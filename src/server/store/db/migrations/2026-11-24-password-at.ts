import { column, type Step } from './steps.ts'

/** When the password was typed again in a session; null: only to open it. */
export const passwordAt: Record<string, Step> = {
  sessions_password_at: column('password_at', 'sessions', (c) => c.integer),
}

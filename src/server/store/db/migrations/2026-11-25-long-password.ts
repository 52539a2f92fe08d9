import { column, type Step } from './steps.ts'

/** Whether the password is long enough for an admin; null where it was set before this was written down. */
export const longPassword: Record<string, Step> = {
  users_long_password: column('long_password', 'users', (c) => c.integer),
}

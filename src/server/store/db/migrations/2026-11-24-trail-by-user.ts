import { index, type Step } from './steps.ts'

/** What somebody did lately is counted. */
export const trailByUser: Record<string, Step> = {
  audit_entries_user: index('audit_entries_user', 'audit_entries', 'user_id', 'at'),
}

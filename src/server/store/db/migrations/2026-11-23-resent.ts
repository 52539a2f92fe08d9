import { column, type Step } from './steps.ts'

/** What a person put back to be asked about and sent again. */
export const resent: Record<string, Step> = {
  erp_outbox_resent_from: column('resent_from', 'erp_outbox', (c) => c.key(16)),
  erp_outbox_resent_attempts: column('resent_attempts', 'erp_outbox', (c) => c.integer),
}

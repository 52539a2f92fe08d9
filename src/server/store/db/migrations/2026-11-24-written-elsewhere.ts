import { column, type Step } from './steps.ts'

/** Whether other hands than ours raise at the ERP what a delivery raises. */
export const writtenElsewhere: Record<string, Step> = {
  erp_outbox_written_elsewhere: column('written_elsewhere', 'erp_outbox', (c) => c.integer),
}

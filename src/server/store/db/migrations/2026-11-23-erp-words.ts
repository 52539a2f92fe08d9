import { column, type Step } from './steps.ts'

/** What the ERP said when it may or may not have stored a recording. */
export const erpWords: Record<string, Step> = {
  erp_outbox_words: column('words', 'erp_outbox', (c) => c.longText),
}

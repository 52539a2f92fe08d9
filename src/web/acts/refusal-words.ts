import type { RefusalCode } from '../../contract/errors.ts'
import { fieldInWords, fieldSent } from '../../domain/forms/form-fields.ts'
import type { ApiError } from '../server/api.ts'

/** Name of a sent field, for people. */
export const fieldName = (sent: string): string =>
  fieldSent(sent)?.label ?? (sent.startsWith('TERMINAL') ? 'Terminal' : sent)

/** Where a refusal is said in the form; null: it is about no field, or about one that the form does not have. */
export const formField = (sent: string): string | null => fieldSent(sent)?.name ?? null

const BY_ERP: RefusalCode = 'erp_refused'

const refusedQuantities: readonly string[] = [
  'quantity_exceeds_balance',
  'quantity_exceeds_junction',
] satisfies RefusalCode[]

export function refusedField({ code, message, details: [detail] }: ApiError): string | null {
  if (refusedQuantities.includes(code)) return 'quantity'
  if (detail) return formField(detail.field)
  return code === BY_ERP ? fieldInWords(message) : null
}

/** A refusal in words, with the fields that it is about: whoever corrects them must know which. */
export const refusalWords = ({ message, details }: ApiError): string =>
  [message, ...details.map((one) => `${fieldName(one.field)}: ${one.message}.`)].join(' ')

import type { RefusalCode } from '../../contract/errors.ts'
import type { ApiError } from '../server/api.ts'

/** What is sent, as a person calls it, and the field of the form where it stands. */
const sentFields: [prefix: RegExp, name: string, field: string | null][] = [
  [/^FORCA/, 'Força de extração', 'force'],
  [/^ALTURA/, 'Altura de crimpagem', 'height'],
  [/^LOTE/, 'Lote', 'lot'],
  [/^MAQUINA/, 'Máquina', 'machine'],
  [/^QTD_(REALIZADA|APONTADA)/, 'Quantidade de peças', 'quantity'],
  [/^TERMINAL/, 'Terminal', null],
]
const sentField = (sent: string) => sentFields.find(([prefix]) => prefix.test(sent))

export const fieldName = (sent: string): string => sentField(sent)?.[1] ?? sent

/** Where a refusal is said in the form; null: it is about no field, or about one that the form does not have. */
export const formField = (sent: string): string | null => sentField(sent)?.[2] ?? null

const refusedQuantities: readonly string[] = [
  'quantity_exceeds_balance',
  'quantity_exceeds_junction',
] satisfies RefusalCode[]

export const refusedField = ({ code, details: [detail] }: ApiError): string | null =>
  refusedQuantities.includes(code) ? 'quantity' : detail ? formField(detail.field) : null

/** A refusal in words, with the fields that it is about: whoever corrects them must know which. */
export const refusalWords = ({ message, details }: ApiError): string =>
  [message, ...details.map((one) => `${fieldName(one.field)}: ${one.message}.`)].join(' ')

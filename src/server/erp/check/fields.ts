import { BARCODE_LENGTH } from '../../../contract/values.ts'
import { editsBetween } from '../../../domain/text/edits.ts'
import type { ErpObject } from '../answer.ts'
import {
  circuitTexts,
  itemLimits,
  itemQuantities,
  itemTexts,
  junctionQuantities,
  junctionTexts,
  machineTexts,
  numberOf,
  quantityOf,
  textOf,
  wireEndOf,
} from '../mapping.ts'
import { type Finding, type FindingCode, finding } from './findings.ts'

/** Finds the fault of a field's value, if it has one. */
type Look = (value: unknown, row: ErpObject) => FindingCode | null
export type FieldRules = Readonly<Record<string, Look>>

/** Left by a conversion that went wrong and that nobody can undo. */
const BROKEN_TEXT = /\uFFFD|[ÃÂ][\u0080-\u00BF]/

const text: Look = (value) => {
  if (value === undefined) return 'absent'
  if (value === null) return 'null_text'
  if (typeof value === 'object' || typeof value === 'boolean') return 'no_text'
  return BROKEN_TEXT.test(String(value)) ? 'broken_text' : null
}

/** The panel may do without it. */
const optionalText: Look = (value, row) => (value === undefined ? null : text(value, row))

const code: Look = (value, row) => (typeof value === 'number' ? 'number_for_code' : text(value, row))

const key: Look = (value, row) => code(value, row) ?? (textOf(value).trim() === '' ? 'blank' : null)

const yesNo: Look = (value, row) => text(value, row) ?? (/^[SN]?$/.test(textOf(value).trim()) ? null : 'not_yes_no')

const quantity: Look = (value) => {
  if (value === undefined) return 'absent'
  if (value === null) return 'null_quantity'
  const pieces = quantityOf(value)
  return pieces === null ? 'no_number' : pieces < 0 ? 'negative' : null
}

const pieces: Look = (value, row) => quantity(value, row) ?? (quantityOf(value) === 0 ? 'no_pieces' : null)

const limit: Look = (value) => {
  if (value === undefined) return 'no_limit'
  return textOf(value).trim() === '' || numberOf(value) !== null ? null : 'no_number'
}

const branchOf =
  (branch: string): Look =>
  (value, row) => {
    const found = textOf(value).trim()
    return code(value, row) ?? (found === '' || found === branch.trim() ? null : 'other_branch')
  }

const all = (fields: readonly string[], look: Look): FieldRules =>
  Object.fromEntries(fields.map((field) => [field, look]))

export const itemRules = (branch: string, order: string): FieldRules => ({
  ...all(itemTexts, text),
  ...all(['Z1_ITEMEST', 'Z1_CNPJCLI'], code),
  ...all(itemQuantities, quantity),
  ...all(itemLimits, limit),
  Z1_QUANT: pieces,
  Z1_CONFERE: yesNo,
  Z1_FILIAL: branchOf(branch),
  Z1_OP: (value, row) => key(value, row) ?? (textOf(value).trim() === order ? null : 'other_order'),
  Z1_CODBAR: (value, row) =>
    key(value, row) ?? (textOf(value).trim().length === BARCODE_LENGTH ? null : 'barcode_length'),
})

export const machineRules: FieldRules = { ...all(machineTexts, text), ID: key }

export const junctionRules: FieldRules = {
  ...all(junctionTexts, text),
  ...all(junctionQuantities, quantity),
  Z8_QTDPECA: pieces,
  Z8_POSICAO: key,
  Z8_GRUPOMP: key,
  Z8_ESTANQU: yesNo,
  Z8_CABOESP: yesNo,
  Z8_DESCPRO: optionalText,
}

export const materialRules: FieldRules = { Z9_GRUPOMP: key }

export const circuitRules = (position: string): FieldRules => ({
  ...all(circuitTexts, text),
  Z1_PARA: text,
  Z1_DE: (value, row) => {
    const isHere = [value, row.Z1_PARA].some((end) => /^(.*)\|[ED]$/.exec(wireEndOf(end))?.[1]?.trim() === position)
    return text(value, row) ?? (isHere ? null : 'not_at_position')
  },
})

export const testRules: FieldRules = { ZTB_FORCA: limit, ZTB_BITOLA: text }

const RENAMED_EDITS_MAX = 2

/** A field of the row that nobody knows, with almost this name. */
const similarTo = (field: string, row: ErpObject, rules: FieldRules) =>
  Object.keys(row).find((name) => !(name in rules) && editsBetween(name, field) <= RENAMED_EDITS_MAX)

function lookAt(row: ErpObject, field: string, rules: FieldRules): { code: FindingCode; value: unknown } | null {
  const value = row[field]
  const found = rules[field]?.(value, row) ?? null
  const similar = found === 'absent' || found === 'no_limit' ? similarTo(field, row, rules) : undefined
  if (similar !== undefined) return { code: 'renamed', value: similar }
  return found === null ? null : { code: found, value }
}

/** In how many rows, and which is the first. */
export const whereOf = ([first = '', ...more]: readonly string[], count: number): string =>
  `${more.length + 1} de ${count} linhas${first === '' ? '' : `, a primeira ${first}`}`

/** One finding for each field and fault, whatever the number of rows; `rowKey` must differ from row to row. */
export function inspectRows(rows: readonly ErpObject[], rules: FieldRules, rowKey: string | null): Finding[] {
  const found = new Map<string, { code: FindingCode; field: string; value: unknown; keys: string[] }>()
  const seen = new Set<string>()
  for (const row of rows) {
    const name = rowKey === null ? '' : textOf(row[rowKey]).trim()
    const note = (fault: FindingCode, field: string, value: unknown) => {
      const first = found.get(`${field}|${fault}`) ?? { code: fault, field, value, keys: [] }
      first.keys.push(name)
      found.set(`${field}|${fault}`, first)
    }
    for (const field of Object.keys(rules)) {
      const fault = lookAt(row, field, rules)
      if (fault) note(fault.code, field, fault.value)
    }
    if (rowKey !== null && name !== '' && seen.has(name)) note('duplicate', rowKey, row[rowKey])
    seen.add(name)
  }
  return [...found.values()].map(({ code: fault, field, value, keys }) =>
    finding(fault, field, value, whereOf(field === rowKey ? keys.map(() => '') : keys, rows.length)),
  )
}

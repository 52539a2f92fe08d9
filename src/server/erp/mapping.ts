import type { ErpItem } from '../../contract/items.ts'
import type { Machine } from '../../contract/machines.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { asObject, type ErpObject } from './answer.ts'

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trimEnd() : value === null || value === undefined ? '' : String(value)

/**
 * Numbers come as numbers or as text, with comma or dot. The last mark is the decimal one, unless it comes more than
 * once; a single dot is decimal, as AdvPL writes it. Null: blank, or no number at all.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const text = textOf(value).trim()
  if (!/^[+-]?\d[\d.,]*$|^[+-]?[.,]\d+$/.test(text)) return null
  const mark = text.at(Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))) === ',' ? ',' : '.'
  const pieces = text.split(mark)
  const plain = pieces.length > 2 ? text.replace(/[.,]/g, '') : pieces.map((p) => p.replace(/[.,]/g, '')).join('.')
  const parsed = Number(plain)
  return Number.isFinite(parsed) ? parsed : null
}

export const isYes = (value: unknown): boolean => /^(true|s|t|\.t\.|1)$/i.test(textOf(value).trim())

const listKeys = ['ITEMS', 'ITENS', 'DATA', 'OBJECTS'] as const
/** What tells an answer with rows from an error. */
export const listAnswerKeys = [...listKeys, 'HASNEXT'] as const

/**
 * The rows of a list in any of the shapes in the field: bare, wrapped, or a single object that has `rowKey`. Null: the
 * answer is no list.
 */
export function rowsOf(value: unknown, rowKey: string): ErpObject[] | null {
  if (value === null) return []
  if (Array.isArray(value)) return value.map(asObject).filter((row) => row !== null)
  const object = asObject(value)
  if (!object) return null
  if (rowKey in object) return [object]
  const wrapped = listKeys.find((key) => key in object)
  if (wrapped) return rowsOf(object[wrapped], rowKey)
  return Object.keys(object).length === 0 ? [] : null
}

export const hasNext = (value: unknown): boolean => isYes(asObject(value)?.HASNEXT)

const itemQuantities = [
  'Z1_QUANT',
  'Z1_COMPR',
  'Z1_PCORTE',
  'Z1_PCRIML1',
  'Z1_PCRIML2',
  'Z1_QTREGCO',
  'Z1_QTREGL1',
  'Z1_QTREGL2',
] as const
const itemLimits = ['Z1_RMINL1', 'Z1_RMINL2', 'Z1_DECAL1', 'Z1_DECAL2'] as const
const itemTexts = [
  'Z1_FILIAL',
  'Z1_CLIENTE',
  'Z1_CNPJCLI',
  'Z1_PRODUTO',
  'Z1_REVCLI',
  'Z1_REVLTM',
  'Z1_DESCPRO',
  'Z1_OP',
  'Z1_ITEMEST',
  'Z1_COR',
  'Z1_BITOLA',
  'Z1_GRAVA',
  'Z1_CODBAR',
  'Z1_CODCABO',
  'Z1_DESCABO',
  'Z1_TERML1',
  'Z1_TERML2',
  'Z1_SELOL1',
  'Z1_SELOL2',
  'Z1_CONFERE',
] as const

const pick = <Key extends string, Value>(row: ErpObject, keys: readonly Key[], read: (value: unknown) => Value) =>
  Object.fromEntries(keys.map((key) => [key, read(row[key])])) as Record<Key, Value>

/** Columns that we do not know are kept. */
export const toItem = (row: ErpObject): ErpItem => ({
  ...pick(row, Object.keys(row), (value) => (typeof value === 'string' ? value.trimEnd() : value)),
  ...pick(row, itemTexts, textOf),
  ...pick(row, itemQuantities, (value) => numberOf(value) ?? 0),
  ...pick(row, itemLimits, numberOf),
})

export const toMachine = (row: ErpObject): Machine => ({
  id: textOf(row.ID),
  fabricante: textOf(row.FABRICANTE),
  descricao: textOf(row.DESCRICAO),
})

/** What the ERP is told of a recording; what only we keep stays here. */
export function toErpRecording({ captura: _, ...recording }: CutCrimpRecording, integrationId: string): ErpObject {
  return { ...recording, ID_INTEGRACAO: integrationId }
}

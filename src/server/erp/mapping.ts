import type { ErpItem } from '../../contract/items.ts'
import {
  type Circuit,
  type ErpJunction,
  isUltrasonic,
  type JunctionDetails,
  type JunctionRecording,
  TERMINAL_GROUP,
} from '../../contract/junctions.ts'
import type { Machine } from '../../contract/machines.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { asObject, type ErpObject } from './answer.ts'
import type { ReceiptConfirmation } from './gateway.ts'
import type { DateFormat } from './settings.ts'

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trimEnd() : value === null || value === undefined ? '' : String(value)

/**
 * Numbers arrive as numbers or text, with comma or dot. The last mark is the decimal one unless it occurs more than once; a
 * single dot is decimal, as AdvPL writes it. Null: blank, or no number.
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

/** A blank quantity is none yet, as an empty column of the ERP reads. Null: it is missing, or no number. */
export const quantityOf = (value: unknown): number | null =>
  typeof value === 'string' && value.trim() === ''
    ? 0
    : typeof value === 'string' || typeof value === 'number'
      ? numberOf(value)
      : null

const isYes = (value: unknown): boolean => /^(true|s|t|\.t\.|1)$/i.test(textOf(value).trim())

const listKeys = ['ITEMS', 'ITENS', 'DATA', 'OBJECTS'] as const
/** Keys that tell an answer with rows from an error. */
export const listAnswerKeys = [...listKeys, 'HASNEXT'] as const

/** The rows of a list in any shape seen in the field: bare, wrapped, or a single object with `rowKey`. Null: no list. */
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

export const itemQuantities = [
  'Z1_QUANT',
  'Z1_COMPR',
  'Z1_PCORTE',
  'Z1_PCRIML1',
  'Z1_PCRIML2',
  'Z1_QTREGCO',
  'Z1_QTREGL1',
  'Z1_QTREGL2',
] as const
export const itemLimits = ['Z1_RMINL1', 'Z1_RMINL2', 'Z1_DECAL1', 'Z1_DECAL2'] as const
export const itemTexts = [
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

/** Unknown columns stay in the row. */
const everyColumn = (row: ErpObject) =>
  pick(row, Object.keys(row), (value) => (typeof value === 'string' ? value.trimEnd() : value))

export const toItem = (row: ErpObject): ErpItem => ({
  ...everyColumn(row),
  ...pick(row, itemTexts, textOf),
  ...pick(row, itemQuantities, (value) => quantityOf(value) ?? 0),
  ...pick(row, itemLimits, numberOf),
})

/** The row's key, `ID`, comes first. */
export const machineTexts = ['ID', 'FABRICANTE', 'DESCRICAO'] as const

export const toMachine = (row: ErpObject): Machine => ({
  id: textOf(row.ID),
  fabricante: textOf(row.FABRICANTE),
  descricao: textOf(row.DESCRICAO),
})

export const junctionTexts = [
  'Z8_POSICAO',
  'Z8_TERMINA',
  'Z8_GRUPOMP',
  'Z8_ESTANQU',
  'Z8_CABOESP',
  'Z8_CLIENTE',
  'Z8_PRODUTO',
  'Z8_REVCLI',
  'Z8_REVLTM',
  'Z8_DESCPRO',
] as const
export const junctionQuantities = ['Z8_PJUNCAO', 'Z8_QTDPECA'] as const

export const toJunction = (row: ErpObject): ErpJunction => ({
  ...everyColumn(row),
  ...pick(row, junctionTexts, textOf),
  ...pick(row, junctionQuantities, (value) => quantityOf(value) ?? 0),
})

const detailKeys = ['REGISTROS', 'CIRCUITOS', 'TESTE'] as const
/** Keys that tell an answer with junction details from an error. */
export const detailAnswerKeys = [...listAnswerKeys, ...detailKeys] as const
export const circuitTexts = ['Z1_ITEMEST', 'Z1_COR', 'Z1_BITOLA', 'Z1_GRAVA', 'Z1_CODBAR', 'Z1_CODCABO'] as const

/** `POSITION|SIDE`, where the position may still be padded to the width of its column. */
export const wireEndOf = (value: unknown): string => textOf(value).replace(/\s*\|\s*/, '|')

const toCircuit = (row: ErpObject): Circuit => ({
  ...pick(row, ['Z1_DE', 'Z1_PARA'] as const, wireEndOf),
  ...pick(row, circuitTexts, textOf),
})

/** Several, one or none, however the ERP writes that. */
export const objectsOf = (value: unknown): ErpObject[] =>
  (Array.isArray(value) ? value : [value]).map(asObject).filter((object) => object !== null)

function toPullTest(value: unknown): JunctionDetails['teste'] {
  const [test] = objectsOf(value)
  const limits = { ZTB_FORCA: numberOf(test?.ZTB_FORCA), ZTB_BITOLA: textOf(test?.ZTB_BITOLA) }
  return limits.ZTB_FORCA === null && limits.ZTB_BITOLA === '' ? null : limits
}

/** The details of a junction, in any shape of a list; `isOurs` selects the rows. Null: another answer. */
export function toJunctionDetails(value: unknown, isOurs: (row: ErpObject) => boolean): JunctionDetails | null {
  const key = detailKeys.find((name) => rowsOf(value, name) !== null)
  if (!key) return null
  const found = rowsOf(value, key) ?? []
  const rowsUnder = (name: (typeof detailKeys)[number]) => found.flatMap((row) => objectsOf(row[name]).filter(isOurs))
  return {
    registros: rowsUnder('REGISTROS').map((row) => ({ Z9_GRUPOMP: textOf(row.Z9_GRUPOMP) })),
    circuitos: rowsUnder('CIRCUITOS').map(toCircuit),
    teste: toPullTest(rowsUnder('TESTE')),
  }
}

/** Leaves out `captura`, which only the panel keeps. */
export const toErpRecording = ({ captura: _, ...recording }: CutCrimpRecording): ErpObject => recording

const dateOf = (day: string, format: DateFormat) => (format === 'AAAAMMDD' ? day.replaceAll('-', '') : day)

export const toErpJunctionRecording = (
  { captura: _, ...recording }: JunctionRecording,
  format: DateFormat,
): ErpObject => ({
  ...recording,
  DATA: dateOf(recording.DATA, format),
  GRUPO_MP: isUltrasonic(recording.GRUPO_MP) ? recording.GRUPO_MP : TERMINAL_GROUP,
})

export const toErpReceipt = (
  { branch, barcode, operator, at }: ReceiptConfirmation,
  format: DateFormat,
): ErpObject => ({
  FILIAL: branch,
  COD_BARRA: barcode,
  OPERADOR: operator,
  DATA: dateOf(at.day, format),
  HORA: at.time,
})

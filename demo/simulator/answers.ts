import type { Column, Dictionary } from './dictionary.ts'

export type Answer = { status: number; contentType: string; bytes: Buffer }
/** `silence`: the caller never hears anything. `reset`: its connection breaks. */
export type Reply = Answer | 'silence' | 'reset'

export const JSON_TYPE = 'application/json; charset=utf-8'

export const json = (status: number, body: unknown): Answer => ({
  status,
  contentType: JSON_TYPE,
  bytes: Buffer.from(JSON.stringify(body)),
})

export const html = (status: number, text: string): Answer => ({
  status,
  contentType: 'text/html',
  bytes: Buffer.from(text),
})

/** What AdvPL's SetRestFault writes. */
export const fault = (status: number, message: string): Answer =>
  json(status, { errorCode: status, errorMessage: message })

export const serverBusy = (): Answer => html(503, 'Server Busy')

const envelopes = {
  items: (rows: unknown[], hasNext: boolean) => ({ items: rows, hasNext }),
  capitals: (rows: unknown[], hasNext: boolean) => ({ Items: rows, HasNext: String(hasNext) }),
  array: (rows: unknown[]) => rows,
  data: (rows: unknown[]) => ({ data: rows }),
  itens: (rows: unknown[]) => ({ itens: rows, count: rows.length, offset: 0, limit: rows.length }),
  /** The bare row where there is exactly one. */
  single: (rows: unknown[]) => (rows.length === 1 ? rows[0] : rows),
  dataSingle: (rows: unknown[]) => ({ data: rows.length === 1 ? rows[0] : rows }),
} as const
export type Envelope = keyof typeof envelopes
export const isEnvelope = (name: string | undefined): name is Envelope => name !== undefined && name in envelopes

/** How lists leave: what a profile sets and what faults bend. */
export type ListStyle = {
  padded: boolean
  /** `mixed`: numbers and texts side by side. `text`: also Brazilian notation, and blank for zero. */
  numbers: 'plain' | 'mixed' | 'text'
  envelope: Envelope
  /** Always the first page, always promising another. */
  endless: boolean
}

const brazilian = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

function numberOnWire(value: number, decimals: number, style: ListStyle['numbers'], turn: number): number | string {
  if (style === 'plain') return value
  if (style === 'mixed') return [value, value.toFixed(decimals), String(value)][turn % 3] ?? value
  if (value === 0) return ''
  return turn % 2 === 0 ? value.toFixed(2) : brazilian.format(value)
}

function rowOnWire(row: object, columns: Dictionary, style: ListStyle, rowIndex: number): Record<string, unknown> {
  const values = row as Record<string, string | number>
  const onWire = ([name, column]: [string, Column], columnIndex: number) => {
    const value = values[name] ?? ''
    if (column.kind === 'N') {
      return [name, numberOnWire(Number(value), column.decimals, style.numbers, rowIndex + columnIndex)]
    }
    return [name, style.padded ? String(value).padEnd(column.width) : value]
  }
  return Object.fromEntries(Object.entries(columns).map(onWire))
}

export const rowsOnWire = (rows: readonly object[], columns: Dictionary, style: ListStyle) =>
  rows.map((row, index) => rowOnWire(row, columns, style, index))

/** One object, in `data` unless the style wants it in another shape of a list. */
export const one = (object: object, { envelope, endless }: ListStyle): Answer =>
  json(200, envelope === 'items' ? { data: object } : envelopes[envelope]([object], endless))

const PAGE_SIZE_MAX = 100

/** Shapes that cannot say `hasNext` carry everything at once. */
export function list(rows: readonly object[], columns: Dictionary, page: URLSearchParams, style: ListStyle): Answer {
  const pages = style.envelope === 'items' || style.envelope === 'capitals'
  const size = pages ? Math.min(Number(page.get('pagesize')) || 10, PAGE_SIZE_MAX) : rows.length
  const from = pages && !style.endless ? (Math.max(Number(page.get('page')) || 1, 1) - 1) * size : 0
  const shown = rows.slice(from, from + size).map((row, index) => rowOnWire(row, columns, style, from + index))
  return json(200, envelopes[style.envelope](shown, style.endless || from + size < rows.length))
}

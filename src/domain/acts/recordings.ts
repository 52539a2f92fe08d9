import { UNREGISTERED } from '../../contract/applicators.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import type { CutItem, ErpItem, Part } from '../../contract/items.ts'
import type { ErpJunction, JunctionDetails } from '../../contract/junctions.ts'
import { RECEIVED } from '../../contract/receipts.ts'
import { type Capture, type CutCrimpRecording, partOf } from '../../contract/recordings.ts'
import { countText } from '../text/numbers.ts'
import { isSameCode } from '../text/spellings.ts'

type Amounts = { registered: number; percent: number; terminal: string | null; seal: string | null }

/** One section of an item in our words; a cable has neither terminal nor seal. */
export function sectionOf(item: ErpItem, part: Part): Amounts {
  if (part === 'cabo') return { registered: item.Z1_QTREGCO, percent: item.Z1_PCORTE, terminal: null, seal: null }
  const side = part === 'l1' ? '1' : '2'
  return {
    registered: item[`Z1_QTREGL${side}`],
    percent: item[`Z1_PCRIML${side}`],
    terminal: present(item[`Z1_TERML${side}`]),
    seal: present(item[`Z1_SELOL${side}`]),
  }
}

/** The row of a barcode among those the ERP gave, whatever the case in which it was read. */
export const rowOf = <Item extends ErpItem>(rows: readonly Item[], barcode: string): Item | undefined =>
  rows.find((row) => row.Z1_CODBAR === barcode) ?? rows.find((row) => isSameCode(row.Z1_CODBAR, barcode))

export const piecesOrdered = (item: ErpItem): number => item.Z1_QUANT

export const orderOf = (item: ErpItem): string => item.Z1_OP

/** Its number in the structure of the product. */
export const itemNumberOf = (item: ErpItem): string => item.Z1_ITEMEST

/** A code of something that a row of the ERP names. */
export type NamedCode = { kind: 'ordem' | 'maquina' | 'terminal' | 'selo' | 'cabo' | 'produto'; code: string }

export function codesOfItem(item: ErpItem): NamedCode[] {
  const ends = [sectionOf(item, 'l1'), sectionOf(item, 'l2')]
  return [
    { kind: 'ordem', code: item.Z1_OP },
    { kind: 'cabo', code: item.Z1_CODCABO },
    { kind: 'produto', code: item.Z1_PRODUTO },
    ...ends.flatMap(({ terminal, seal }): NamedCode[] => [
      { kind: 'terminal', code: terminal ?? '' },
      { kind: 'selo', code: seal ?? '' },
    ]),
  ]
}

export const codesOfJunction = (order: string, { Z8_TERMINA, Z8_PRODUTO }: ErpJunction): NamedCode[] => [
  { kind: 'ordem', code: order },
  { kind: 'terminal', code: Z8_TERMINA },
  { kind: 'produto', code: Z8_PRODUTO },
]

export const codesOfCircuits = ({ circuitos }: JunctionDetails): NamedCode[] =>
  circuitos.map(({ Z1_CODCABO }) => ({ kind: 'cabo', code: Z1_CODCABO }))

export const isReceived = (item: ErpItem): boolean => item.Z1_CONFERE === RECEIVED

/** The ERP writes "none" as '0' or blank. */
export const present = (code: string): string | null => (code.trim() === '' || code.trim() === '0' ? null : code)

/** Pieces that may still be made, as a person reads it. */
export const leftText = (pieces: number): string =>
  pieces === 1 ? 'Resta 1 peça' : `Restam ${countText(pieces)} peças`

/** As `leftText`, beside a quantity that was typed when there were others. */
export const leftNowText = (pieces: number): string => `${pieces === 1 ? 'Resta' : 'Restam'} agora ${countText(pieces)}`

/** Pieces of a section that nobody has recorded yet, counting what is still on its way to the ERP. Never negative. */
export const openPieces = (item: CutItem, part: Part): number =>
  Math.max(0, item.Z1_QUANT - sectionOf(item, part).registered - item.aguardandoErp[part])

/** Key of what one recording at a time may touch at the ERP: plant, barcode and part. Later ones wait their turn. */
export const naturalKey = (branch: string, barcode: string, part: Part): string => `${branch}|${barcode}|${part}`

/** Of the cable, or of the terminal. */
export const lotOf = (payload: CutCrimpRecording, part: Part): string =>
  ({ cabo: payload.LOTE_CABO, l1: payload.LOTE_TERM_LD1, l2: payload.LOTE_TERM_LD2 })[part] ?? ''

/** How many of these there are and what they wear: null when no registered tool made them. */
export type Crimps = { applicator: string; terminal: string; count: number }

export function crimpsOf(payload: CutCrimpRecording): Crimps | null {
  const part = partOf(payload)
  const applicator = (part === 'l1' ? payload.MA_LD1 : part === 'l2' ? payload.MA_LD2 : undefined)?.trim()
  if (!applicator || nameKey(applicator) === nameKey(UNREGISTERED)) return null
  return {
    applicator,
    terminal: (part === 'l1' ? payload.TERM_LD1 : payload.TERM_LD2) ?? '',
    count: payload.QTD_REALIZADA,
  }
}

/** Who is at the tablet, as every act freezes it. `deviceName` may be empty. */
export type AuthorNow = { registeredAt: string; deviceName: string }

export const captureOf = ({ registeredAt, deviceName }: AuthorNow) => ({
  registradoEm: registeredAt,
  ...(deviceName === '' ? {} : { dispositivo: deviceName }),
})

/** Capture of a correction: what the first delivery said of the tablet's queue, and of what it replaced, is not true of this one. */
export function captureWithoutQueue(capture: Capture | undefined): Capture {
  const {
    salvoNoDispositivo: _s,
    respondidoAntes: _r,
    tentadoAntes: _t,
    desvioMs: _d,
    substitui: _i,
    ...act
  } = capture ?? {}
  return act
}

/** With this reason for a force below the minimum instead of the one before; undefined: it needs none. */
export function captureWithReason(capture: Capture, reason: Capture['motivoForaDoLimite']): Capture {
  const { motivoForaDoLimite: _before, ...act } = capture
  return reason ? { ...act, motivoForaDoLimite: reason } : act
}

/** Names of tools are compared without regard to case or outer blanks. */
export const nameKey = (name: string): string => name.trim().toLowerCase()

export type RecordingRefusal = { refused: RefusalCode; values?: Record<string, string | number> }

/**
 * The ERP may give a barcode to another order, for which the pieces were not made. Null: it has not, or one of both names
 * no order.
 */
export function decideOrder(payload: CutCrimpRecording, item: ErpItem): RecordingRefusal | null {
  const [was, is] = [payload.ORDEM_PROD.trim(), orderOf(item).trim()]
  return isSameCode(was, is) || was === '' || is === '' ? null : { refused: 'order_moved', values: { was, is } }
}

/** The rules of a recording against the item as this server knows it. Null: it may be accepted. */
export function decideRecording(payload: CutCrimpRecording, part: Part, item: CutItem | null): RecordingRefusal | null {
  if (!item) return { refused: 'item_not_found' }
  const moved = decideOrder(payload, item)
  if (moved) return moved
  const section = sectionOf(item, part)
  if (part !== 'cabo' && !section.terminal) {
    return { refused: 'terminal_missing_on_side', values: { side: part.toUpperCase() } }
  }
  const remaining = openPieces(item, part)
  if (section.percent >= 100 || remaining === 0) return { refused: 'section_complete' }
  if (payload.QTD_REALIZADA > remaining)
    return { refused: 'quantity_exceeds_balance', values: { left: leftText(remaining) } }
  return null
}

/** Millionths of a millimetre: the ERP's own heights have up to four decimals, and sums of floats none that hold. */
const MICRO = 1_000_000

/**
 * A height in mm as an ERP of so many decimals is sent it: away from `nominal`, so never better than it was measured. What
 * has no more decimals than that goes as it is; the nominal itself, and any height without a nominal, to the nearest.
 */
export function erpHeight(heightMm: number, nominalMm: number | null, decimals: number): number {
  const step = MICRO / 10 ** decimals
  const micro = Math.round(heightMm * MICRO)
  if (micro % step === 0) return heightMm
  const nominal = nominalMm === null ? micro : Math.round(nominalMm * MICRO)
  const round = micro > nominal ? Math.ceil : micro < nominal ? Math.floor : Math.round
  return Number(((round(micro / step) * step) / MICRO).toFixed(decimals))
}

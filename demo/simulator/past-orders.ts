import { itemBarcode } from './barcode.ts'
import { type CutRow, hasSection, NONE, percentOf } from './dictionary.ts'
import { sampleSeals } from './sample-catalogue.ts'
import type { SampleJunction } from './sample-junctions.ts'
import { makeSampleOrders } from './sample-orders.ts'

/** Other orders than those of the sample, which lists these no more. */
const PAST_SEED = 2
const ORDERS = 9
const ITEMS = 12
const PIECES = 50
/** No tool of the demonstration makes it. */
const TERMINAL_WITHOUT_TOOL = 'T0925590'

type PastSide = {
  terminal: string
  /** Null without a seal. */
  seal: { code: string; station: number } | null
  forceMinN: number
  crimpHeightMm: number
}
export type PastItem = {
  barcode: string
  cable: string
  lengthMm: number
  side1: PastSide | null
  side2: PastSide | null
  /** As the ERP had it at the end: all is done. */
  row: CutRow
}
export type PastJunction = { position: string; group: string; terminal: string; forceN: number }
/** What the ERP of the demonstration had to be made, and lists no more. */
export type PastOrder = {
  branch: string
  number: string
  pieces: number
  items: PastItem[]
  junctions: PastJunction[]
}

const pastNumber = (number: string) => `0161${number.slice(4)}`

function sideOf(row: CutRow, side: 1 | 2): PastSide | null {
  const terminal = row[`Z1_TERML${side}`]
  if (terminal === NONE) return null
  const code = row[`Z1_SELOL${side}`]
  return {
    terminal,
    seal: code === NONE ? null : { code, station: sampleSeals.indexOf(code) + 1 },
    forceMinN: row[`Z1_RMINL${side}`],
    crimpHeightMm: row[`Z1_DECAL${side}`],
  }
}

function pastItem(former: CutRow, branch: string): PastItem {
  const order = pastNumber(former.Z1_OP)
  const barcode = itemBarcode({ branch, order, item: former.Z1_ITEMEST, revision: former.Z1_REVLTM })
  const doneOn = (section: 'cable' | 'side1' | 'side2') => (hasSection(former, section) ? PIECES : 0)
  const row: CutRow = {
    ...former,
    Z1_FILIAL: branch,
    Z1_OP: order,
    Z1_CODBAR: barcode,
    Z1_QUANT: PIECES,
    Z1_QTREGCO: doneOn('cable'),
    Z1_QTREGL1: doneOn('side1'),
    Z1_QTREGL2: doneOn('side2'),
    Z1_PCORTE: percentOf(doneOn('cable'), PIECES),
    Z1_PCRIML1: percentOf(doneOn('side1'), PIECES),
    Z1_PCRIML2: percentOf(doneOn('side2'), PIECES),
    Z1_CONFERE: 'S',
  }
  const cable = { barcode, cable: row.Z1_CODCABO, lengthMm: row.Z1_COMPR }
  return { ...cable, side1: sideOf(row, 1), side2: sideOf(row, 2), row }
}

const pastJunction = ({ row, test }: SampleJunction): PastJunction => ({
  position: row.Z8_POSICAO,
  group: row.Z8_GRUPOMP,
  terminal: row.Z8_TERMINA,
  forceN: test.ZTB_FORCA + 4,
})

/** Orders of one plant whose items the tools of these terminals can make, oldest first; the same on every call. */
export function makePastOrders(branch: string, terminals: ReadonlySet<string>): PastOrder[] {
  const isMade = (code: string) => code === NONE || code === TERMINAL_WITHOUT_TOOL || terminals.has(code)
  return makeSampleOrders(PAST_SEED)
    .map((order) => ({
      ...order,
      rows: order.rows.filter(({ Z1_TERML1, Z1_TERML2 }) => isMade(Z1_TERML1) && isMade(Z1_TERML2)).slice(0, ITEMS),
    }))
    .filter(({ number, rows }) => number.startsWith('0162') && rows.length === ITEMS)
    .slice(0, ORDERS)
    .map(({ number, rows, junctions }) => ({
      branch,
      number: pastNumber(number),
      pieces: PIECES,
      items: rows.map((row) => pastItem(row, branch)),
      junctions: junctions.slice(0, 2).map(pastJunction),
    }))
    .sort((one, other) => (one.number < other.number ? -1 : 1))
}

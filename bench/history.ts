// Years of a plant's recordings, made up: `total` of them, as a function of the number alone. What the growth rows ask for
// (one tool, terminal, lot, item, order, machine and period) is the same whatever the total; all that is more is others'.
import { createHash } from 'node:crypto'
import type { RecordedPart } from '../src/contract/recordings.ts'
import { nameKey } from '../src/domain/acts/recordings.ts'
import type { Tables } from '../src/server/store/db/tables.ts'
import { itemAt } from './sample.ts'

export const BRANCH = '010101'

export const measured = {
  tool: 'MA-MEDIDO',
  terminal: 'T-MEDIDO',
  machine: 'CR9001 - Medida',
  lot: 'LOTE-MEDIDO',
  order: '80000001001',
  period: { from: '2026-10-22', to: '2026-11-20' },
} as const
/** Makes a twentieth of everything. */
export const BUSY_MACHINE = 'CR9002 - Sem parar'
const BUSY_SHARE = 0.05

const MONTHS = 24
const DAYS = 730
const PERIOD_DAYS = 30
const ORDER_SIZE = 60
const ORDER_ITEMS = 19

/** Of the measured tool and terminal, of the measured order, of the measured period: in that order, then the others'. */
const TOOL_COUNT = 480
const MEASURED_COUNT = TOOL_COUNT + ORDER_SIZE
const PERIOD_COUNT = 3000
const LOT_COUNT = 150

const TOOLS = 200
const MACHINES = 20
const operators = [
  ...['Ana Lima', 'Bruno Alves', 'Carla Nunes', 'Davi Rocha', 'Elisa Prado', 'Fábio Melo'],
  ...['Gisele Dias', 'Hugo Ramos', 'Inês Barros', 'João Silva', 'Maria Souza', 'Nilza Cruz'],
]

const PERIOD_BEGAN_AT = Date.parse(measured.period.from)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Of each day, from the first of the others' to the last of the period: made once, asked for a million times. */
const dayTexts = Array.from({ length: DAYS + PERIOD_DAYS }, (_, at) =>
  new Date(PERIOD_BEGAN_AT + (at - DAYS) * DAY_MS).toISOString().slice(0, 10),
)
const padded = (value: number, digits: number) => String(value).padStart(digits, '0')
/** Spread evenly, and never the same neighbours twice. */
const mixed = (value: number): number => Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 8

export type Act = {
  id: string
  part: RecordedPart
  order: string
  item: number
  pieces: number
  machine: string
  operator: string
  lot: string
  tool: string
  terminal: string
  /** Counted from the first of the measured period. */
  dayNumber: number
  day: string
  at: number
}
type Work = Omit<Act, 'id' | 'day' | 'at' | 'pieces'>

const tools = Array.from({ length: TOOLS }, (_, at) => ({
  tool: `MA-${padded(at, 4)}`,
  terminal: `T${padded(at >> 1, 7)}`,
  machine: `CR${padded(at % MACHINES, 4)} - Crimpagem`,
}))
const cutters = Array.from({ length: MACHINES }, (_, at) => `CT${padded(at, 4)} - Corte`)

/** A tool of two terminals, beside another one of the same terminal. */
const ofMeasuredTool = (at: number): Work => ({
  part: 'l1',
  order: `${padded(700_000 + (at % MONTHS), 6)}01001`,
  item: at % ORDER_ITEMS,
  machine: measured.machine,
  operator: operators[at % operators.length] ?? '',
  lot: at < LOT_COUNT ? measured.lot : `L-MEDIDO-${at}`,
  tool: at % 5 === 0 ? `${measured.tool}-2` : measured.tool,
  terminal: at % 7 === 0 ? `${measured.terminal}-2` : measured.terminal,
  // to a day in each month, before the measured period begins
  dayNumber: -1 - (at % MONTHS) * 30 - (Math.floor(at / MONTHS) % 10),
})

/** `at` counts through orders of 60: items cut and crimped on both sides, then three junctions. */
function ofOrder(at: number, order: string, dayNumber: number): Work {
  const orderNumber = Math.floor(at / ORDER_SIZE)
  const within = at % ORDER_SIZE
  const item = Math.floor(within / 3)
  const part: RecordedPart = item < ORDER_ITEMS ? ((['cabo', 'l1', 'l2'] as const)[within % 3] ?? 'cabo') : 'juncao'
  const batch = Math.floor(item / 5)
  const work = { order, item, part, dayNumber, operator: operators[mixed(orderNumber * 8 + batch) % 12] ?? '' }
  if (part === 'cabo') {
    const machine = cutters[mixed(orderNumber) % MACHINES] ?? ''
    return { ...work, machine, lot: `C${Math.floor(orderNumber / 3)}-${batch}`, tool: '', terminal: '' }
  }
  const used = tools[mixed(orderNumber * 8 + batch * 2 + (part === 'l1' ? 0 : 1)) % TOOLS]
  if (!used) throw new Error('no such tool')
  const { terminal } = used
  const lot = `${terminal}-${Math.floor(orderNumber / 25)}`
  if (part === 'juncao') return { ...work, machine: 'US0002 - Telsonic', lot, tool: '', terminal }
  return { ...work, ...used, lot }
}

function ofOthers(at: number, total: number): Work {
  const others = total - MEASURED_COUNT - PERIOD_COUNT
  const orderNumber = Math.floor(at / ORDER_SIZE)
  const dayNumber = Math.floor((orderNumber * ORDER_SIZE * DAYS) / others) - DAYS
  const work = ofOrder(at, `${padded(orderNumber, 6)}01001`, dayNumber)
  const busyUntil = (count: number) => Math.floor((count * total * BUSY_SHARE) / others)
  return busyUntil(at + 1) > busyUntil(at) ? { ...work, machine: BUSY_MACHINE } : work
}

function workAt(at: number, total: number): Work {
  if (at < TOOL_COUNT) return ofMeasuredTool(at)
  if (at < MEASURED_COUNT) return ofOrder(at - TOOL_COUNT, measured.order, -100)
  const inPeriod = at - MEASURED_COUNT
  if (inPeriod >= PERIOD_COUNT) return ofOthers(inPeriod - PERIOD_COUNT, total)
  const order = `${padded(900_000 + Math.floor(inPeriod / ORDER_SIZE), 6)}01001`
  return ofOrder(inPeriod, order, Math.floor((inPeriod * PERIOD_DAYS) / PERIOD_COUNT))
}

/** Ascending in `at`, and as far from the order of time as ids that devices draw. */
function idAt(at: number, total: number): string {
  const first = Math.floor(((at + 0.5) * 2 ** 32) / total).toString(16)
  return `${first.padStart(8, '0')}-0000-4000-8000-${mixed(at).toString(16).padStart(12, '0')}`
}

/** Has no divisor in common with any power of ten: each recording gets one id, and each id one recording. */
const STRIDE = 7_368_787

function inverseOfStride(total: number): number {
  let inverse = 1
  while ((inverse * STRIDE) % total !== 1) inverse++
  return inverse
}

function actAt(place: number, idPlace: number, total: number): Act {
  const work = workAt(place, total)
  // from six in the morning to ten at night at the plant
  const sinceSixMs = mixed(place + 7) % 57_600_000
  return {
    ...work,
    id: idAt(idPlace, total),
    day: dayTexts[work.dayNumber + DAYS] ?? '',
    at: PERIOD_BEGAN_AT + work.dayNumber * DAY_MS + 9 * HOUR_MS + sinceSixMs,
    pieces: 10 + (place % 90),
  }
}

/** As the databases keep rows: SQLite as they came, day by day, MariaDB by their ids. */
export type Order = 'day' | 'id'

export function* historyOf(total: number, order: Order): Generator<Act> {
  const inverse = inverseOfStride(total)
  for (let at = 0; at < total; at++) {
    yield order === 'id' ? actAt((at * STRIDE) % total, at, total) : actAt(at, (at * inverse) % total, total)
  }
}

/** The item's barcode, as long as the ERP's. */
export const barcodeOf = (order: string, item: number) => `01${order}${padded(item * 10 + 10, 6)}007`

const seal1 = { SELO_LD1: 'S0963244', SELADORA_LD1: 'Seladora 01' }
const seal2 = { SELO_LD2: 'S0963244', SELADORA_LD2: 'Seladora 01' }

function payloadOf(act: Act, barcode: string, position: string): object {
  const { part, order, pieces, machine, lot, tool, terminal, operator } = act
  if (part === 'juncao') {
    return {
      ...{ FILIAL: BRANCH, NUMERO_OP: order, TIPO_REGISTRO: 'JUNCAO', POSICAO: position, QTD_PECAS: 120 },
      ...{ QTD_APONTADA: pieces, DATA: act.day, FORCA: 92.5, MAQUINA: machine, GRUPO_MP: 'TERMINAIS', ALTURA: 1.52 },
      ...{ LOTE_TERMINAL: lot, TERMINAL: terminal, ESTANQUEIDADE: 'Sim', OPERADOR: operator },
    }
  }
  const common = {
    ...{ EMPRESA: BRANCH, ORDEM_PROD: order, QTD_ORDEM_PROD: 120, QTD_REALIZADA: pieces },
    ...{ COD_BARRA: barcode, MAQUINA: machine },
  }
  if (part === 'cabo') {
    return { ...common, COD_CABO: 'CB050AMVD', LOTE_CABO: lot, COMPRIMENTO_CABO: 1250, OPERADOR: operator }
  }
  const crimp =
    part === 'l1'
      ? { TERM_LD1: terminal, FORCA_LD1: 70, ALTURA_LD1: 1.1, LOTE_TERM_LD1: lot, MA_LD1: tool, ...seal1 }
      : { TERM_LD2: terminal, FORCA_LD2: 70, ALTURA_LD2: 1.1, LOTE_TERM_LD2: lot, MA_LD2: tool, ...seal2 }
  return { ...common, ...crimp, OPERADOR: operator }
}

export function recordingOf(act: Act): Tables['recordings'] {
  const { part, at } = act
  const barcode = part === 'juncao' ? '' : barcodeOf(act.order, act.item)
  const position = part === 'juncao' ? `J${act.item}` : ''
  const capture = { medidoForca: true, medidoAltura: at % 2 === 0, registradoEm: new Date(at).toISOString() }
  return {
    ...{
      id: act.id,
      content_hash: act.id,
      state: 'delivered',
      promised: 1,
      counted: 1,
      part,
      branch: BRANCH,
      barcode,
      position,
    },
    ...{ order_number: act.order, pieces: act.pieces, machine: act.machine, lot: act.lot, terminal: act.terminal },
    unit_key: act.tool === '' ? null : nameKey(act.tool),
    payload_json: JSON.stringify(payloadOf(act, barcode, position)),
    capture_json: JSON.stringify({ ...capture, dispositivo: 'Tablet 03' }),
    ...{ user_id: 1, operator: act.operator, erp_message: 'Apontamento realizado com sucesso!', superseded_by: null },
    ...{ recorded_at: at, received_at: at + 400, production_day: act.day, gauge_milli: 500 },
  }
}

export function* ledgerOf(acts: Iterable<Act>): Generator<Omit<Tables['crimp_ledger'], 'id'>> {
  for (const { id, tool, pieces, at } of acts) {
    if (tool === '') continue
    yield { recording_id: id, reason: 'recorded', unit_key: nameKey(tool), cycle: 1, crimps: pieces, at: at + 400 }
  }
}

export function unitsOf(acts: Iterable<Act>): Tables['applicator_units'][] {
  const crimps = new Map<string, number>()
  for (const { tool, pieces } of acts) {
    if (tool !== '') crimps.set(tool, (crimps.get(tool) ?? 0) + pieces)
  }
  return [...crimps].map(([name, count]) => ({
    ...{ name_key: nameKey(name), name, cycle: 1, crimps: count, lifetime_crimps: count, limit_crimps: -1 },
    ...{
      service_order: null,
      maintenance_day: null,
      comments: null,
      version: 1,
      updated_at: PERIOD_BEGAN_AT,
      maintained_at: null,
      unsafe_since: null,
    },
  }))
}

export function dailyProductionOf(acts: Iterable<Act>): Tables['daily_production'][] {
  const sums = new Map<string, { pieces: number; recordings: number }>()
  for (const { day, part, order, machine, operator, tool, terminal, pieces } of acts) {
    const dimensions = JSON.stringify([day, BRANCH, part, order, machine, operator, nameKey(tool), terminal])
    const sum = sums.get(dimensions) ?? { pieces: 0, recordings: 0 }
    sums.set(dimensions, { pieces: sum.pieces + pieces, recordings: sum.recordings + 1 })
  }
  return [...sums].map(([dimensions, sum]) => {
    const [production_day, branch, part, order_number, machine, operator, unit_key, terminal] = JSON.parse(
      dimensions,
    ) as [string, string, RecordedPart, string, string, string, string, string]
    const id = createHash('sha256').update(dimensions).digest('hex')
    const place = { production_day, branch, part, order_number, machine, operator, unit_key, terminal }
    return { id, ...place, ...sum }
  })
}

const SCRAP_EVERY = 5
const scrapReasons = ['altura-fora', 'fios-fora', 'peca-de-ajuste', 'terminal-torto']

/** One scrap for each five acts, at the place of one of them; none wears a tool, whose counters are those of the acts. */
export function dailyScrapOf(acts: Iterable<Act>): Tables['daily_scrap'][] {
  const rows: Tables['daily_scrap'][] = []
  let nth = 0
  for (const { day, part, order, machine, terminal } of acts) {
    if (++nth % SCRAP_EVERY !== 0 || part === 'recebimento') continue
    const of = { production_day: day, branch: BRANCH, part, order_number: order, machine, terminal }
    const id = createHash('sha256').update(`refugo ${nth}`).digest('hex')
    const reason_code = scrapReasons[nth % scrapReasons.length] ?? ''
    rows.push({
      id,
      ...of,
      unit_key: '',
      reason_code,
      is_rework: 0,
      origin: 'operador',
      wears: 0,
      pieces: 1 + (nth % 7),
    })
  }
  return rows
}

/** The copies of all items that were cut or crimped. */
export function itemsOf(acts: Iterable<Act>): Tables['erp_items'][] {
  const seen = new Map<string, { order: string; item: number }>()
  for (const { part, order, item } of acts) {
    if (part !== 'juncao') seen.set(barcodeOf(order, item), { order, item })
  }
  return [...seen]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([barcode, { order, item }]) => ({
      ...{ branch: BRANCH, barcode, order_number: order, row_json: rowOf(barcode, order, item), ordered: 120 },
      ...{ registered_cabo: 120, registered_l1: 120, registered_l2: 120, on_way_cabo: 0, on_way_l1: 0, on_way_l2: 0 },
      ...{ received: 1, receipt_on_way: 0, settled_at: 0, fetched_at: PERIOD_BEGAN_AT, of_order: 1 },
    }))
}
const rowOf = (barcode: string, order: string, item: number) =>
  JSON.stringify({ ...itemAt(item), Z1_OP: order, Z1_CODBAR: barcode, Z1_QUANT: 120 })

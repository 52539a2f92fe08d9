import { UNREGISTERED } from '../src/contract/applicators.ts'
import { isUltrasonic, type JunctionRecording, TERMINAL_GROUP } from '../src/contract/junctions.ts'
import { type Capture, type CutCrimpRecording, RECORDED_MESSAGE } from '../src/contract/recordings.ts'
import { addDays, plantDay, toInstant, wallMs } from '../src/domain/plant/plant-time.ts'
import { gaugeOf } from '../src/domain/quality/control-plans.ts'
import { toCutCrimp } from '../src/server/acts/cut-crimp.ts'
import { toJunction } from '../src/server/acts/junctions.ts'
import type { Acting } from '../src/server/acts/work.ts'
import type { Config } from '../src/server/config.ts'
import type { Tx } from '../src/server/store/db/db.ts'
import { saveItems } from '../src/server/store/items.ts'
import { deliverRecording, insertRecording, type Recording } from '../src/server/store/recordings.ts'
import { findUserByName, type User } from '../src/server/store/users.ts'
import type { PastItem, PastJunction, PastOrder } from './simulator/past-orders.ts'
import { workShare } from './working-days.ts'

/** One worth tracing: pieces of three orders. */
export const SAMPLE_LOT = 'B26-009941/3'

/** The tool that past work was done with, by terminal. */
export type Tools = ReadonlyMap<string, string>
export type PastWork = { recordings: Recording[]; orders: readonly PastOrder[] }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The last order was done some days ago: what is recorded today stands alone. */
const LAST_ORDER_DAYS = 4
const DAYS_BETWEEN_ORDERS = 6

export const operators = ['Maria Souza', 'Ana Lima', 'João Batista', 'Carlos Pereira']
/** The one user of the demonstration who may decide, release and treat. */
export async function findQuality(tx: Tx): Promise<User> {
  const quality = await findUserByName(tx, 'admin')
  if (!quality) throw new Error('the users come first')
  return quality
}

/** When the work on an order begins, in the morning, in the afternoon or at night. */
const shiftsBegin = ['06:10', '14:10', '22:10']
const cutters = ['KX0002 - Komax', 'KX0003 - Komax', 'KX0004 - Artos']
const presses = ['PR0002 - Schäfer', 'PR0003 - Mecal', 'PR0004 - Mecal']
const ULTRASONIC_WELDER = 'US0001 - Schunk'
const SPLICE_PRESS = 'SP0001 - Mecal'
const turn = (of: readonly string[], at: number) => of[at % of.length] ?? ''

/** One reel lasts for three orders. */
const terminalLot = (terminal: string, order: number) => `B26-00${terminal.slice(-4)}/${Math.floor(order / 3) + 1}`
/** A drum of cable is opened in the morning. */
const cableLot = (day: string, item: number) => `L${day.slice(2).replaceAll('-', '')}00${(item % 4) + 1}`

/** A place in the past work: the order, the item of it, and the plant's day. */
type Place = { order: number; item: number; day: string }

const commonOf = ({ branch, number, pieces }: PastOrder, barcode: string) => ({
  EMPRESA: branch,
  ORDEM_PROD: number,
  QTD_ORDEM_PROD: pieces,
  QTD_REALIZADA: pieces,
  COD_BARRA: barcode,
})

const cutOf = (of: PastOrder, { barcode, cable, lengthMm }: PastItem, place: Place): CutCrimpRecording => ({
  ...commonOf(of, barcode),
  MAQUINA: turn(cutters, place.order + place.item),
  COD_CABO: cable,
  LOTE_CABO: cableLot(place.day, place.item),
  COMPRIMENTO_CABO: lengthMm,
})

function crimpOf(of: PastOrder, past: PastItem, place: Place, side: 1 | 2, tools: Tools): CutCrimpRecording | null {
  const made = past[`side${side}`]
  if (!made) return null
  const { terminal, seal, forceMinN, crimpHeightMm } = made
  const { order, item } = place
  return {
    ...commonOf(of, past.barcode),
    MAQUINA: turn(presses, order + item + side),
    [`TERM_LD${side}`]: terminal,
    [`FORCA_LD${side}`]: forceMinN + ((order + item) % 9),
    [`ALTURA_LD${side}`]: crimpHeightMm,
    [`LOTE_TERM_LD${side}`]: terminalLot(terminal, order),
    [`MA_LD${side}`]: tools.get(terminal) ?? UNREGISTERED,
    ...(seal && {
      [`SELO_LD${side}`]: seal.code,
      [`SELADORA_LD${side}`]: `Seladora ${`${seal.station}`.padStart(2, '0')}`,
    }),
  }
}

function joinOf(of: PastOrder, { position, group, terminal, forceN }: PastJunction, place: Place): JunctionRecording {
  const common = {
    FILIAL: of.branch,
    NUMERO_OP: of.number,
    TIPO_REGISTRO: 'JUNCAO' as const,
    POSICAO: position,
    QTD_PECAS: of.pieces,
    QTD_APONTADA: of.pieces,
    DATA: place.day,
    FORCA: forceN,
  }
  if (isUltrasonic(group)) return { ...common, MAQUINA: ULTRASONIC_WELDER, GRUPO_MP: group }
  const ofTerminal = { TERMINAL: terminal, LOTE_TERMINAL: terminalLot(terminal, place.order), ALTURA: 1.5 }
  return { ...common, ...ofTerminal, MAQUINA: SPLICE_PRESS, GRUPO_MP: TERMINAL_GROUP, ESTANQUEIDADE: 'Sim' }
}

/** Two of three forces and every second height were measured. */
const captureOf = (nth: number, at: number, isMeasured: boolean): Capture => ({
  ...(isMeasured ? { medidoForca: nth % 3 !== 0, medidoAltura: nth % 2 === 0 } : {}),
  registradoEm: toInstant(at),
})

/** As the call of a tablet that was answered at once. */
function actingAt(nth: number, at: number, config: Config): Acting {
  const caller = { userId: 1, username: 'operador', fullName: turn(operators, Math.floor(nth / 7)) }
  const idempotencyKey = `00000000-0000-4000-8000-${`${nth}`.padStart(12, '0')}`
  return { caller, idempotencyKey, contentHash: '', config, now: () => at }
}

type Seeded = { config: Config; now: number; tools: Tools }

/** Of one order, all in one shift and the hours after it. */
function workOn(
  past: PastOrder,
  order: number,
  begunAt: number,
  { config, tools }: Seeded,
  nthFirst: number,
): Recording[] {
  const made: Recording[] = []
  const day = plantDay(begunAt, config.timeZone)
  const nth = () => nthFirst + made.length
  const cutOrCrimp = ({ row }: PastItem, body: CutCrimpRecording | null, at: number) => {
    if (!body) return
    const captura = captureOf(nth(), at, body.COD_CABO === undefined)
    const gaugeMilli = gaugeOf(row)
    made.push({ ...toCutCrimp({ ...body, captura }, actingAt(nth(), at, config)), gaugeMilli })
  }
  for (const [at, item] of past.items.entries()) {
    const place = { order, item: at, day }
    const cutAt = begunAt + (at * HOUR_MS) / 3
    cutOrCrimp(item, cutOf(past, item, place), cutAt)
    cutOrCrimp(item, crimpOf(past, item, place, 1, tools), cutAt + 2 * HOUR_MS)
    cutOrCrimp(item, crimpOf(past, item, place, 2, tools), cutAt + 3 * HOUR_MS)
  }
  for (const [place, junction] of past.junctions.entries()) {
    const at = begunAt + (8 + place) * HOUR_MS
    const body = joinOf(past, junction, { order, item: 0, day })
    made.push(toJunction({ ...body, captura: captureOf(nth(), at, true) }, actingAt(nth(), at, config)))
  }
  return made
}

/** Work of the last two months, the same on every first start but for its days. */
export function makePastWork(orders: readonly PastOrder[], seeded: Seeded): PastWork {
  const recordings: Recording[] = []
  for (const [order, past] of orders.entries()) {
    const daysAgo = LAST_ORDER_DAYS + (orders.length - 1 - order) * DAYS_BETWEEN_ORDERS
    const { timeZone } = seeded.config
    let day = plantDay(seeded.now - daysAgo * DAY_MS, timeZone)
    while (workShare(day) < 1) day = addDays(day, -1)
    const begunAt = wallMs(day, turn(shiftsBegin, order), timeZone)
    recordings.push(...workOn(past, order, begunAt, seeded, recordings.length + 1))
  }
  return { recordings, orders }
}

/** All of it has reached the ERP. Of the items there is a copy, of which nothing is on its way. */
export async function seedPastWork(tx: Tx, { recordings, orders }: PastWork): Promise<void> {
  for (const recording of recordings) {
    await insertRecording(tx, recording, { state: 'waiting', promised: true, reason: null })
    const at = recording.receivedAt
    await deliverRecording(tx, recording.id, { message: RECORDED_MESSAGE, read: false, snapshot: null, at })
  }
  const readAt = recordings.at(-1)?.receivedAt ?? 0
  for (const { branch, items } of orders) {
    const rows = items.map(({ row }) => row)
    await saveItems(tx, branch, rows, { readBegunAt: readAt, fetchedAt: readAt })
  }
}

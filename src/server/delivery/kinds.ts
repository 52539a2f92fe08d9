import { refusalText } from '../../contract/errors.ts'
import { partOf } from '../../contract/recordings.ts'
import { ROUNDING_PERCENT, stateOf } from '../../domain/acts/junction-balance.ts'
import { decideOrder, erpHeight, isReceived, rowOf, sectionOf } from '../../domain/acts/recordings.ts'
import { givenLimit } from '../../domain/forms/order-limits.ts'
import { defaultsOf } from '../../domain/forms/recording-form.ts'
import { type ErpGateway, requireUsable, type WriteOutcome } from '../erp/gateway.ts'
import type { Outside } from '../outside.ts'
import { findPlan } from '../store/control-plans.ts'
import { againWhenStored, type Reader } from '../store/db/db.ts'
import { findItem, saveItems } from '../store/items.ts'
import { findJunction, saveJunctions } from '../store/junctions.ts'
import type { Delivery } from '../store/outbox.ts'
import { findCapture } from '../store/recordings.ts'

/** One write to the ERP, whatever it says. Never throws. */
export async function sendDelivery(
  delivery: Delivery,
  erp: ErpGateway,
  mayLeave: () => boolean,
): Promise<WriteOutcome> {
  const write = { branch: delivery.branch, integrationId: delivery.id, mayLeave }
  if (delivery.operation === 'recordCutCrimp') return await erp.recordCutCrimp({ ...write, payload: delivery.payload })
  if (delivery.operation === 'recordJunction') return await erp.recordJunction({ ...write, payload: delivery.payload })
  const { codigoBarras: barcode, OPERADOR: operator, momento: at } = delivery.payload
  return await erp.confirmReceipt({ ...write, barcode, operator, at })
}

/** Our copy's value of the quantity that the delivery raises (see `measureAtErp`), and when it was read from the ERP. */
export async function copyOf(
  db: Reader,
  delivery: Delivery,
): Promise<{ measure: number | null; fetchedAt: number } | null> {
  const { branch } = delivery
  if (delivery.operation === 'recordJunction') {
    const { NUMERO_OP: orderNumber, POSICAO: position } = delivery.payload
    const copy = await findJunction(db, { branch, orderNumber, position })
    return copy && { measure: stateOf(copy.junction).percent, fetchedAt: copy.fetchedAt }
  }
  const copy = await findItem(db, branch, barcodeOf(delivery))
  return copy && { measure: measureOf(delivery, copy.item), fetchedAt: copy.fetchedAt }
}

/**
 * The ERP's present value of the quantity that a delivery raises: pieces of a section, percent of a junction, 1 for
 * received. Null: there is no such row.
 */
export async function measureAtErp(delivery: Delivery, { erp }: Pick<Outside, 'erp'>): Promise<number | null> {
  const { branch } = delivery
  if (delivery.operation === 'recordJunction') {
    const { NUMERO_OP: order, POSICAO: position } = delivery.payload
    const read = await erp.searchJunctions({ branch, order })
    requireUsable(read, position)
    return read.rows.map(stateOf).find((state) => state.position === position)?.percent ?? null
  }
  const barcode = barcodeOf(delivery)
  const read = await erp.searchItems({ branch, term: barcode, mode: 'APONTAMENTO' })
  requireUsable(read, barcode)
  const item = rowOf(read.rows, barcode)
  return item ? measureOf(delivery, item) : null
}

/** Keeps what the ERP says now: of the delivery's row, or of its whole order. */
export async function readCopies(
  delivery: Delivery,
  isWholeOrder: boolean,
  { db, erp, now }: Pick<Outside, 'db' | 'erp' | 'now'>,
): Promise<void> {
  const { branch } = delivery
  const readBegunAt = now()
  if (delivery.operation === 'recordJunction') {
    const { NUMERO_OP: orderNumber } = delivery.payload
    const { rows } = await erp.searchJunctions({ branch, order: orderNumber })
    const when = { readBegunAt, fetchedAt: now() }
    await againWhenStored(() => db.transaction((tx) => saveJunctions(tx, { branch, orderNumber }, rows, when)))
    return
  }
  const term = isWholeOrder ? orderOf(delivery) : barcodeOf(delivery)
  const { rows } = await erp.searchItems({ branch, term, mode: 'APONTAMENTO' })
  const when = { readBegunAt, fetchedAt: now() }
  await againWhenStored(() => db.transaction((tx) => saveItems(tx, branch, rows, when)))
}

type OfItem = Exclude<Delivery, { operation: 'recordJunction' }>

const barcodeOf = (delivery: OfItem) =>
  delivery.operation === 'recordCutCrimp' ? delivery.payload.COD_BARRA : delivery.payload.codigoBarras

function measureOf(delivery: OfItem, item: Parameters<typeof sectionOf>[0]): number | null {
  if (delivery.operation === 'confirmReceipt') return isReceived(item) ? 1 : 0
  const part = partOf(delivery.payload)
  return part && sectionOf(item, part).registered
}

/** A receipt's snapshot is always 0: who received the item, and how often, does not matter. Else null. */
export const settledSnapshot = ({ operation }: Delivery): number | null => (operation === 'confirmReceipt' ? 0 : null)

/** The order by which the write pause counts; a receipt names none. */
export function orderOf(delivery: Delivery): string {
  if (delivery.operation === 'recordCutCrimp') return delivery.payload.ORDEM_PROD
  return delivery.operation === 'recordJunction' ? delivery.payload.NUMERO_OP : delivery.payload.codigoBarras
}

export const isSameMeasure = (one: number, other: number): boolean => Math.abs(one - other) < ROUNDING_PERCENT

/** A piece of a very large junction does not show in its percentage. */
export const isMeasurable = ({ raises }: Delivery): boolean => raises > 2 * ROUNDING_PERCENT

/** Why a person must decide: the ERP has neither what it had nor what it should have. */
export function changedText({ operation }: Delivery, { is, was }: { is: number; was: number }): string {
  if (operation !== 'recordJunction') return `O ERP tem ${is} peças registradas. Eram ${was} antes do envio.`
  const text = (percent: number) => `${String(percent).replace('.', ',')}%`
  return `O ERP tem a junção em ${text(is)}. Eram ${text(was)} antes do envio.`
}

/** Why it may not leave as it is, in words; null: it may. What an admin sends all the same is the ERP's to judge. */
export async function findObjection(db: Reader, delivery: Delivery): Promise<string | null> {
  if (delivery.operation !== 'recordCutCrimp' || delivery.resent) return null
  const copy = await findItem(db, delivery.branch, delivery.payload.COD_BARRA)
  const moved = copy && decideOrder(delivery.payload, copy.item)
  return moved && refusalText(moved.refused, moved.values)
}

type Side = 'ALTURA_LD1' | 'ALTURA_LD2'

/** Nominal height of the plan that the page judged by, else of the order; null where neither has one. */
async function findNominal(db: Reader, delivery: Delivery, side: 'l1' | 'l2' | null): Promise<number | null> {
  const planId = (await findCapture(db, delivery.id))?.plano
  const planned = planId === undefined ? undefined : (await findPlan(db, planId))?.plan.altura
  if (planned) return planned.nominal / 1000
  if (side === null || delivery.operation !== 'recordCutCrimp') return null
  const copy = await findItem(db, delivery.branch, delivery.payload.COD_BARRA)
  return copy && givenLimit(defaultsOf(copy.item, side).crimpHeightMm)
}

/** With the height as the ERP takes it; the recording's own stays in thousandths. Reads only where there are more of them. */
export async function withErpHeight(
  db: Reader,
  delivery: Delivery,
  { erpSettings: { heightDecimals } }: Outside['config'],
): Promise<Delivery> {
  const isWhole = (heightMm: number) => erpHeight(heightMm, null, heightDecimals) === heightMm
  if (delivery.operation === 'recordJunction') {
    const { ALTURA } = delivery.payload
    if (ALTURA === undefined || isWhole(ALTURA)) return delivery
    const nominal = await findNominal(db, delivery, null)
    return { ...delivery, payload: { ...delivery.payload, ALTURA: erpHeight(ALTURA, nominal, heightDecimals) } }
  }
  if (delivery.operation !== 'recordCutCrimp') return delivery
  const side: Side = delivery.payload.ALTURA_LD1 === undefined ? 'ALTURA_LD2' : 'ALTURA_LD1'
  const heightMm = delivery.payload[side]
  if (heightMm === undefined || isWhole(heightMm)) return delivery
  const nominal = await findNominal(db, delivery, side === 'ALTURA_LD1' ? 'l1' : 'l2')
  return { ...delivery, payload: { ...delivery.payload, [side]: erpHeight(heightMm, nominal, heightDecimals) } }
}

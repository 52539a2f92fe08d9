import { type ErpJunction, type Junction, JunctionDetails } from '../../contract/junctions.ts'
import { FULL_PERCENT, moveJunction, percentOf, ROUNDING_PERCENT, stateOf } from '../../domain/acts/junction-balance.ts'
import { codesOfCircuits, codesOfJunction } from '../../domain/acts/recordings.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { noteCodes } from './known-codes.ts'

/** The copy of a junction, with what was delivered and accepted here since it was read. */
export type JunctionCopy = { junction: Junction; fetchedAt: number }

/** One position of one order. */
export type JunctionPlace = { branch: string; orderNumber: string; position: string }

const keyOf = ({ branch, orderNumber, position }: JunctionPlace) => ({ branch, order_number: orderNumber, position })

type Row = Tables['erp_junctions']

const toCopy = (row: Row): JunctionCopy => ({
  junction: {
    ...moveJunction(JSON.parse(row.row_json) as ErpJunction, { delivered: row.delivered_since, onWay: row.on_way }),
    ordem: row.order_number,
  },
  fetchedAt: row.fetched_at,
})

export async function findJunction(db: Reader, place: JunctionPlace): Promise<JunctionCopy | null> {
  const row = await db
    .selectFrom('erp_junctions')
    .selectAll()
    .where((e) => e.and(keyOf(place)))
    .executeTakeFirst()
  return row ? toCopy(row) : null
}

export const placeKey = ({ branch, orderNumber, position }: JunctionPlace): string =>
  JSON.stringify([branch, orderNumber, position])

/** The same of a row. */
export const rowKey = ({ branch, order_number, position }: Pick<Row, 'branch' | 'order_number' | 'position'>): string =>
  placeKey({ branch, orderNumber: order_number, position })

/** The copies of some positions at once, by `placeKey`. */
export async function listJunctionCopies(
  db: Reader,
  wanted: readonly JunctionPlace[],
): Promise<Map<string, JunctionCopy>> {
  if (wanted.length === 0) return new Map()
  const rows = await db
    .selectFrom('erp_junctions')
    .selectAll()
    .where('branch', 'in', [...new Set(wanted.map(({ branch }) => branch))])
    .where('order_number', 'in', [...new Set(wanted.map(({ orderNumber }) => orderNumber))])
    .execute()
  return new Map(rows.map((row) => [rowKey(row), toCopy(row)]))
}

export async function listJunctionsOfOrder(db: Reader, branch: string, orderNumber: string): Promise<JunctionCopy[]> {
  const rows = await db
    .selectFrom('erp_junctions')
    .selectAll()
    .where('branch', '=', branch)
    .where('order_number', '=', orderNumber)
    .orderBy('position')
    .execute()
  return rows.map(toCopy)
}

/**
 * Stores what the ERP has just answered for an order, and deletes what it no longer lists unless something is on its way
 * there. `readBegunAt` is from before the call: what was settled since may be missing in it.
 */
export async function saveJunctions(
  tx: Tx,
  { branch, orderNumber }: { branch: string; orderNumber: string },
  junctions: ErpJunction[],
  when: { readBegunAt: number; fetchedAt: number },
): Promise<void> {
  const remaining = new Set(
    (await listJunctionsOfOrder(tx, branch, orderNumber)).map((copy) => stateOf(copy.junction).position),
  )
  for (const junction of junctions) {
    const { position, planned, percent } = stateOf(junction)
    const read = {
      row_json: JSON.stringify(junction),
      planned,
      percent_read: percent,
      delivered_since: 0,
      fetched_at: when.fetchedAt,
    }
    const key = keyOf({ branch, orderNumber, position })
    if (remaining.has(position)) {
      await tx
        .updateTable('erp_junctions')
        .set(read)
        .where((e) => e.and(key))
        .where('settled_at', '<', when.readBegunAt)
        .execute()
    } else {
      await tx
        .insertInto('erp_junctions')
        .values({ ...key, ...read, on_way: 0, settled_at: 0 })
        .execute()
    }
  }
  let vanished = tx
    .deleteFrom('erp_junctions')
    .where('branch', '=', branch)
    .where('order_number', '=', orderNumber)
    .where('on_way', '=', 0)
  await noteCodes(
    tx,
    junctions.flatMap((junction) => codesOfJunction(orderNumber, junction)),
  )
  const positions = junctions.map((junction) => stateOf(junction).position)
  if (positions.length > 0) vanished = vanished.where('position', 'not in', positions)
  await vanished.execute()
}

const addOnWay = (tx: Tx, place: JunctionPlace, pieces: number) =>
  tx
    .updateTable('erp_junctions')
    .set((e) => ({ on_way: e('on_way', '+', pieces) }))
    .where((e) => e.and(keyOf(place)))

/**
 * Reserves pieces of a position. That it is open is part of the condition, so of two operators who fill it at once one gets
 * false.
 */
export const reserveJunctionPieces = (tx: Tx, place: JunctionPlace, pieces: number): Promise<boolean> =>
  addOnWay(tx, place, pieces)
    .where((e) => {
      const moved = e('on_way', '+', e.ref('delivered_since'))
      const read = e('percent_read', '*', e.ref('planned'))
      const full = e('planned', '*', FULL_PERCENT)
      return e.or([
        e(e(read, '+', e(e.parens(moved), '*', 100)), '<', full),
        // without a planned quantity the percentage alone decides
        e.and([e('planned', '=', 0), e('percent_read', '<', FULL_PERCENT)]),
      ])
    })
    .$call(changesOne)

/** Reserves pieces that the percentage may include already, so it cannot judge them. */
export const reserveJunctionPiecesBeyond = (tx: Tx, place: JunctionPlace, pieces: number): Promise<boolean> =>
  addOnWay(tx, place, pieces).$call(changesOne)

/** Settles pieces on their way: the ERP has them now, or never will. `snapshot`: its percentage before they were sent. */
export async function settleJunctionPieces(
  tx: Tx,
  place: JunctionPlace,
  settled: { pieces: number; delivered: boolean; snapshot: number | null; at: number },
): Promise<void> {
  const { pieces, delivered, snapshot } = settled
  const row = tx.updateTable('erp_junctions').where((e) => e.and(keyOf(place)))
  await row.set((e) => ({ on_way: e('on_way', '-', pieces), settled_at: settled.at })).execute()
  if (!delivered) return
  // what was read after they arrived has them already
  const isRead = (percentRead: number, planned: number) =>
    snapshot !== null && planned > 0 && percentRead > snapshot + percentOf(pieces, planned) - ROUNDING_PERCENT
  const copy = await tx
    .selectFrom('erp_junctions')
    .select(['percent_read', 'planned'])
    .where((e) => e.and(keyOf(place)))
    .executeTakeFirst()
  if (!copy || isRead(copy.percent_read, copy.planned)) return
  await row.set((e) => ({ delivered_since: e('delivered_since', '+', pieces) })).execute()
}

export async function findJunctionDetails(
  db: Reader,
  place: JunctionPlace,
): Promise<{ details: JunctionDetails; fetchedAt: number } | null> {
  const row = await db
    .selectFrom('erp_junction_details')
    .select(['details_json', 'fetched_at'])
    .where((e) => e.and(keyOf(place)))
    .executeTakeFirst()
  return row ? { details: JunctionDetails.parse(JSON.parse(row.details_json)), fetchedAt: row.fetched_at } : null
}

export async function saveJunctionDetails(
  tx: Tx,
  place: JunctionPlace,
  details: JunctionDetails,
  fetchedAt: number,
): Promise<void> {
  const key = keyOf(place)
  await tx
    .deleteFrom('erp_junction_details')
    .where((e) => e.and(key))
    .execute()
  await tx
    .insertInto('erp_junction_details')
    .values({ ...key, details_json: JSON.stringify(details), fetched_at: fetchedAt })
    .execute()
  await noteCodes(tx, codesOfCircuits(details))
}

import { type CutItem, type ErpItem, type Part, parts } from '../../contract/items.ts'
import { RECEIVED } from '../../contract/receipts.ts'
import { codesOfItem, sectionOf } from '../../domain/acts/recordings.ts'
import { compiled, compiledChange, type Place } from './db/compiled.ts'
import { changesOne, findsAny, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { noteCodes } from './known-codes.ts'
import { slicesOf } from './slices.ts'

/** The copy of an item, with what was delivered and accepted here since it was read. */
type ItemCopy = { item: CutItem; fetchedAt: number }

type Row = Tables['erp_items']

const percent = (registered: number, ordered: number) =>
  ordered > 0 ? Math.round((10_000 * registered) / ordered) / 100 : 0

function toCopy(row: Row): ItemCopy {
  const read = JSON.parse(row.row_json) as ErpItem
  const moved = (part: Part, registered: number) => {
    const section = sectionOf(read, part)
    return section.registered === registered ? section.percent : percent(registered, row.ordered)
  }
  return {
    item: {
      ...read,
      Z1_QTREGCO: row.registered_cabo,
      Z1_QTREGL1: row.registered_l1,
      Z1_QTREGL2: row.registered_l2,
      Z1_PCORTE: moved('cabo', row.registered_cabo),
      Z1_PCRIML1: moved('l1', row.registered_l1),
      Z1_PCRIML2: moved('l2', row.registered_l2),
      aguardandoErp: { cabo: row.on_way_cabo, l1: row.on_way_l1, l2: row.on_way_l2 },
      ...(row.received === 1 ? { Z1_CONFERE: RECEIVED } : {}),
      ...(row.receipt_on_way === 1 ? { recebimentoAguardandoErp: true } : {}),
    },
    fetchedAt: row.fetched_at,
  }
}

const listRows = (db: Reader, branch: string, barcodes: string[]) =>
  db.selectFrom('erp_items').selectAll().where('branch', '=', branch).where('barcode', 'in', barcodes).execute()

const rowOf = compiled((db, value: Place<{ branch: string; barcode: string }>) =>
  db.selectFrom('erp_items').selectAll().where('branch', '=', value('branch')).where('barcode', '=', value('barcode')),
)

export async function findItem(db: Reader, branch: string, barcode: string): Promise<ItemCopy | null> {
  const [row] = await rowOf(db, { branch, barcode })
  return row ? toCopy(row) : null
}

/** Rows of some items, and of others with the plant of one and the code of another. */
export const rowsAt = (db: Reader, places: readonly { branch: string; barcode: string }[]) =>
  db
    .selectFrom('erp_items')
    .where('branch', 'in', [...new Set(places.map(({ branch }) => branch))])
    .where('barcode', 'in', [...new Set(places.map(({ barcode }) => barcode))])

/** The copies of some items at once; of those that have none there is none in the answer. */
export async function listCopies(
  db: Reader,
  wanted: { branch: string; barcode: string }[],
): Promise<(ItemCopy & { branch: string; barcode: string })[]> {
  if (wanted.length === 0) return []
  const rows = await rowsAt(db, wanted).selectAll().execute()
  return rows.map((row) => ({ ...toCopy(row), branch: row.branch, barcode: row.barcode }))
}

export async function listItemsOfOrder(db: Reader, branch: string, orderNumber: string): Promise<ItemCopy[]> {
  const rows = await db
    .selectFrom('erp_items')
    .selectAll()
    .where('branch', '=', branch)
    .where('order_number', '=', orderNumber)
    .orderBy('barcode')
    .execute()
  return rows.map(toCopy)
}

/**
 * Keeps what the ERP just said, and resolves to what the copy then says: with the pieces that are on their way.
 * `readBegunAt` is from before the call: of an item whose delivery was settled since, the quantities read may be too old
 * and are left as they are.
 */
export async function saveItems(
  tx: Tx,
  branch: string,
  items: ErpItem[],
  when: { readBegunAt: number; fetchedAt: number },
): Promise<CutItem[]> {
  if (items.length === 0) return []
  const copies = new Map<string, Row>()
  const keep = (rows: Row[]) => rows.forEach((row) => void copies.set(row.barcode, row))
  const barcodes = items.map((item) => item.Z1_CODBAR)
  keep(await listRows(tx, branch, barcodes))
  const unchanged: string[] = []
  const changed: string[] = []
  const fresh: Row[] = []
  for (const item of items) {
    const copy = copies.get(item.Z1_CODBAR)
    if (!copy) fresh.push(toRow(branch, item, when.fetchedAt))
    else if (isSame(copy, item)) unchanged.push(item.Z1_CODBAR)
    else {
      await updateItem(tx, branch, item, when)
      changed.push(item.Z1_CODBAR)
    }
  }
  if (unchanged.length > 0) {
    await tx
      .updateTable('erp_items')
      .set({ fetched_at: when.fetchedAt })
      .where('branch', '=', branch)
      .where('barcode', 'in', unchanged)
      .execute()
  }
  // SQLite takes a limited number of values in one statement
  for (const some of slicesOf(fresh, 50)) await tx.insertInto('erp_items').values(some).execute()
  keep(fresh)
  await noteCodes(tx, items.flatMap(codesOfItem))
  if (changed.length > 0) keep(await listRows(tx, branch, changed))
  return barcodes.flatMap((barcode) => {
    const row = copies.get(barcode)
    return row ? toCopy(row).item : []
  })
}

/** Columns filled by the ERP, beside those about what happened here since. */
const readColumns = (item: ErpItem) => ({
  order_number: item.Z1_OP,
  row_json: JSON.stringify(item),
  ordered: item.Z1_QUANT,
  registered_cabo: item.Z1_QTREGCO,
  registered_l1: item.Z1_QTREGL1,
  registered_l2: item.Z1_QTREGL2,
  received: item.Z1_CONFERE === RECEIVED ? 1 : 0,
})

const toRow = (branch: string, item: ErpItem, fetchedAt: number): Row => ({
  branch,
  barcode: item.Z1_CODBAR,
  ...readColumns(item),
  on_way_cabo: 0,
  on_way_l1: 0,
  on_way_l2: 0,
  receipt_on_way: 0,
  settled_at: 0,
  fetched_at: fetchedAt,
  of_order: null,
})

const isSame = (copy: Row, item: ErpItem) =>
  Object.entries(readColumns(item)).every(([column, value]) => copy[column as keyof Row] === value)

async function updateItem(
  tx: Tx,
  branch: string,
  item: ErpItem,
  when: { readBegunAt: number; fetchedAt: number },
): Promise<void> {
  await tx
    .updateTable('erp_items')
    .set({ ...readColumns(item), fetched_at: when.fetchedAt })
    .where((e) => e.and({ branch, barcode: item.Z1_CODBAR }))
    .where('settled_at', '<', when.readBegunAt)
    .execute()
}

/** An order of which every row that the ERP has came at once; what is found later by its barcode joins it. */
export async function markWholeOrder(tx: Tx, branch: string, orderNumber: string): Promise<void> {
  await tx
    .updateTable('erp_items')
    .set({ of_order: 1 })
    .where((e) => e.and({ branch, order_number: orderNumber }))
    .where('of_order', 'is', null)
    .execute()
}

export const isWholeOrder = (db: Reader, branch: string, orderNumber: string): Promise<boolean> =>
  db
    .selectFrom('erp_items')
    .select('of_order')
    .where((e) => e.and({ branch, order_number: orderNumber, of_order: 1 }))
    .limit(1)
    .$call(findsAny)

/**
 * Deletes rows that the ERP no longer lists for an order (it deletes logically), unless something of theirs is on its way.
 */
export async function deleteVanishedItems(
  tx: Tx,
  branch: string,
  orderNumber: string,
  copiedBarcodes: string[],
): Promise<void> {
  let query = tx.deleteFrom('erp_items').where('branch', '=', branch).where('order_number', '=', orderNumber)
  for (const part of parts) query = query.where(`on_way_${part}`, '=', 0)
  query = query.where('receipt_on_way', '=', 0)
  if (copiedBarcodes.length > 0) query = query.where('barcode', 'not in', copiedBarcodes)
  await query.execute()
}

type Wanted = { branch: string; barcode: string; part: Part; pieces: number }

const reserving = (part: Part) =>
  compiledChange((tx, value: Place<Pick<Wanted, 'branch' | 'barcode' | 'pieces'>>) => {
    const onWay = `on_way_${part}` as const
    return tx
      .updateTable('erp_items')
      .set((e) => ({ [onWay]: e(onWay, '+', value('pieces')) }))
      .where('branch', '=', value('branch'))
      .where('barcode', '=', value('barcode'))
      .where((e) => {
        const taken = e(`registered_${part}`, '+', e.ref(onWay))
        return e(e(taken, '+', value('pieces')), '<=', e.ref('ordered'))
      })
  })
const reserveOf = { cabo: reserving('cabo'), l1: reserving('l1'), l2: reserving('l2') }

/**
 * Reserves pieces of one section. The balance is part of the condition, so of two operators who want the last piece at once
 * one gets false.
 */
export const reservePieces = async (tx: Tx, { part, branch, barcode, pieces }: Wanted): Promise<boolean> =>
  (await reserveOf[part](tx, { branch, barcode, pieces })) === 1

/** Reserves pieces that `registered` may include already, so the balance cannot judge them. */
export function reserveBeyondBalance(tx: Tx, { branch, barcode, part, pieces }: Wanted): Promise<boolean> {
  const onWay = `on_way_${part}` as const
  return tx
    .updateTable('erp_items')
    .set((e) => ({ [onWay]: e(onWay, '+', pieces) }))
    .where((e) => e.and({ branch, barcode }))
    .$call(changesOne)
}

/**
 * Settles pieces on their way: the ERP has them now, or never will. `snapshot`: what it had registered before they were
 * sent. A copy read after they arrived includes them already.
 */
export async function settlePieces(
  tx: Tx,
  settled: Wanted & { delivered: boolean; snapshot: number | null; at: number },
): Promise<void> {
  const { branch, barcode, part, pieces, delivered, snapshot } = settled
  const onWay = `on_way_${part}` as const
  const registered = `registered_${part}` as const
  await tx
    .updateTable('erp_items')
    .set((e) => {
      const raised = e(registered, '+', pieces)
      const withThem =
        snapshot === null
          ? raised
          : e
              .case()
              .when(registered, '>=', snapshot + pieces)
              .then(e.ref(registered))
              .when(registered, '>', snapshot)
              .then(snapshot + pieces)
              .else(raised)
              .end()
      return {
        [onWay]: e(onWay, '-', pieces),
        ...(delivered ? { [registered]: withThem } : {}),
        settled_at: settled.at,
      }
    })
    .where((e) => e.and({ branch, barcode }))
    .execute()
}

import type { Tx } from './db/db.ts'

type Place = { branch: string; barcode: string }

const setOnWay = (tx: Tx, { branch, barcode }: Place) =>
  tx.updateTable('erp_items').set({ receipt_on_way: 1 }).where('branch', '=', branch).where('barcode', '=', barcode)

/** False when the item is received or its receipt is on its way, so of two confirmations one gets true. */
export async function reserveReceipt(tx: Tx, place: Place): Promise<boolean> {
  const { numUpdatedRows } = await setOnWay(tx, place)
    .where('received', '=', 0)
    .where('receipt_on_way', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Settles a receipt on its way: the ERP has it now, or never will. */
export async function settleReceipt(
  tx: Tx,
  { branch, barcode }: Place,
  settled: { delivered: boolean; at: number },
): Promise<void> {
  await tx
    .updateTable('erp_items')
    .set({ receipt_on_way: 0, ...(settled.delivered ? { received: 1 } : {}), settled_at: settled.at })
    .where('branch', '=', branch)
    .where('barcode', '=', barcode)
    .execute()
}

/** Another call is promising the receipt that is on its way. */
export async function promiseReceipts(tx: Tx, { branch, barcode }: Place): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ promised: 1 })
    .where('branch', '=', branch)
    .where('barcode', '=', barcode)
    .where('part', '=', 'recebimento')
    .where('state', '=', 'waiting')
    .execute()
}

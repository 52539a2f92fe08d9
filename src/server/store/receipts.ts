import { changesOne, type Tx } from './db/db.ts'

type Place = { branch: string; barcode: string }

/** False when the item is received or its receipt is on its way, so of two confirmations one gets true. */
export const reserveReceipt = (tx: Tx, { branch, barcode }: Place): Promise<boolean> =>
  tx
    .updateTable('erp_items')
    .set({ receipt_on_way: 1 })
    .where((e) => e.and({ branch, barcode, received: 0, receipt_on_way: 0 }))
    .$call(changesOne)

/** Settles a receipt on its way: the ERP has it now, or never will. */
export async function settleReceipt(
  tx: Tx,
  { branch, barcode }: Place,
  settled: { delivered: boolean; at: number },
): Promise<void> {
  await tx
    .updateTable('erp_items')
    .set({ receipt_on_way: 0, ...(settled.delivered ? { received: 1 } : {}), settled_at: settled.at })
    .where((e) => e.and({ branch, barcode }))
    .execute()
}

/** Another call is promising the receipt that is on its way. */
export async function promiseReceipts(tx: Tx, { branch, barcode }: Place): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ promised: 1 })
    .where((e) => e.and({ branch, barcode, part: 'recebimento', state: 'waiting' }))
    .execute()
}

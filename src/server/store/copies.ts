import type { RecordedPart } from '../../contract/recordings.ts'
import type { Tx } from './db.ts'
import { settlePieces } from './items.ts'
import { settleJunctionPieces } from './junctions.ts'
import { settleReceipt } from './receipts.ts'

/** Where a recording is on its way in the copy of what the ERP says. */
export type OnWay = {
  part: RecordedPart
  branch: string
  barcode: string
  orderNumber: string
  position: string
  pieces: number
}

/**
 * The ERP has decided about what was on its way: it has it now, or never will. `snapshot` is what it had registered
 * before it was sent, null where nobody knows.
 */
export async function settleCopy(
  tx: Tx,
  onWay: OnWay,
  settled: { delivered: boolean; snapshot: number | null; at: number },
): Promise<void> {
  const { part } = onWay
  if (part === 'recebimento') return await settleReceipt(tx, onWay, settled)
  if (part !== 'juncao') return await settlePieces(tx, { ...onWay, part, ...settled })
  await settleJunctionPieces(tx, onWay, { pieces: onWay.pieces, ...settled })
}

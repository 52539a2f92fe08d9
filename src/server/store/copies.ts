import type { RecordedPart } from '../../contract/recordings.ts'
import type { Tx } from './db/db.ts'
import { reserveBeyondBalance, settlePieces } from './items.ts'
import { reserveJunctionPiecesBeyond, settleJunctionPieces } from './junctions.ts'
import { reserveReceipt, settleReceipt } from './receipts.ts'

/** The columns that hold a recording on its way in the copy of the ERP's data. */
export type OnWay = {
  part: RecordedPart
  branch: string
  barcode: string
  orderNumber: string
  position: string
  pieces: number
}

/** Reserves it again, whatever the balance. False when there is no copy, or the item is received. */
export async function reserveCopy(tx: Tx, onWay: OnWay): Promise<boolean> {
  const { part } = onWay
  if (part === 'recebimento') return await reserveReceipt(tx, onWay)
  if (part !== 'juncao') return await reserveBeyondBalance(tx, { ...onWay, part })
  return await reserveJunctionPiecesBeyond(tx, onWay, onWay.pieces)
}

/**
 * Settles pieces on their way: the ERP has them now, or never will. `snapshot`: what it had registered before they were
 * sent, null when unknown.
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

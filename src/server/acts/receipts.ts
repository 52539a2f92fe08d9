import type { CutItem } from '../../contract/items.ts'
import {
  RECEIPT_MESSAGE,
  RECEIPT_ON_WAY_MESSAGE,
  RECEIPT_PARKED_MESSAGE,
  RECEIPT_WAITING_MESSAGE,
  RECEIVED_BEFORE_MESSAGE,
  type Receipt,
} from '../../contract/receipts.ts'
import { isReceived, orderOf } from '../../domain/acts/recordings.ts'
import { plantMoment } from '../../domain/plant/plant-time.ts'
import type { Tx } from '../store/db/db.ts'
import { findItem } from '../store/items.ts'
import { promiseReceipts, reserveReceipt } from '../store/receipts.ts'
import type { Recording, StoredReceipt } from '../store/recordings.ts'
import { itemAsWritten } from './cut-crimp.ts'
import { readItem } from './erp-copies.ts'
import { type Acting, actOf, type Reserved, type Work } from './work.ts'

/** The recording of a receipt, as it is stored. */
export function toReceipt({ captura, ...content }: Receipt, call: Acting): Recording<StoredReceipt> {
  const act = actOf(captura, call)
  const { filial: branch, codigoBarras: barcode } = content
  const momento = plantMoment(act.recordedAt, call.config.timeZone)
  return {
    ...act,
    part: 'recebimento',
    branch,
    barcode,
    position: '',
    orderNumber: '',
    pieces: 0,
    machine: '',
    lot: '',
    terminal: '',
    applicator: null,
    delivery: { operation: 'confirmReceipt', naturalKey: `${branch}|${barcode}|recebimento`, raises: 1 },
    payload: { ...content, OPERADOR: call.caller.username, momento },
  }
}

/** Received is received, whoever said so and however often. */
async function reserve(tx: Tx, recording: Recording<StoredReceipt>): Promise<Reserved<StoredReceipt>> {
  const { branch, barcode } = recording
  const isTaken = await reserveReceipt(tx, { branch, barcode })
  const copy = await findItem(tx, branch, barcode)
  // whoever traces the order wants to see what was received of it
  if (isTaken) return { ...recording, orderNumber: copy ? orderOf(copy.item) : '' }
  if (!copy) return { refused: 'item_not_found' }
  if (isReceived(copy.item)) return { done: RECEIVED_BEFORE_MESSAGE, status: 'enviado' }
  // this person is told that it is saved: a refusal may no more undo it
  await promiseReceipts(tx, { branch, barcode })
  return { done: RECEIPT_ON_WAY_MESSAGE, status: 'pendente' }
}

export const receipt: Work<StoredReceipt, CutItem> = {
  asWritten: itemAsWritten,
  // no quantity is judged: no copy is too old
  judgedCopy: async (db, { branch, barcode }) =>
    (await findItem(db, branch, barcode)) && { fetchedAt: Infinity, refusal: null },
  readCopy: readItem,
  reserve,
  reserveBeyondBalance: reserve,
  find: async (db, { branch, barcode }) => (await findItem(db, branch, barcode))?.item ?? null,
  messages: { delivered: RECEIPT_MESSAGE, waiting: RECEIPT_WAITING_MESSAGE, parked: RECEIPT_PARKED_MESSAGE },
}

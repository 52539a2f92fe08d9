import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { erpReadRefusals } from './items.ts'
import { Capture, RecordingAnswer } from './recordings.ts'
import { BranchCode, ItemBarcode } from './values.ts'

/** One cut item was received by who checks the cut. */
export const Receipt = z.strictObject({
  filial: BranchCode,
  codigoBarras: ItemBarcode,
  captura: z.optional(Capture),
})
export type Receipt = z.infer<typeof Receipt>

export const RECEIVED = 'S'
export const RECEIPT_MESSAGE = 'Recebimento confirmado'
/** Nothing was changed: somebody confirmed it before. */
export const RECEIVED_BEFORE_MESSAGE = 'Item já recebido'
/** Somebody confirmed it before, and the ERP has not heard of it yet. */
export const RECEIPT_ON_WAY_MESSAGE = 'Recebimento já confirmado, aguardando ERP'
export const RECEIPT_PARKED_MESSAGE = 'O ERP não aceitou o recebimento: veja Pendências.'
export const RECEIPT_WAITING_MESSAGE = 'Recebimento salvo. Será enviado ao ERP assim que ele responder.'

export const receipts = {
  confirm: endpoint({
    method: 'POST',
    path: '/api/conferencia-corte/recebimentos',
    summary: 'Confirmar o recebimento de um item cortado; de um item já recebido, diz isso e nada muda',
    access: 'record',
    suffices: 'grant',
    body: Receipt,
    reply: RecordingAnswer,
    statuses: [201, 202, 200],
    idempotent: true,
    refusals: [...erpReadRefusals, 'item_not_found', 'idempotency_key_missing', 'idempotency_key_reused'],
  }),
}

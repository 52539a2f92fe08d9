import type { CutItem } from '../../contract/items.ts'
import { RECEIPT_MESSAGE, RECEIPT_WAITING_MESSAGE, type Receipt, receipts } from '../../contract/receipts.ts'
import { captureOf } from '../../domain/acts/recordings.ts'
import { links } from '../text/links.ts'
import type { Act, Frozen, PlaceOf } from './act.ts'
import { recordingMessages } from './act-texts.ts'

export type FrozenReceipt = Frozen<Receipt> & { kind: 'receipt'; barcode: string }

export const receipt: Act<FrozenReceipt, Omit<PlaceOf<FrozenReceipt>, 'kind'>> = {
  endpoint: receipts.confirm,
  placeOf: (payload) => ({ kind: 'receipt', branch: payload.filial, barcode: payload.codigoBarras }),
  deliveryKeyOf: ({ branch, barcode }) => `recebimento|${branch}|${barcode}`,
  pathOf: () => links.cutCheck,
  payloadOf: ({ branch, barcode }, author) => ({ filial: branch, codigoBarras: barcode, captura: captureOf(author) }),
  titleOf: () => 'Recebimento',
  factsOf: ({ codigoBarras }, item: CutItem | null) => [
    ['OP', item?.Z1_OP],
    ['Item', item?.Z1_ITEMEST],
    ['Código de barras', codigoBarras],
  ],
  messages: {
    ...recordingMessages,
    recorded: RECEIPT_MESSAGE,
    refused: ({ message }) => message || 'Erro ao confirmar recebimento',
    takenBack: 'O recebimento sai da fila e não conta. Para receber o item, leia o código novamente.',
  },
  erp: { waiting: RECEIPT_WAITING_MESSAGE, discarded: () => 'O recebimento deixa de contar.' },
}

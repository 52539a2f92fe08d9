import { RECEIPT_WAITING_MESSAGE } from '../../contract/receipts.ts'
import { type RecordingAnswer, WAITING_MESSAGE } from '../../contract/recordings.ts'
import { showToast } from '../device/toasts.ts'
import type { Fate } from './recordings.ts'

const SENT_MESSAGE = 'O que estava salvo neste dispositivo foi enviado.'
const waitingMessages = [WAITING_MESSAGE, RECEIPT_WAITING_MESSAGE]

/** `otherwise`: where the server has said nothing of its own. */
export const announceAccepted = ({ status, message }: RecordingAnswer, otherwise: string): void =>
  showToast({ kind: status === 'enviado' ? 'success' : 'warning', text: message || otherwise })

/** Told 'salvo' before: what the operator did not know yet is that it left this device. */
export function announceDelivered(answer: RecordingAnswer, otherwise: string): void {
  if (waitingMessages.includes(answer.message)) showToast({ kind: 'success', text: SENT_MESSAGE })
  else announceAccepted(answer, otherwise)
}

/** What the device itself says of an act that the server has not answered. */
export function announceUnanswered({ fate }: Extract<Fate, { fate: 'saved' | 'not_kept' }>): void {
  if (fate === 'saved') {
    showToast({ kind: 'saved', text: 'Salvo neste dispositivo. Será enviado quando a rede voltar.' })
  } else {
    const text = 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.'
    showToast({ kind: 'error', text, code: 'device_storage_failed', stays: true })
  }
}

import { showToast } from '../device/toasts.ts'
import { type FrozenRecording, kindOf } from './kinds.ts'
import type { Outcome, PressOutcome } from './send.ts'

const SENT_MESSAGE = 'O que estava salvo neste dispositivo foi enviado.'

const announceRefused = (text: string, code: string): void => showToast({ kind: 'error', text, code, stays: true })

type How = {
  /** Told 'salvo' before: what the operator did not know yet is that it left this device. */
  wasSaved: boolean
  /** Where a screen has a place of its own for it. */
  onRefused?: ((text: string, code: string) => void) | undefined
}

/** Tells the operator what became of it; of what waits for an answer or for its author, Pendências tells. */
export function announce(
  recording: FrozenRecording,
  outcome: Outcome | PressOutcome,
  { wasSaved, onRefused = announceRefused }: How,
): void {
  const { messages } = kindOf(recording)
  if (outcome.outcome === 'accepted') {
    const { status, message } = outcome.answer
    if (wasSaved && message === messages.waiting) showToast({ kind: 'success', text: SENT_MESSAGE })
    else showToast({ kind: status === 'enviado' ? 'success' : 'warning', text: message || messages.recorded })
  } else if (outcome.outcome === 'refused') {
    onRefused(messages.refused(outcome.error), outcome.error.code)
  } else if (outcome.outcome === 'saved') {
    showToast({ kind: 'saved', text: 'Salvo neste dispositivo. Será enviado quando a rede voltar.' })
  } else if (outcome.outcome === 'not_kept') {
    const text = 'Não foi possível guardar o apontamento neste dispositivo. Nada foi enviado.'
    showToast({ kind: 'error', text, code: 'device_storage_failed', stays: true })
  }
}

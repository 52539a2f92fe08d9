import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { refusals } from '../../contract/errors.ts'
import type { RecordingAnswer } from '../../contract/recordings.ts'
import { ifFree } from '../device/locks.ts'
import { showToast } from '../device/toasts.ts'
import { deliveryKeyOf, type FrozenRecording, isOf, type Kind, kindOf, type PlaceOf } from './kinds.ts'
import type { WaitingRecording } from './queue.ts'
import { freeze, type Outcome, type PressOutcome, problemOf, record } from './send.ts'
import { sendWaiting, showAnswer, showCounts, subscribeToDeliveries } from './sender.ts'

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

/** A gloved finger that bounces must not register the rest of the order. */
const BOUNCE_MS = 1000

/** The form in which it was typed. Its steps are taken also after the screen was left. */
type FormSteps = {
  /** Which 'Registrar' was pressed: a second click of it does nothing. */
  section: string
  /** On disk: the form must not offer the same act again, not even after a crash. */
  onSaved: () => void
  onRecorded: () => void
  /** It is still to be done. */
  onNotRecorded: () => void
}

type Screen<Recording> = {
  /** What stands on it: what the queue delivers of that is announced. */
  place: Partial<PlaceOf<Recording>>
  onAccepted?: (recording: Recording, answer: RecordingAnswer) => void
  /** Where the screen has a place of its own for what is wrong; else a toast tells. */
  onRefused?: (text: string) => void
}

const tellProblem = (text: string): void => showToast({ kind: 'error', text })

/** Registers what one screen records: what is in flight, and what the screen makes of each outcome. */
export function useRecorder<Recording extends FrozenRecording, Pressed>(
  kind: Kind<Recording, Pressed>,
  { place, onAccepted, onRefused }: Screen<Recording>,
) {
  const [busySections, setBusySections] = useState<readonly string[]>([])
  /** Read at once by the second click of a double click, when the screen has not been drawn again yet. */
  const locked = useRef(new Set<string>())

  const show = (recording: Recording, outcome: Parameters<typeof announce>[1], wasSaved: boolean) => {
    if (outcome.outcome === 'accepted') onAccepted?.(recording, outcome.answer)
    announce(recording, outcome, { wasSaved, onRefused })
  }
  const onDelivery = useEffectEvent((recording: WaitingRecording, outcome: Outcome) => {
    if (isOf(recording, kind, place) && !recording.answeredBefore) show(recording, outcome, true)
  })
  useEffect(() => subscribeToDeliveries((...delivery) => onDelivery(...delivery)), [])

  const register = async (pressed: Pressed, form?: FormSteps) => {
    const section = form?.section ?? ''
    if (locked.current.has(section)) return
    const refusal = kind.refusalOf(pressed)
    if (refusal) return (onRefused ?? tellProblem)(refusal)
    const recording = freeze(kind, pressed)
    const problem = recording.grant === '' ? refusals.session_missing.message : problemOf(recording)
    if (problem) return (onRefused ?? tellProblem)(problem)
    if (form) locked.current.add(section)
    setBusySections((before) => [...before, section])
    const onSaved = () => form?.onSaved()
    const outcome =
      (await ifFree(deliveryKeyOf(recording), () => record(recording, { isFree: true, onSaved }))) ??
      (await record(recording, { isFree: false, onSaved }))
    show(recording, outcome, false)
    if (outcome.outcome === 'accepted' || outcome.outcome === 'saved') form?.onRecorded()
    else form?.onNotRecorded()
    if (outcome.outcome === 'saved') void sendWaiting()
    if (outcome.outcome === 'accepted' || outcome.outcome === 'refused') {
      void showAnswer(recording, outcome.outcome === 'accepted' ? outcome.answer.item : null)
      void showCounts()
    }
    setBusySections((before) => before.toSpliced(before.indexOf(section), 1))
    setTimeout(() => locked.current.delete(section), BOUNCE_MS)
  }

  return { register, isBusy: (section = '') => busySections.includes(section) }
}

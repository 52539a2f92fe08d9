import { useEffect, useRef, useState } from 'react'
import { refusals } from '../../../contract/errors.ts'
import { JUNCTION_RECORDED_MESSAGE, type Junction } from '../../../contract/junctions.ts'
import { emptyJunctionForm, type JunctionForm, junctionRefusal } from '../../../domain/junctions.ts'
import { showToast } from '../../device/toasts.ts'
import { failureText } from '../../parts/failure-text.ts'
import { useSettings } from '../../parts/settings.ts'
import { announceAccepted, announceDelivered, announceUnanswered } from '../../recording/fates.ts'
import { type JunctionPlace, saveJunctionDraft } from '../../recording/junction-drafts.ts'
import { type Fate, frozenJunction, problemOf, record } from '../../recording/recordings.ts'
import { sendWaiting, showAnswer, showCounts, subscribeToDeliveries } from '../../recording/sender.ts'
import type { ApiError } from '../../server/api.ts'

const FAILED_MESSAGE = 'Erro ao registrar apontamento'
/** A gloved finger that bounces must not register once more. */
const BOUNCE_MS = 1000

function announceRefused(error: ApiError): void {
  const reason = failureText(error, error.status === 400 ? 'Dados inválidos para registro' : FAILED_MESSAGE)
  showToast({ kind: 'error', text: `${FAILED_MESSAGE}: ${reason}`, code: error.code, stays: true })
}

function announce(fate: Fate): void {
  if (fate.fate === 'accepted') announceAccepted(fate.answer, JUNCTION_RECORDED_MESSAGE)
  else if (fate.fate === 'refused') announceRefused(fate.error)
  else announceUnanswered(fate)
}

/** What the queue has delivered of the junction on screen. */
function useDeliveredToast({ plant, order, position }: JunctionPlace): void {
  useEffect(
    () =>
      subscribeToDeliveries((recording, answered) => {
        if (recording.kind !== 'junction' || recording.answeredBefore) return
        if (recording.branch !== plant || recording.order !== order || recording.junction !== position) return
        if (answered.fate === 'accepted') announceDelivered(answered.answer, JUNCTION_RECORDED_MESSAGE)
        if (answered.fate === 'refused') announceRefused(answered.error)
      }),
    [plant, order, position],
  )
}

type Recorded = {
  place: JunctionPlace
  junction: Junction
  form: JunctionForm
  clear: (form: JunctionForm) => void
  restore: (form: JunctionForm) => void
}

/** Registers what stands in the form, and makes of its fate what the form needs. */
export function useJunctionRecorder({ place, junction, form, clear, restore }: Recorded) {
  const [isBusy, setBusy] = useState(false)
  /** Read at once by the second click of a double click, when the screen has not been drawn again yet. */
  const held = useRef(false)
  const { timeZone } = useSettings()
  useDeliveredToast(place)

  const register = async () => {
    if (held.current) return
    const refusal = junctionRefusal(junction, form)
    if (refusal) return showToast({ kind: 'error', text: refusal })
    const sent = frozenJunction(junction, form, { branch: place.plant, order: place.order, timeZone })
    const problem = sent.grant === '' ? refusals.session_missing.message : problemOf(sent)
    if (problem) return showToast({ kind: 'error', text: problem })
    held.current = true
    setBusy(true)
    // From the moment it is on disk the form must not offer the same act again, not even after a crash.
    const fate = await record(sent, () => saveJunctionDraft(place, emptyJunctionForm))
    announce(fate)
    if (fate.fate === 'accepted' || fate.fate === 'saved') clear(form)
    else {
      saveJunctionDraft(place, form)
      restore(form)
    }
    if (fate.fate === 'saved') void sendWaiting()
    if (fate.fate === 'accepted' || fate.fate === 'refused') {
      void showAnswer(sent, null)
      void showCounts()
    }
    setBusy(false)
    setTimeout(() => {
      held.current = false
    }, BOUNCE_MS)
  }

  return { register, isBusy }
}

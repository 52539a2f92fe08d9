import { useEffect, useRef, useState } from 'react'
import { refusals } from '../../../contract/errors.ts'
import type { CutItem, Part } from '../../../contract/items.ts'
import { RECORDED_MESSAGE } from '../../../contract/recordings.ts'
import { type RecordingForms, refusalOf } from '../../../domain/recording-form.ts'
import { showToast } from '../../device/toasts.ts'
import { clearDraftPart, restoreTyped } from '../../recording/drafts.ts'
import { announceAccepted, announceDelivered, announceUnanswered } from '../../recording/fates.ts'
import { type Fate, frozenFrom, problemOf, record, refusalWords } from '../../recording/recordings.ts'
import { sendWaiting, showAnswer, showCounts, subscribeToDeliveries } from '../../recording/sender.ts'
import type { ApiError } from '../../server/api.ts'
import type { useRecordingForms } from './recording-forms.ts'

const FAILED_MESSAGE = 'Erro ao realizar apontamento'
/** A gloved finger that bounces must not register the rest of the order. */
const BOUNCE_MS = 1000

const announceRefused = (error: ApiError) =>
  showToast({ kind: 'error', text: refusalWords(error) || FAILED_MESSAGE, code: error.code, stays: true })

function announce(fate: Fate): void {
  if (fate.fate === 'accepted') announceAccepted(fate.answer, RECORDED_MESSAGE)
  else if (fate.fate === 'refused') announceRefused(fate.error)
  else announceUnanswered(fate)
}

/** What the queue has delivered of the item on screen. */
function useDeliveredToast({ Z1_FILIAL: branch, Z1_CODBAR: barcode }: CutItem): void {
  useEffect(
    () =>
      subscribeToDeliveries((recording, answered) => {
        if (recording.kind || recording.answeredBefore) return
        if (recording.branch !== branch || recording.barcode !== barcode) return
        if (answered.fate === 'accepted') announceDelivered(answered.answer, RECORDED_MESSAGE)
        if (answered.fate === 'refused') announceRefused(answered.error)
      }),
    [branch, barcode],
  )
}

type Recorded = {
  item: CutItem
  forms: RecordingForms
} & Pick<ReturnType<typeof useRecordingForms>, 'release' | 'carryOver' | 'restore'>

/** Registers the parts of one item: which are in flight, and what the form makes of their fate. */
export function useRecorder({ item, forms, release, carryOver, restore }: Recorded) {
  const [busyParts, setBusyParts] = useState<readonly Part[]>([])
  /** Read at once by the second click of a double click, when the screen has not been drawn again yet. */
  const held = useRef(new Set<Part>())
  useDeliveredToast(item)

  const register = async (part: Part) => {
    if (held.current.has(part)) return
    const refusal = refusalOf(item, part, forms)
    if (refusal) return showToast({ kind: 'error', text: refusal })
    const sent = frozenFrom(item, part, forms)
    const problem = sent.grant === '' ? refusals.session_missing.message : problemOf(sent)
    if (problem) return showToast({ kind: 'error', text: problem })
    held.current.add(part)
    setBusyParts((before) => [...before, part])
    // From the moment it is on disk the form must not offer the same act again, not even after a crash.
    const fate = await record(sent, () => {
      clearDraftPart(sent)
      release(part, forms)
    })
    announce(fate)
    if (fate.fate === 'accepted' || fate.fate === 'saved') carryOver(part, forms)
    else {
      restoreTyped(item, { [part]: forms[part] })
      restore(part, forms)
    }
    if (fate.fate === 'saved') void sendWaiting()
    if (fate.fate === 'accepted' || fate.fate === 'refused') {
      void showAnswer(sent, fate.fate === 'accepted' ? fate.answer.item : null)
      void showCounts()
    }
    setBusyParts((before) => before.filter((other) => other !== part))
    setTimeout(() => held.current.delete(part), BOUNCE_MS)
  }

  return { register, isBusy: (part: Part) => busyParts.includes(part) }
}

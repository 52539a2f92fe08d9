import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { refusals } from '../../../contract/errors.ts'
import type { CutItem } from '../../../contract/items.ts'
import { RECEIPT_MESSAGE } from '../../../contract/receipts.ts'
import type { ApiError } from '../../api.ts'
import { useWaiting } from '../../outbox.ts'
import { failureText } from '../../parts/failure-text.ts'
import { announceAccepted, announceDelivered, announceUnanswered } from '../../parts/fates.ts'
import { receivedHere } from '../../queue.ts'
import { type Answered, frozenReceipt, problemOf, record } from '../../recordings.ts'
import { sendWaiting, showCounts, subscribeToDeliveries } from '../../sender.ts'

type Recorder = {
  branch: string
  markReceived: (barcode: string, isWaiting: boolean) => void
  onRefused: (text: string) => void
}

const refusedText = (error: ApiError) => failureText(error, 'Erro ao confirmar recebimento')

/** Confirms receipts, several at a time if hands are faster than the ERP. */
export function useReceiptRecorder({ branch, markReceived, onRefused }: Recorder) {
  const [busyCount, setBusyCount] = useState(0)
  const waiting = useWaiting()
  const here = useMemo(() => receivedHere(waiting ?? [], branch), [waiting, branch])

  const onDelivered = useEffectEvent((code: string, answered: Answered) => {
    if (answered.fate === 'accepted') {
      markReceived(code, answered.answer.status === 'pendente')
      announceDelivered(answered.answer, RECEIPT_MESSAGE)
    }
    if (answered.fate === 'refused') onRefused(refusedText(answered.error))
  })
  useEffect(
    () =>
      subscribeToDeliveries((recording, answered) => {
        if (recording.kind !== 'receipt' || recording.branch !== branch || recording.answeredBefore) return
        onDelivered(recording.barcode, answered)
      }),
    [branch],
  )

  const confirm = async ({ Z1_CODBAR: code }: CutItem) => {
    const sent = frozenReceipt(branch, code)
    const problem = sent.grant === '' ? refusals.session_missing.message : problemOf(sent)
    if (problem) return onRefused(problem)
    setBusyCount((count) => count + 1)
    const fate = await record(sent, () => undefined)
    setBusyCount((count) => count - 1)
    if (fate.fate === 'accepted') {
      markReceived(code, fate.answer.status === 'pendente')
      announceAccepted(fate.answer, RECEIPT_MESSAGE)
      void showCounts()
    } else if (fate.fate === 'refused') onRefused(refusedText(fate.error))
    else announceUnanswered(fate)
    if (fate.fate === 'saved') void sendWaiting()
  }

  return { confirm, here, isBusy: busyCount > 0 }
}

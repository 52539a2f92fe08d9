import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type PendingRecording, pendingRecordings } from '../../../contract/pending-recordings.ts'
import type { RecordingAnswer } from '../../../contract/recordings.ts'
import { logFailure } from '../../device/log.ts'
import { kindOfPayload } from '../../recording/kinds.ts'
import { replaceAnswered } from '../../recording/queue-db.ts'
import { showAnswer, showCounts } from '../../recording/sender.ts'
import { ApiError, call, errorText } from '../../server/api.ts'
import { showToast } from '../../ui/toasts.ts'

export const pendingQuery = {
  queryKey: ['pending'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(pendingRecordings.list, {}, { signal }),
}

type Decided = Parameters<typeof replaceAnswered>

/** The archive of this device follows; that it cannot be written undoes no decision. */
export const noteDecision = (...decided: Decided): Promise<void> =>
  replaceAnswered(...decided).catch((error) => logFailure('Decisão não anotada no dispositivo', error))

export type Answer = { message: string } & Partial<Pick<RecordingAnswer, 'status' | 'item' | 'recibo'>>

/** Sends one decision; what it changes is shown everywhere, also when it came too late. */
export function usePendingAction(pending: PendingRecording, send: () => Promise<Answer>, onDone: () => void) {
  const queries = useQueryClient()
  /** The second click of a double click comes before the screen has been drawn again. */
  const isHeld = useRef(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: ({ message, status, item = null }) => {
      showToast({ kind: status === 'pendente' ? 'warning' : 'success', text: message })
      void showAnswer(kindOfPayload(pending.apontamento).placeOf(pending.apontamento), item)
      onDone()
    },
    onSettled: () => {
      isHeld.current = false
      void queries.invalidateQueries({ queryKey: pendingQuery.queryKey })
      void showCounts()
    },
  })
  const act = () => {
    if (isHeld.current) return
    isHeld.current = true
    mutate()
  }
  return { act, isBusy: isPending, errorText: error && textOf(error) }
}

/** Puts recordings back on their way to the ERP, which is asked first. */
export function useResend() {
  const queries = useQueryClient()
  const isHeld = useRef(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (ids: string[]) => call(pendingRecordings.resend, { body: { ids } }),
    onSuccess: ({ message, mantidos }) => showToast({ kind: mantidos > 0 ? 'warning' : 'success', text: message }),
    onError: (error) => showToast({ kind: 'error', text: textOf(error) }),
    onSettled: () => {
      isHeld.current = false
      void queries.invalidateQueries({ queryKey: pendingQuery.queryKey })
      void showCounts()
    },
  })
  const resend = (pending: readonly PendingRecording[]) => {
    if (isHeld.current) return
    isHeld.current = true
    mutate(pending.map(({ id }) => id))
  }
  return { resend, isBusy: isPending }
}

/** With its code, which whoever is asked for help wants to know. */
export const textOf = (error: Error) =>
  error instanceof ApiError ? `${error.message} Código: ${error.code}` : errorText(error)

import { type PendingRecording, pendingRecordings } from '../../../contract/pending-recordings.ts'
import type { RecordingAnswer } from '../../../contract/recordings.ts'
import { kindOfPayload } from '../../acts/kinds.ts'
import { replaceAnswered } from '../../acts/queue-db.ts'
import { showAnswer, showCounts } from '../../acts/sender.ts'
import { logFailure } from '../../device/log.ts'
import { showToast } from '../../device/toasts.ts'
import { ApiError, call, errorText } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useSave } from '../../server/save.ts'

export const pendingQuery = query(pendingRecordings.list, {})

type Decided = Parameters<typeof replaceAnswered>

/** The archive of this device follows; that it cannot be written undoes no decision. */
export const noteDecision = (...decided: Decided): Promise<void> =>
  replaceAnswered(...decided).catch((error) => logFailure('Decisão não anotada no dispositivo', error))

export type Answer = { message: string } & Partial<Pick<RecordingAnswer, 'status' | 'item' | 'recibo'>>

/** Sends one decision; what it changes is shown everywhere, also when it came too late. */
export function usePendingAction(pending: PendingRecording, send: () => Promise<Answer>, onDone: () => void) {
  const { save, isBusy, error } = useSave({
    send,
    changes: [pendingRecordings.list],
    toast: ({ message, status }) => ({ kind: status === 'pendente' ? 'warning' : 'success', text: message }),
    onSaved: ({ item = null }) => {
      void showAnswer(kindOfPayload(pending.apontamento).placeOf(pending.apontamento), item)
      onDone()
      void showCounts()
    },
    onFailed: () => void showCounts(),
  })
  return { act: () => save(), isBusy, error }
}

/** Puts recordings back on their way to the ERP, which is asked first. */
export function useResend() {
  const { save, isBusy } = useSave({
    send: (ids: string[]) => call(pendingRecordings.resend, { body: { ids } }),
    changes: [pendingRecordings.list],
    // the old list would offer the same once more
    isDoneWhenShown: true,
    toast: ({ message, mantidos }) => ({ kind: mantidos > 0 ? 'warning' : 'success', text: message }),
    onSaved: () => void showCounts(),
    onFailed: (error) => {
      showToast({ kind: 'error', text: errorText(error), code: error instanceof ApiError ? error.code : undefined })
      void showCounts()
    },
  })
  return { resend: (pending: readonly PendingRecording[]) => save(pending.map(({ id }) => id)), isBusy }
}

import { useState } from 'react'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import type { CorrectedForm } from '../../../domain/recording-form.ts'
import { serverNow } from '../../device/clock.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import type { FrozenRecording } from '../../recording/kinds.ts'
import { newId } from '../../recording/send.ts'
import { knownEpoch } from '../../server/status.ts'
import { type Answer, noteDecision, usePendingAction } from './pending-actions.ts'

/** What was typed, and under which id which content was sent last: the same content keeps its id, also after a reload. */
type CorrectionDraft<Form> = { form: Form; sent: { id: string; content: string } | null }

const keyOf = (id: string) => `correcao:${id}`

export const dropCorrection = (id: string): void => dropFromTab(keyOf(id))

export type Notice = { kind: 'warning'; text: string } | { kind: 'error'; error: Error }

/** How one kind of recording is corrected. */
type Way<Form, Body extends FrozenRecording['payload']> = {
  initial: () => Form
  /** Brings what was typed within its bounds. */
  settle: (form: Form) => CorrectedForm<Form>
  /** What is still empty, in the words shown. */
  refusalOf: (form: Form) => string | null
  bodyOf: (form: Form) => Body
  send: (body: Body, idempotencyKey: string) => Promise<Answer>
}

/** What was typed survives a reload, and so does the id under which its content was sent. */
export function useCorrectionOf<Form extends object, Body extends FrozenRecording['payload']>(
  pending: PendingRecording,
  onClose: () => void,
  way: Way<Form, Body>,
) {
  const { id } = pending
  const [draft, setDraft] = useState<CorrectionDraft<Form>>(
    () => (readFromTab(keyOf(id)) as CorrectionDraft<Form> | null) ?? { form: way.initial(), sent: null },
  )
  const [warning, setWarning] = useState<string | null>(null)
  const keep = (next: CorrectionDraft<Form>) => {
    writeToTab(keyOf(id), next)
    setDraft(next)
  }
  const resend = async () => {
    const body = way.bodyOf(draft.form)
    const content = JSON.stringify(body)
    const sent = draft.sent?.content === content ? draft.sent : { id: newId(), content }
    keep({ ...draft, sent })
    const epoch = knownEpoch()
    const answer = await way.send(body, sent.id)
    const answeredAt = new Date(serverNow()).toISOString()
    await noteDecision(id, { id: sent.id, payload: body, answeredAt, epoch, receipt: answer.recibo })
    return answer
  }
  const done = () => {
    dropCorrection(id)
    onClose()
  }
  const { act, isBusy, error } = usePendingAction(pending, resend, done)
  const send = () => {
    const { form, warnings } = way.settle(draft.form)
    const refusal = way.refusalOf(form)
    setWarning(refusal ?? (warnings.length > 0 ? warnings.join(' ') : null))
    if (warnings.length > 0) keep({ ...draft, form })
    // What was brought within its bounds is seen before it is sent.
    else if (!refusal) act()
  }
  const notice: Notice | null = warning
    ? { kind: 'warning', text: warning }
    : error
      ? { kind: 'error', error }
      : null
  const change = (fields: Partial<Form>) => keep({ ...draft, form: { ...draft.form, ...fields } })
  return { form: draft.form, change, send, isBusy, notice }
}

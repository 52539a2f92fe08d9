import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PendingRecording } from '../../../contract/pending-recordings.ts'
import type { LimitReason } from '../../../contract/recordings.ts'
import type { CorrectedForm } from '../../../domain/forms/form-edits.ts'
import { emptyFields, type Field, type FieldName, fieldInWords, textOf } from '../../../domain/forms/form-fields.ts'
import { forceLimit } from '../../../domain/forms/order-limits.ts'
import type { FrozenAct } from '../../acts/kinds.ts'
import { refusedField } from '../../acts/refusal-words.ts'
import { newId } from '../../acts/send.ts'
import { serverNow } from '../../device/clock.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import type { Selectors } from '../../forms/Selectors.tsx'
import { useChecks } from '../../forms/useChecks.tsx'
import type { FieldsControl } from '../../forms/WorkFields.tsx'
import { useCursor } from '../../parts/fields/cursor.ts'
import { useSettings } from '../../parts/settings.ts'
import { ApiError } from '../../server/api.ts'
import { knownEpoch } from '../../server/status.ts'
import { type Answer, noteDecision, usePendingAction } from './pending-actions.ts'

/** The typed form, and the id under which its content was sent last: the same content keeps its id, also after a reload. */
type CorrectionDraft<Form> = { form: Form; sent: { id: string; content: string } | null }

const keyOf = (id: string) => `correcao:${id}`

export const dropCorrection = (id: string): void => dropFromTab(keyOf(id))

type Notice = { kind: 'warning'; text: string } | { kind: 'error'; error: Error }

/** Fields that every form of a correction has. */
export type CorrectedOf = FieldsControl['form'] & { quantity: string; limitReason?: LimitReason | undefined }

/** How one kind of recording is corrected. */
export type Way<Form, Body> = Pick<FieldsControl, 'limits' | 'open'> & {
  initial: () => Form
  /** Brings what was typed within its bounds. */
  settle: (form: Form) => CorrectedForm<Form>
  /** The field still empty, in the words shown. */
  refusalOf: (form: Form) => string | null
  bodyOf: (form: Form) => Body
  send: (body: Body, idempotencyKey: string) => Promise<Answer>
  fields: readonly Field[]
  quantity: Omit<FieldsControl['quantity'], 'text'>
  place: Pick<ComponentProps<typeof Selectors>, 'branch' | 'part'>
}

const refusedBefore = ({ situacao, motivo }: PendingRecording): FieldName | null =>
  situacao === 'recusado' && motivo !== null ? fieldInWords(motivo) : null

/** The cursor goes to what was refused, and what stands there is selected: the next reading replaces it. */
function useRefusedField(pending: PendingRecording, open: readonly Field[], error: Error | null) {
  const cursor = useCursor<'form'>(null)
  const goTo = (field: string | null | undefined) => {
    if (open.some(({ name }) => name === field)) cursor.returnTo({ part: 'form', field: field ?? '' })
  }
  const goToRefused = useEffectEvent((wrong: Error | null) => {
    if (wrong === null) goTo(refusedBefore(pending))
    else if (wrong instanceof ApiError) goTo(refusedField(wrong))
  })
  useEffect(() => goToRefused(error), [error])
  return { cursor, goTo }
}

/** A correction. The form survives a reload, and so does the id under which its content was sent. */
export function useCorrection<Form extends CorrectedOf, Body extends FrozenAct['payload']>(
  pending: PendingRecording,
  onClose: () => void,
  way: Way<Form, Body>,
) {
  const { id } = pending
  const [draft, setDraft] = useState<CorrectionDraft<Form>>(
    () => (readFromTab(keyOf(id)) as CorrectionDraft<Form> | null) ?? { form: way.initial(), sent: null },
  )
  const [warning, setWarning] = useState<string | null>(null)
  /** Sent before the screen is drawn with it. */
  const latest = useRef(draft)
  const keep = (next: CorrectionDraft<Form>) => {
    latest.current = next
    writeToTab(keyOf(id), next)
    setDraft(next)
  }
  const resend = async () => {
    const body = way.bodyOf(latest.current.form)
    const content = JSON.stringify(body)
    const before = latest.current.sent
    const sent = before?.content === content ? before : { id: newId(), content }
    keep({ ...latest.current, sent })
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
  const { cursor, goTo } = useRefusedField(pending, way.open, error)
  const send = () => {
    const { form, warnings } = way.settle(draft.form)
    const refusal = way.refusalOf(form)
    setWarning(refusal ?? (warnings.length > 0 ? warnings.join(' ') : null))
    if (refusal) goTo(emptyFields(way.open, form)[0]?.name)
    if (warnings.length > 0) keep({ ...draft, form })
    // A value brought within its bounds is seen before it is sent.
    else if (!refusal) void sendWithReason(draft.form)
  }
  const { forceUnit } = useSettings()
  const { check, dialog } = useChecks()
  const sendWithReason = async (form: Form) => {
    const force = textOf(form.force)
    const limit = forceLimit(force, way.limits.pullForceMin, forceUnit)
    const reason = limit && !limit.wrong ? undefined : form.limitReason
    const answers = await check({ force, forceLimit: reason ? undefined : limit, plan: null })
    if (!answers) return
    keep({ ...draft, form: { ...form, limitReason: reason, ...answers } })
    act()
  }
  const notice: Notice | null = warning ? { kind: 'warning', text: warning } : error ? { kind: 'error', error } : null
  const change = (fields: object) => {
    // a reason belongs to the force that it was said of
    const reason = 'force' in fields ? { limitReason: undefined } : {}
    keep({ ...draft, form: { ...draft.form, ...reason, ...fields } })
  }
  return { form: draft.form, change, send, isBusy, notice, dialog, cursor }
}

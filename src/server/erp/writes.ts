import { type Answer, asObject, errorIn, messageOf } from './answer.ts'
import { failure, NotExecuted } from './calls.ts'
import { ErpFailure, type WriteOutcome } from './gateway.ts'
import { textOf } from './mapping.ts'
import type { WriteOperation } from './operations.ts'

const notSent = (kind: 'auth' | 'busy' | 'unavailable'): WriteOutcome => ({
  outcome: 'not_sent',
  kind,
  message: failure(kind).message,
})

const isSaying = (value: unknown) => value === true || (typeof value === 'string' && value.trim() !== '')

/** A refusal and a confirmation need the ERP's clear word; everything else leaves the fate open. */
export function outcomeOfAnswer(
  answer: Answer,
  op: Pick<WriteOperation<never>, 'expectedKeys' | 'confirmedMessage' | 'anyAnswerConfirms'>,
): WriteOutcome {
  const { status, value } = answer
  if (status === 401) return notSent('auth')
  if (answer.door === 'busy') return notSent('busy')
  const unknown: WriteOutcome = { outcome: 'unknown', message: failure('bad_answer').message }
  if (answer.door === 'away' || status === 403) return unknown
  const error = errorIn(answer, op.expectedKeys)
  if (error) {
    if (error.crashed || (!error.message && status >= 500)) return unknown
    return { outcome: 'refused', message: error.message || failure('refused').message }
  }
  const object = asObject(Array.isArray(value) ? value[0] : value)
  const isProcessing = textOf(object?.STATUS).trim() === '0'
  const saysSomething = object ? Object.keys(object).length > 0 : op.anyAnswerConfirms && isSaying(value)
  if (status >= 300 || !saysSomething || isProcessing) return unknown
  return {
    outcome: 'confirmed',
    message: messageOf(object ?? value) || op.confirmedMessage,
    erpRecord: textOf(object?.REGISTRO).trim() || null,
  }
}

/** What a write that ended without an answer came to. */
export function outcomeOfError(error: unknown): WriteOutcome {
  if (error instanceof NotExecuted) {
    return notSent(error.kind === 'auth' || error.kind === 'busy' ? error.kind : 'unavailable')
  }
  return { outcome: 'unknown', message: error instanceof ErpFailure ? error.message : failure('bad_answer').message }
}

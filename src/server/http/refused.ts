import type { FieldError, RefusalCode } from '../../contract/errors.ts'

type RefusalMore = {
  values?: Record<string, string | number> | undefined
  /** Replaces the code's own text: the ERP's words. */
  message?: string | undefined
  details?: FieldError[] | undefined
  headers?: Record<string, string>
  /** The refused caller, where known before the handler. */
  caller?: { userId: number; username: string }
}

/** Thrown by a handler to answer no. A plain Error is a bug and becomes `internal`. */
export class Refused extends Error {
  readonly code: RefusalCode
  readonly more: RefusalMore
  constructor(code: RefusalCode, more: RefusalMore = {}) {
    super(code)
    this.code = code
    this.more = more
  }
}

/** Refuses an input for one of its fields. */
export function refuseField(field: string, message: string): never {
  throw new Refused('input_invalid', { details: [{ field, message }] })
}

/** A refusal that ends after `waitMs`, which its text says in seconds or in minutes. */
export function refusedFor(code: RefusalCode, waitMs: number): Refused {
  const seconds = Math.ceil(waitMs / 1000)
  const values = { seconds, minutes: Math.ceil(waitMs / 60_000) }
  return new Refused(code, { values, headers: { 'retry-after': String(seconds) } })
}

/** A reply that is not a plain 200. */
export class Answer<T> {
  readonly status: number
  readonly body: T
  constructor(status: number, body: T) {
    this.status = status
    this.body = body
  }
}

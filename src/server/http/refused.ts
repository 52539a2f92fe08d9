import type { FieldError, RefusalCode } from '../../contract/errors.ts'

type RefusalMore = {
  values?: Record<string, string | number> | undefined
  /** Replaces the code's own text: the ERP's words. */
  message?: string | undefined
  details?: FieldError[] | undefined
  headers?: Record<string, string>
  /** Who is refused, where that is known before the handler. */
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

/** A reply that is not a plain 200. */
export class Answer<T> {
  readonly status: number
  readonly body: T
  constructor(status: number, body: T) {
    this.status = status
    this.body = body
  }
}

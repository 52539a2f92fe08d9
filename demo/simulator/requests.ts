import { hash } from 'node:crypto'

/** The body of a call that changes something, as it was sent. */
export type RecordRequest = Readonly<Record<string, unknown>>

/** The ERP said no, in its own words. */
export class Refusal extends Error {
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim())

/** The order of the keys is nobody's intent. */
export const hashOf = (body: RecordRequest): string =>
  hash('sha256', JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1))), 'hex')

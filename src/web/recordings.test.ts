import { describe, expect, it } from 'vitest'
import { ApiError, Unreachable } from './api.ts'
import { isDefinitive } from './recordings.ts'

const refusedWith = (status: number, code = 'some_refusal') => new ApiError(status, { message: 'Não', code })

describe('a frozen recording', () => {
  it.each([400, 403, 404, 409, 422])('is given up when the server refuses it with %i', (status) => {
    expect(isDefinitive(refusedWith(status))).toBe(true)
  })

  it.each([401, 408, 413, 429, 500, 502, 503, 504])('is kept when the answer is %i', (status) => {
    expect(isDefinitive(refusedWith(status))).toBe(false)
  })

  it('is kept when nobody answered, or a proxy did in its own words', () => {
    expect(isDefinitive(new Unreachable(new TypeError('Failed to fetch')))).toBe(false)
    expect(isDefinitive(refusedWith(404, 'http_404'))).toBe(false)
  })
})

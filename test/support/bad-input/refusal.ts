import { expect } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ErrorReply, type RefusalCode, refusals } from '../../../src/contract/errors.ts'
import { refusalsOf } from '../../../src/server/http/openapi.ts'

type Answered = { statusCode: number; headers: Record<string, unknown>; body: string }

const LEAK =
  /node_modules|\.ts\b|\bat .+:\d+|painel-industrial|sqlite|mysql|mariadb|ER_[A-Z]|\bselect\b.+\bfrom\b|insert into|stack/i
const ENGLISH =
  /\b(invalid|expected|received|required|must|too (big|small|long)|unrecognized|error|not found|bad request)\b/i

const textsOf = (code: RefusalCode) =>
  new RegExp(`^${refusals[code].message.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`)

/** A refusal in the contract's shape, in Portuguese, that gives nothing away. `endpoint` must have declared it. */
export function expectRefusal(answer: Answered, what: string, endpoint?: Endpoint): ErrorReply {
  expect(answer.statusCode, what).toBeGreaterThanOrEqual(400)
  expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500)
  expect(answer.headers['content-type'], what).toBe('application/json; charset=utf-8')
  expect(answer.headers['content-security-policy'], what).toContain("default-src 'none'")
  expect(answer.headers['cache-control'], what).toBe('no-store')
  const body = JSON.parse(answer.body) as ErrorReply
  expect(ErrorReply.parse(body), what).toEqual(body)
  const code = body.code as RefusalCode
  expect(refusals[code]?.status, `${what}: ${body.code}`).toBe(answer.statusCode)
  if (code !== 'erp_refused' && code !== 'input_invalid') expect(body.message, what).toMatch(textsOf(code))
  if (endpoint) expect(refusalsOf(endpoint), what).toContain(code)
  for (const words of [body.message, ...(body.details ?? []).map(({ message }) => message)]) {
    expect(words, what).not.toMatch(LEAK)
    expect(words, what).not.toMatch(ENGLISH)
  }
  return body
}

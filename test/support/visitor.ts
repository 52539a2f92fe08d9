import type { InjectOptions } from 'fastify'
import type { Session } from '../../src/contract/sessions.ts'
import { PASSWORD, type TestPanel } from './harness.ts'

/** The two halves of a session; a program has no cookie. */
export type Pair = { token: string; cookie: string | null; device: string | null; deliveryGrant: string | null }

export const sameOrigin = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
type Secrets = Pick<Pair, 'token' | 'cookie'>
type Headers = Record<string, string>
type Answer = Awaited<ReturnType<TestPanel['app']['inject']>>

export const cookieOf = (answer: Answer, name = '__Host-sid') =>
  answer.cookies.find((cookie) => cookie.name === name) ?? null

export const pairOf = (answer: Answer): Pair => {
  const { token, deliveryGrant } = answer.json<Session>()
  const device = cookieOf(answer, '__Host-device')?.value ?? null
  return { token, cookie: cookieOf(answer)?.value ?? null, device, deliveryGrant }
}

const cookieHeader = (cookie: string | null) => (cookie === null ? {} : { cookie: `__Host-sid=${cookie}` })

/** As our own page sends what is recorded. */
export const sessionOf = ({ token, cookie, device }: Pick<Pair, 'token' | 'cookie' | 'device'>) => ({
  ...sameOrigin,
  authorization: `Bearer ${token}`,
  cookie: `__Host-sid=${cookie}; __Host-device=${device}`,
})

/** As a tablet delivers in somebody's name who is not logged in any more. */
export const grantOf = ({ deliveryGrant, device }: Pick<Pair, 'deliveryGrant' | 'device'>) => ({
  authorization: `Grant ${deliveryGrant}`,
  ...(device === null ? {} : { cookie: `__Host-device=${device}` }),
})

/** Calls as our own page in a browser makes them. */
export function browserOf({ app }: Pick<TestPanel, 'app'>) {
  const login = async (username: string, password = PASSWORD, headers: Headers = sameOrigin) =>
    await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { username, password } })
  /** `headers` replace what the browser says of itself. */
  const ask = async ({ token, cookie }: Secrets, request: InjectOptions, headers: Headers = sameOrigin) =>
    await app.inject({
      ...request,
      headers: { authorization: `Bearer ${token}`, ...cookieHeader(cookie), ...headers, ...request.headers },
    })
  const post =
    (path: string) =>
    (pair: Secrets, headers: Headers = sameOrigin) =>
      ask(pair, { method: 'POST', url: `/api/auth/${path}` }, headers)
  return { login, ask, validate: post('validate'), refresh: post('refresh'), logout: post('logout') }
}

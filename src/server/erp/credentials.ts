import { isPaused, noRefusals, withRefusal } from '../../domain/people/login-pauses.ts'
import { asObject, errorIn } from './answer.ts'
import { type Calls, type Credentials, type ErpLog, NotExecuted } from './calls.ts'
import { ErpFailure } from './gateway.ts'
import { textOf } from './mapping.ts'
import { createTokens, type Grant } from './token.ts'

export type Logins = ReturnType<typeof openLogins>

/** Whether the ERP takes the panel's own user, and when that may be tried again. */
export function openLogins(now: () => number) {
  let refusals = noRefusals
  let isKnown = false
  return {
    /** Throws while logins are paused. */
    admit() {
      if (isPaused(refusals, now())) throw new NotExecuted('auth')
    },
    refused() {
      isKnown = true
      refusals = withRefusal(refusals, now())
    },
    accepted() {
      isKnown = true
      refusals = noRefusals
    },
    access: (): 'ok' | 'refused' => (refusals.count === 0 ? 'ok' : 'refused'),
    isKnown: () => isKnown,
  }
}

/** Life of a token when the Protheus names none. */
const EXPIRES_IN_S = 3600

/** Replaces half a surrogate pair, which JSON may carry but no address can, by U+FFFD. */
export const queryOf = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')

/** Every call is a login. A 403 may be about what was asked for. */
export const basicCredentials = (user: string, password: string, logins: Logins): Credentials => ({
  async current() {
    logins.admit()
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  },
  renew: async () => null,
  forget: () => {},
  answered(status) {
    if (status === 401) logins.refused()
    else if (status < 400) logins.accepted()
  },
})

/** A status of the address or of a proxy: it says nothing about the user. */
const SAYS_NOTHING_OF_USER = [404, 405, 408, 425, 429]

export function tokenCredentials(options: {
  url: string
  user: string
  password: string
  parametersIn: 'query' | 'form'
  timeoutMs: number
  exchange: Calls['exchange']
  now: () => number
  log: ErpLog
  logins: Logins
}): Credentials {
  /** Null: the ERP says no. */
  async function grant(parameters: Record<string, string>): Promise<Grant | null> {
    const encoded = queryOf(parameters)
    const inQuery = options.parametersIn === 'query'
    const answer = await options
      .exchange({
        method: 'POST',
        url: inQuery ? `${options.url}?${encoded}` : options.url,
        headers: {
          Accept: 'application/json',
          ...(inQuery ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        body: inQuery ? '' : encoded,
        timeoutMs: options.timeoutMs,
      })
      .catch((error: unknown) => {
        throw error instanceof ErpFailure ? new NotExecuted(error.kind) : error
      })
    if (answer.door !== 'open') throw new NotExecuted(answer.door === 'busy' ? 'busy' : 'unavailable')
    const object = asObject(answer.value)
    const accessToken = textOf(object?.ACCESS_TOKEN)
    if (accessToken === '' || errorIn(answer, ['ACCESS_TOKEN'])) {
      const { status } = answer
      options.log.warn({ status, grant: parameters.grant_type, repeats: status }, 'ERP gave no token')
      if (status < 500 && !SAYS_NOTHING_OF_USER.includes(status)) return null
      throw new NotExecuted('bad_answer')
    }
    return {
      accessToken,
      refreshToken: textOf(object?.REFRESH_TOKEN) || null,
      expiresInMs: (Number(object?.EXPIRES_IN) || EXPIRES_IN_S) * 1000,
    }
  }

  const tokens = createTokens({
    withPassword: async () => {
      options.logins.admit()
      const granted = await grant({ grant_type: 'password', username: options.user, password: options.password })
      if (granted) options.logins.accepted()
      else options.logins.refused()
      if (!granted) throw new NotExecuted('auth')
      return granted
    },
    // After any failed refresh the password is tried before the caller gets an error.
    withRefresh: (refreshToken) =>
      grant({ grant_type: 'refresh_token', refresh_token: refreshToken }).catch((error: unknown) => {
        if (error instanceof NotExecuted && error.kind === 'bad_answer') return null
        throw error
      }),
    now: options.now,
  })

  return {
    current: async () => `Bearer ${await tokens.current()}`,
    renew: async (refused) => `Bearer ${await tokens.renew(refused.slice('Bearer '.length))}`,
    forget: tokens.forget,
    answered: () => {},
  }
}

import { randomBytes } from 'node:crypto'

const HOUR_MS = 3_600_000
const ACCESS_LIFETIME_MS = HOUR_MS
const REFRESH_LIFETIME_MS = 24 * HOUR_MS

type TokenGrant = {
  access_token: string
  refresh_token: string
  scope: 'default'
  token_type: 'Bearer'
  expires_in: number
}

/** Who may call. Tokens outlive neither their hour nor a restart. */
export class Tokens {
  readonly #account: { user: string; password: string }
  readonly #now: () => number
  readonly #access = new Map<string, number>()
  readonly #refresh = new Map<string, number>()

  constructor(account: { user: string; password: string }, now: () => number) {
    this.#account = account
    this.#now = now
  }

  /** Null: turned away. */
  grant(parameters: URLSearchParams): TokenGrant | null {
    const type = parameters.get('grant_type')
    if (type === 'password') {
      const known = this.#isAccount(parameters.get('username'), parameters.get('password'))
      return known ? this.#issue() : null
    }
    const refresh = parameters.get('refresh_token') ?? ''
    if (type !== 'refresh_token' || !this.#isAlive(this.#refresh, refresh)) return null
    this.#refresh.delete(refresh)
    return this.#issue()
  }

  admits(authorization: string): boolean {
    const [scheme = '', credential = ''] = authorization.split(' ')
    if (scheme.toLowerCase() === 'bearer') return this.#isAlive(this.#access, credential)
    if (scheme.toLowerCase() !== 'basic') return false
    const [user = '', ...password] = Buffer.from(credential, 'base64').toString('utf8').split(':')
    return this.#isAccount(user, password.join(':'))
  }

  /** Every access token dies before its time. */
  revokeAccess(): void {
    this.#access.clear()
  }

  #isAccount(user: string | null, password: string | null): boolean {
    return user === this.#account.user && password === this.#account.password
  }

  #isAlive(tokens: Map<string, number>, token: string): boolean {
    return (tokens.get(token) ?? 0) > this.#now()
  }

  #issue(): TokenGrant {
    for (const tokens of [this.#access, this.#refresh]) {
      for (const [token, expiresAt] of tokens) if (expiresAt <= this.#now()) tokens.delete(token)
    }
    const make = () => `eyJ${randomBytes(24).toString('base64url')}`
    const [access, refresh] = [make(), make()]
    this.#access.set(access, this.#now() + ACCESS_LIFETIME_MS)
    this.#refresh.set(refresh, this.#now() + REFRESH_LIFETIME_MS)
    return {
      access_token: access,
      refresh_token: refresh,
      scope: 'default',
      token_type: 'Bearer',
      expires_in: ACCESS_LIFETIME_MS / 1000,
    }
  }
}

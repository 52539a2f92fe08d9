export type Grant = { accessToken: string; refreshToken: string | null; expiresInMs: number }

/** A token is renewed before it ends, so that no write is spent on finding out. */
const RENEW_AT = 0.8

/**
 * Caches one token. `withPassword` throws when the ERP refuses. `withRefresh` then gives null, and the password logs in
 * again.
 */
export function createTokens(options: {
  withPassword: () => Promise<Grant>
  withRefresh: (refreshToken: string) => Promise<Grant | null>
  now: () => number
}) {
  let cached: { grant: Grant; renewAt: number } | null = null
  let renewal: Promise<string> | null = null

  async function obtain(): Promise<string> {
    const refreshToken = cached?.grant.refreshToken
    const refreshed = refreshToken ? await options.withRefresh(refreshToken) : null
    // a refused refresh token is not tried again while password logins pause
    if (!refreshed) cached = null
    const grant = refreshed ?? (await options.withPassword())
    cached = { grant, renewAt: options.now() + grant.expiresInMs * RENEW_AT }
    return grant.accessToken
  }

  const renewOnce = () => {
    renewal ??= obtain().finally(() => {
      renewal = null
    })
    return renewal
  }

  const current = async () => (cached && options.now() < cached.renewAt ? cached.grant.accessToken : renewOnce())

  return {
    current,
    /** After the ERP refused `token`: another one. Several callers with the same refused token share one renewal. */
    renew: async (token: string) => (cached && cached.grant.accessToken !== token ? current() : renewOnce()),
    /** Even a renewed token was refused: begin again with the password. */
    forget() {
      cached = null
    },
  }
}

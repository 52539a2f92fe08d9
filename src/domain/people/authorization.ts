export type OutgoingCall = {
  /** Without query. */
  path: string
  /** The `Authorization` header that the caller has set, such as a delivery grant. */
  existing: string | null
  token: string | null
  /** base64 of `username:token`; never of a password. */
  basic: string | null
}

const isUnder = (path: string, base: string) => path === base || path.startsWith(`${base}/`)

/** The `Authorization` header a call travels with, or null for none. */
export function authorizationFor({ path, existing, token, basic }: OutgoingCall): string | null {
  if (existing) return existing
  const lowerPath = path.toLowerCase()
  if (lowerPath.includes('/auth/login')) return null
  if (isUnder(lowerPath, '/api/crimpagens')) return null
  if (isUnder(lowerPath, '/api/graficos')) return token ? `Bearer ${token}` : null
  return basic ? `Basic ${basic}` : null
}

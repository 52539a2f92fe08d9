import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What counts as one visitor's address: of IPv6 the first half, as a household or a machine has all of the second. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::').map((groups) => groups.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** An address or host name that never leaves this machine; browsers treat it as secure even without TLS. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i.test(host)

export const isSecure = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || isLoopback(request.hostname)

/**
 * Whether a call that carries our cookie comes from our own pages. What the browser says of itself comes first; a GET
 * on a plain HTTP address says nothing at all, there the cookie's SameSite carries it.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    return site === 'same-origin' || (site === 'none' && request.headers['sec-fetch-mode'] === 'navigate')
  }
  const { origin } = request.headers
  if (origin !== undefined) return isHostOf(origin, request.host)
  return request.method === 'GET' && request.protocol === 'http'
}

/** A proxy may write out the default port, which an origin leaves away. */
function isHostOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: wanted } = new URL(origin)
  const found = `${protocol}//${host}`
  return wanted !== '' && URL.canParse(found) && new URL(found).host === wanted
}

import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** One visitor's address: of IPv6 the first half, as a household or a machine has all of the second. */
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

/** Only browsers say of which page a call is, and they leave it away where a plain address is read. */
export const isOfPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/**
 * Whether a call with our cookie comes from our own pages. The browser's own headers decide first; a GET on plain HTTP
 * carries none, and SameSite of the cookie protects it.
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

/** Whether an untrusted sender set headers that name a visitor or its protocol. */
function isUnbelieved({ headers, ips, protocol, host }: FastifyRequest): boolean {
  const said = (name: string) => String(headers[`x-forwarded-${name}`] ?? '')
  // of a trusted proxy there are two addresses: its own and the visitor's
  if (said('for') !== '' && (ips ?? []).length < 2) return true
  return !(said('proto') || protocol).endsWith(protocol) || !(said('host') || host).endsWith(host)
}

/** Logs once that an untrusted address acts as a proxy: a visitor who lies, or a proxy missing in `TRUSTED_PROXIES`. */
export function warnOfStrangers(app: FastifyInstance): void {
  let isWarned = false
  app.addHook('onRequest', (request, _, done) => {
    if (!isWarned && isUnbelieved(request)) {
      isWarned = true
      const { remoteAddress: address } = request.socket
      request.log.warn({ address }, 'X-Forwarded headers of somebody who is not in TRUSTED_PROXIES are not believed')
    }
    done()
  })
}

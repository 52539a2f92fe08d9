import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Of the one style element that React Aria puts into the page. */
const REACT_ARIA_STYLE_SHA256 = 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${REACT_ARIA_STYLE_SHA256}'`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const headers = {
  // what may be kept says so itself
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

export const securityHeaders = ({ protocol }: Pick<FastifyRequest, 'protocol'>): Record<string, string> => ({
  ...headers,
  ...(protocol === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
})

export function sendSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders(request))
  })
}

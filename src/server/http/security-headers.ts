import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ALIVE_EVERY_S, ALIVE_HEADER } from '../../contract/live-changes.ts'

/** Hash of the one style element that React Aria puts into the page. */
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
  // a page to print is loaded into a frame of its own
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const plainHeaders = {
  [ALIVE_HEADER]: String(ALIVE_EVERY_S),
  // cacheable answers set their own header
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

const tlsHeaders = { ...plainHeaders, 'strict-transport-security': 'max-age=31536000' }

export const securityHeaders = ({ protocol }: Pick<FastifyRequest, 'protocol'>): Readonly<Record<string, string>> =>
  protocol === 'https' ? tlsHeaders : plainHeaders

/** Headers of a page of the server's own that the panel may put into a frame: it has this one style and no script. */
export const framedPageHeaders = (style: string): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
})

/** For an uploaded file: shown by itself it may do nothing, whatever it holds. */
export const uploadedFileHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
}

export function sendSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders(request))
    done()
  })
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a signature was made for is part of it: a device cookie is no delivery grant. */
export type Purpose = 'delivery-grant' | 'delivery-receipt' | 'device' | 'mark'

/** `payload.signature`, both base64url. */
export function sign(key: Buffer, purpose: Purpose, payload: object): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${macOf(key, purpose, body).toString('base64url')}`
}

/** What was signed, or null when this key did not sign it for this purpose. */
export function readSigned(key: Buffer, purpose: Purpose, signed: string): unknown {
  const [body = '', signature = ''] = signed.split('.')
  const wanted = macOf(key, purpose, body)
  const found = Buffer.from(signature, 'base64url')
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

const macOf = (key: Buffer, purpose: Purpose, body: string) =>
  createHmac('sha256', key).update(`${purpose}.${body}`).digest()

export const newSigningKey = (): string => randomBytes(32).toString('base64')

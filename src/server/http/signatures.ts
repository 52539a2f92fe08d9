import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The purpose is signed too: a device cookie is no delivery grant. */
export type Purpose = 'delivery-grant' | 'delivery-receipt' | 'device' | 'log-out' | 'mark' | 'mark-of-changes'

/** Signs with the current one; what the former one has signed is still read while it is there. */
export type Keys = { readonly current: Buffer; readonly former: Buffer | null }

/** `payload.signature`, both base64url. */
export function sign({ current }: Keys, purpose: Purpose, payload: object): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${body}.${macOf(current, purpose, body).toString('base64url')}`
}

/** The signed value, or null when none of these keys signed it for this purpose. */
export function readSigned({ current, former }: Keys, purpose: Purpose, signed: string): unknown {
  const [body = '', signature = ''] = signed.split('.')
  const found = Buffer.from(signature, 'base64url')
  const isBy = (key: Buffer) => {
    const wanted = macOf(key, purpose, body)
    return found.length === wanted.length && timingSafeEqual(found, wanted)
  }
  if (!isBy(current) && !(former && isBy(former))) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

const macOf = (key: Buffer, purpose: Purpose, body: string) =>
  createHmac('sha256', key).update(`${purpose}.${body}`).digest()

export const newSigningKey = (): string => randomBytes(32).toString('base64')

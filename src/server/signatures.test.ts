import { describe, expect, test } from 'vitest'
import { newSigningKey, readSigned, sign } from './signatures.ts'

const key = Buffer.from(newSigningKey(), 'base64')
const payload = { user: 7, name: 'José', expiresAt: 1 }

test('what was signed is read again with the same key for the same purpose', () => {
  const signed = sign(key, 'delivery-grant', payload)
  expect(signed).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(readSigned(key, 'delivery-grant', signed)).toEqual(payload)
})

describe('nobody else can have signed it:', () => {
  const signed = sign(key, 'delivery-grant', payload)
  const [body = '', signature = ''] = signed.split('.')
  const other = Buffer.from(JSON.stringify({ ...payload, user: 8 })).toString('base64url')
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`

  test.each([
    ['another content', `${other}.${signature}`],
    ['another signature', `${body}.${flipped}`],
    ['a shorter signature', `${body}.${signature.slice(0, 20)}`],
    ['no signature', body],
    ['an empty signature', `${body}.`],
    ['no content', `.${signature}`],
    ['nothing', ''],
    ['no base64', '???.???'],
    ['the parts swapped', `${signature}.${body}`],
    ['another purpose', sign(key, 'device', payload)],
    ['another key', sign(Buffer.from(newSigningKey(), 'base64'), 'delivery-grant', payload)],
  ])('%s', (_, forged) => {
    expect(readSigned(key, 'delivery-grant', forged)).toBeNull()
  })
})

test('every new key is another one, of 256 bits', () => {
  expect(newSigningKey()).not.toBe(newSigningKey())
  expect(Buffer.from(newSigningKey(), 'base64')).toHaveLength(32)
})

import { describe, expect, test } from 'vitest'
import { newSigningKey, readSigned, sign } from './signatures.ts'

const newKey = () => Buffer.from(newSigningKey(), 'base64')
const keys = { current: newKey(), former: newKey() }
const payload = { user: 7, name: 'José', expiresAt: 1 }

test('what was signed is read again with the same key for the same purpose', () => {
  const signed = sign(keys, 'delivery-grant', payload)
  expect(signed).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(readSigned(keys, 'delivery-grant', signed)).toEqual(payload)
})

test('what the former key signed is read while it is known, and nothing is signed with it', () => {
  const earlier = sign({ current: keys.former, former: null }, 'delivery-grant', payload)
  expect(readSigned(keys, 'delivery-grant', earlier)).toEqual(payload)
  expect(readSigned({ ...keys, former: null }, 'delivery-grant', earlier)).toBeNull()
  const signed = sign(keys, 'delivery-grant', payload)
  expect(readSigned({ current: keys.former, former: null }, 'delivery-grant', signed)).toBeNull()
})

describe('nobody else can have signed it:', () => {
  const signed = sign(keys, 'delivery-grant', payload)
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
    ['another purpose', sign(keys, 'device', payload)],
    ['another key', sign({ current: newKey(), former: keys.current }, 'delivery-grant', payload)],
  ])('%s', (_, forged) => {
    expect(readSigned(keys, 'delivery-grant', forged)).toBeNull()
  })
})

test('every new key is another one, of 256 bits', () => {
  expect(newSigningKey()).not.toBe(newSigningKey())
  expect(Buffer.from(newSigningKey(), 'base64')).toHaveLength(32)
})

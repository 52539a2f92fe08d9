import { expect, test } from 'vitest'
import { basicOf } from './credentials.ts'

test('the basic string carries names beyond Latin-1', () => {
  const basic = basicOf('conceição-Ωλ', 'tok:en')
  expect(Buffer.from(basic, 'base64').toString('utf8')).toBe('conceição-Ωλ:tok:en')
})

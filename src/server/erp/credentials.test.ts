import { expect, test } from 'vitest'
import { queryOf } from './credentials.ts'

test('any text is put into an address, half a character too', () => {
  expect(queryOf({ filial: 'T3,M RJ 01', ordem: '\ud800', posicao: 'J 02/A' })).toBe(
    'filial=T3%2CM%20RJ%2001&ordem=%EF%BF%BD&posicao=J%2002%2FA',
  )
})

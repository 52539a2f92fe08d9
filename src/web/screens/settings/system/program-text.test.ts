import { expect, test } from 'vitest'
import { programText } from './program-text.ts'

test('a program is named with its day, and that of a server of the version before without one', () => {
  expect(programText('2.1.0-426d119', '2026-11-26')).toBe('2.1.0-426d119, de 26/11/2026')
  for (const day of ['', null, undefined]) expect(programText('v2.0', day)).toBe('v2.0')
})

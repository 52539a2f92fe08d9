import { expect, test } from 'vitest'
import { foldedName } from './names.ts'

test.each([
  ['TPU\u200B9', 'TPU9'],
  ['TPU\u00A09', 'TPU 9'],
  ['KB\u00AD-78', 'KB-78'],
  ['\uFEFFKB 77\u2009', 'KB 77'],
  ['T\u2060\u200D1', 'T1'],
  ['Conexa\u0303o', 'Conexão'],
  // an accent that something invisible kept from its letter
  ['a\u200B\u0303', 'ã'],
  ['KB  77', 'KB  77'],
  [' T1 ', 'T1'],
  ['T1\n', 'T1'],
  [' ', ''],
  ['MA–1', 'MA–1'],
  ['日本語 😀', '日本語 😀'],
])('%j is folded to %j', (name, folded) => {
  expect(foldedName(name)).toBe(folded)
  expect(foldedName(folded)).toBe(folded)
})

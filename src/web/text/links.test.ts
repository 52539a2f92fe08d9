import { expect, test } from 'vitest'
import { junctionDetailsPath, links, returnPath } from './links.ts'

test.each([
  ['/pages/item-edit', '/pages/item-edit'],
  ['/pages/juncoes/detalhes/010101/1/J%2002%2FA?x=1', '/pages/juncoes/detalhes/010101/1/J%2002%2FA?x=1'],
  [null, links.dashboard],
  ['', links.dashboard],
  ['//evil.example', links.dashboard],
  ['/\\evil.example', links.dashboard],
  ['/\t/evil.example', links.dashboard],
  ['https://evil.example', links.dashboard],
  ['pages', links.dashboard],
  ['/auth/login', links.dashboard],
])('after login, %s leads to %s', (requested, path) => {
  expect(returnPath(requested)).toBe(path)
})

test('a position with a blank and a slash is one part of its address', () => {
  expect(junctionDetailsPath('010101', '01621401001', 'J 02/A')).toBe(
    '/pages/juncoes/detalhes/010101/01621401001/J%2002%2FA',
  )
})

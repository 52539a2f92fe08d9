import { afterEach, expect, test, vi } from 'vitest'
import { keepSearch } from './last-search.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a full storage keeps nobody from searching', () => {
  vi.stubGlobal('sessionStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(() => keepSearch({ plant: '010101', term: '12345601001' })).not.toThrow()
})

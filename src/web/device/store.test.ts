import { afterEach, expect, test, vi } from 'vitest'
import { readFromTab, readJson, writeToTab } from './store.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const holding = (texts: Map<string, string>) =>
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => texts.set(key, text),
  })

test('what is kept comes back; what was never kept, or is no JSON, is nothing', () => {
  holding(new Map([['broken', '{"plant":']]))
  writeToTab('search', { plant: '010101', term: 'ç' })
  expect(['search', 'never', 'broken'].map(readFromTab)).toEqual([{ plant: '010101', term: 'ç' }, null, null])
})

test.each([null, '', 'null', '{"plant":', '3', 'true', '"text"'])('%s is no object', (text) => {
  expect(readJson(text)).toBeNull()
})

test.each([[{ plant: '010101' }], [['one']]])('%j is read', (value) => {
  expect(readJson(JSON.stringify(value))).toEqual(value)
})

test('a full storage stops nobody', () => {
  vi.stubGlobal('sessionStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  expect(() => writeToTab('search', 1)).not.toThrow()
})

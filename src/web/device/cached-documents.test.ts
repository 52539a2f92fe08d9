import { expect, test } from 'vitest'
import { leavingFor } from './cached-documents.ts'

const cached = [
  { name: 'b', bytes: 40, openedAt: 2 },
  { name: 'a', bytes: 30, openedAt: 1 },
  { name: 'c', bytes: 20, openedAt: 3 },
]
const names = (bytes: number) => leavingFor(cached, bytes, 100).map(({ name }) => name)

test('what was opened longest ago leaves first, and no more than must', () => {
  expect(names(10)).toEqual([])
  expect(names(11)).toEqual(['a'])
  expect(names(41)).toEqual(['a', 'b'])
  expect(names(100)).toEqual(['a', 'b', 'c'])
})

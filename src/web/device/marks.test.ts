import { expect, test } from 'vitest'
import { isLater, readMark } from './marks.ts'

const signed = (mark: object) => `${Buffer.from(JSON.stringify(mark)).toString('base64url')}.assinatura`

test('a mark is read, and what is none is none', () => {
  expect(readMark(signed({ epoch: 'época-1', seq: 7 }))?.seq).toBe(7)
  expect([null, '', 'x', signed({}), signed({ epoch: 1, seq: 2 })].map(readMark)).toEqual(Array(5).fill(null))
})

test('the later one of an epoch is kept, and always that of another epoch', () => {
  const mark = { epoch: 'a', seq: 5 }
  expect([4, 5, 6].map((seq) => isLater({ epoch: 'a', seq }, mark))).toEqual([false, false, true])
  expect(isLater({ epoch: 'b', seq: 1 }, mark)).toBe(true)
  expect(isLater(mark, null)).toBe(true)
})

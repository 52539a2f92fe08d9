import { expect, test } from 'vitest'
import { framedIn, runsOf } from './frames.ts'

test.each([
  [']C0KX0001', 'KX0001'],
  [']E0MA-0412', 'MA-0412'],
  [']q3MA-0412', 'MA-0412'],
  ['*KX0001*', 'KX0001'],
  ['* KX0001 *', 'KX0001'],
  [']A0*KX0001*', 'KX0001'],
  ['A01621401001B', '01621401001'],
  ['a01621401001d', '01621401001'],
  ['D26112104A', '26112104'],
  ['\u200bKX0001\u00a0', 'KX0001'],
])('%s holds %s', (label, code) => {
  expect(framedIn(label)).toContain(code)
})

test.each(['L261121001', 'A12B', 'B23-004517/2', '*', '**', ']C0', 'C1', 'ABRAD'])('%s has no frame', (label) => {
  expect(framedIn(label)).toEqual([label])
})

test('runs of a text are all of its places', () => {
  expect(runsOf('abcd', 3)).toEqual(['abc', 'bcd'])
  expect(runsOf('ab', 3)).toEqual([])
})

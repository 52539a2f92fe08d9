import { expect, test } from 'vitest'
import { framedIn, runsOf, withoutSigns } from './frames.ts'

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
  ['t01621401001e', '01621401001'],
  ['N01621401001*', '01621401001'],
  [']F1A01621401001B', '01621401001'],
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

test.each([
  ['A\n#\n', 'AKX0001#', 'KX0001'],
  ['A\n#\n', 'akx0001#', 'kx0001'],
  ['A\n#\n', 'AKX0001', 'AKX0001'],
  ['A\n#\n', 'KX0001#', 'KX0001#'],
  ['A\n#\n', 'A#', 'A#'],
  ['AB\nBA\n', 'ABA', 'ABA'],
  ['A\n\n', 'AAB12', 'AB12'],
  ['\n#\n', 'KX0001#', 'KX0001'],
  ['\n\n|', '0101|6214|01', '0101621401'],
  ['A\n#\n|', 'L26|112', 'L26|112'],
  ['', 'KX0001', 'KX0001'],
])('of a reader that adds %j, %s says %s', (signs, label, text) => {
  expect(withoutSigns(label, signs)).toBe(text)
})

import { expect, test } from 'vitest'
import { withoutSigns } from './frames.ts'
import { signsAround } from './reader-signs.ts'

const CODE = '0101621401001000010007'

test.each([
  [`A${CODE}#`, CODE, 'A\n#\n'],
  [`${CODE}~`, CODE, '\n~\n'],
  [`]C0A${CODE}`, CODE, 'A\n\n'],
  [`A]C0${CODE}#`, CODE, 'A\n#\n'],
  [`*xMA-0412*`, 'MA-0412', 'x\n\n'],
  ['akx0001', 'KX0001', 'a\n\n'],
  ['0101|6214|01', '0101621401', '\n\n|'],
  ['#0101;6214|01%', '0101621401', '#\n%\n;|'],
  ['KX0001\uFFFD', 'KX0001', '\n\uFFFD\n'],
  [CODE, CODE, ''],
  [`]C0${CODE}`, CODE, ''],
])('%s read of %s teaches %j', (read, label, signs) => {
  expect(signsAround(read, label)).toBe(signs)
  expect(withoutSigns(read.replace(/\][CE]0/, '').replaceAll('*', ''), signs).toUpperCase()).toBe(label.toUpperCase())
})

test.each([
  ['another label', 'KX0001', 'PR0001'],
  ['a part of what is printed', CODE, '01621401001'],
  ['a hyphen that was not typed: labels have it', 'B23-004517', 'B23004517'],
  ['a sign that no key says, within', `0101\uFFFD6214`, '01016214'],
  ['a group separator, which parts two codes', `0101\u001D6214`, '01016214'],
  ['two lines', `KX0001\nKX0001`, 'PR0001'],
])('%s teaches nothing', (_, read, label) => {
  expect(signsAround(read, label)).toBeNull()
})

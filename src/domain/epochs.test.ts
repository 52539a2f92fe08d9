import { expect, test } from 'vitest'
import { isCoveredBy, proveYounger, type Witness } from './epochs.ts'

const of = (kind: Witness['kind'], device: string, subject = '5'): Witness => ({ kind, device, subject })

test.each<[what: string, witnesses: Witness[], isProof: boolean]>([
  ['nobody', [], false],
  ['one mark', [of('mark', 'a')], false],
  ['one receipt', [of('receipt', 'a')], false],
  ['two marks of one device', [of('mark', 'a'), of('mark', 'a', '6')], false],
  ['a receipt and a mark of one device', [of('receipt', 'a'), of('mark', 'a')], true],
  ['marks of two devices', [of('mark', 'a'), of('mark', 'b')], true],
  ['receipts of two devices', [of('receipt', 'a'), of('receipt', 'b')], true],
])('%s: whether that proves that the database went back', (_, witnesses, isProof) => {
  expect(proveYounger(witnesses)).toBe(isProof)
})

test('a device says nothing new with a mark that is no higher, nor with the same receipt', () => {
  expect(isCoveredBy(of('mark', 'a', '9'), of('mark', 'a', '10'))).toBe(true)
  expect(isCoveredBy(of('mark', 'a', '11'), of('mark', 'a', '10'))).toBe(false)
  expect(isCoveredBy(of('mark', 'a', '9'), of('mark', 'b', '10'))).toBe(false)
  expect(isCoveredBy(of('receipt', 'a', 'x'), of('receipt', 'a', 'x'))).toBe(true)
  expect(isCoveredBy(of('receipt', 'a', 'y'), of('receipt', 'a', 'x'))).toBe(false)
})

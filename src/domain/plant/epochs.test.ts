import { expect, test } from 'vitest'
import { isCoveredBy, proveYounger, type Witness } from './epochs.ts'

const of = (kind: Witness['kind'], device: string, subject = '5'): Witness => ({ kind, device, subject })

test.each<[what: string, witnesses: Witness[], isProof: boolean]>([
  ['nobody', [], false],
  ['one mark', [of('deliveries', 'a')], false],
  ['one receipt', [of('receipt', 'a')], false],
  ['both marks of one device', [of('deliveries', 'a'), of('changes', 'a')], false],
  ['a receipt and a mark of one device', [of('receipt', 'a'), of('deliveries', 'a')], true],
  ['marks of two devices', [of('deliveries', 'a'), of('deliveries', 'b')], true],
  ['receipts of two devices', [of('receipt', 'a'), of('receipt', 'b')], true],
])('%s: whether that proves that the database went back', (_, witnesses, isProof) => {
  expect(proveYounger(witnesses)).toBe(isProof)
})

test('a device says nothing new with a mark that is no higher, nor with the same receipt', () => {
  expect(isCoveredBy(of('deliveries', 'a', '9'), of('deliveries', 'a', '10'))).toBe(true)
  expect(isCoveredBy(of('deliveries', 'a', '11'), of('deliveries', 'a', '10'))).toBe(false)
  expect(isCoveredBy(of('deliveries', 'a', '9'), of('deliveries', 'b', '10'))).toBe(false)
  expect(isCoveredBy(of('deliveries', 'a', '9'), of('changes', 'a', '10'))).toBe(false)
  expect(isCoveredBy(of('receipt', 'a', 'x'), of('receipt', 'a', 'x'))).toBe(true)
  expect(isCoveredBy(of('receipt', 'a', 'y'), of('receipt', 'a', 'x'))).toBe(false)
})

import { expect, test } from 'vitest'
import { checkCharacter, itemBarcode } from './barcode.ts'

test.each(['0101621401001000010007', '010162140100100002000S', '0200A3F7010020001350B2'])(
  'the check character of %s is its last',
  (barcode) => {
    expect(checkCharacter(barcode.slice(0, 21))).toBe(barcode.at(-1))
  },
)

test('a barcode is made of plant, order, item and revision', () => {
  const of = { branch: '020101', order: '00A3F701002', item: '135', revision: 'B' }
  expect(itemBarcode(of)).toBe('0200A3F7010020001350B2')
})

test('the colour and size grid of a long order number stays out', () => {
  const of = { branch: '010101', item: '000010', revision: '00' }
  expect(itemBarcode({ ...of, order: '01621401001A01' })).toBe(itemBarcode({ ...of, order: '01621401001' }))
})

test('every single wrong character is caught', () => {
  const barcode = '010162140100100002000S'
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const wrong = [...barcode.slice(0, 21)].flatMap((right, at) =>
    alphabet.filter((c) => c !== right).map((c) => barcode.slice(0, at) + c + barcode.slice(at + 1, 21)),
  )
  expect(wrong).toHaveLength(21 * 35)
  expect(wrong.filter((text) => checkCharacter(text) === 'S')).toEqual([])
})

test('other characters have no check character', () => {
  expect(() => checkCharacter('01a')).toThrow("'a'")
})

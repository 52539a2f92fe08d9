import { expect, test } from 'vitest'
import { dayIn, dayProblem, leftWith, typedOn } from './typed-days.ts'

test.each([
  ['21/11/2026', '2026-11-21'],
  [' 1/2/2027 ', '2027-02-01'],
  ['01.02.2027', '2027-02-01'],
  ['01-02-2027', '2027-02-01'],
  ['01022027', '2027-02-01'],
  ['2027-02-01', '2027-02-01'],
  ['29/02/2028', '2028-02-29'],
  ['29/02/2027', ''],
  ['00/01/2027', ''],
  ['01/13/2027', ''],
  ['21/11/1999', ''],
  ['21/11/0026', ''],
  ['21/11/3000', ''],
  ['21/11/26', ''],
  ['21/11/20261', ''],
  ['L21112026', ''],
  ['0101621401001000010007', ''],
  ['', ''],
])('%j means the day %j', (text, day) => expect(dayIn(text)).toBe(day))

/** One key after the other at the end of the box. */
const type = (keys: string) => [...keys].reduce((text, key) => typedOn(text, text + key), '')

test.each([
  ['21112026', '21/11/2026'],
  ['2111', '21/11'],
  ['211', '21/1'],
  ['21/11/2026', '21/11/2026'],
  ['1/2/2027', '01/02/2027'],
  ['211120261', '21/11/20261'],
  ['L261121001', 'L261121001'],
  ['0101621401001000010007', '01/01/621401001000010007'],
])('the keys %j show %j', (keys, shown) => expect(type(keys)).toBe(shown))

test('what is pasted into an empty box is shown as a day, and what cannot be one stays to be seen', () => {
  const pasted = ['2026-11-21', '21112026', '21.11.2026', 'amanhã', '0101621401001000010007']
  expect(pasted.map((text) => typedOn('', text))).toEqual([
    '21/11/2026',
    '21/11/2026',
    '21/11/2026',
    'amanhã',
    '0101621401001000010007',
  ])
})

test('a change inside of it moves nothing under the cursor, and neither does deleting', () => {
  expect(typedOn('21/11/2026', '2/11/2026')).toBe('2/11/2026')
  expect(typedOn('2/11/2026', '25/11/2026')).toBe('25/11/2026')
  expect(typedOn('21/1', '21/')).toBe('21/')
  expect(typedOn('21/', '21')).toBe('21')
})

test('left alone it is written out, with its century', () => {
  const left = ['5/3/27', '5/11/2026', '21112026', '21/11', '', 'x', '05/03/2']
  expect(left.map(leftWith)).toEqual(['05/03/2027', '05/11/2026', '21/11/2026', '21/11', '', 'x', '05/03/2'])
})

test.each([
  ['', true, undefined],
  ['21/11/2026', true, undefined],
  ['21/11', false, undefined],
  ['21/11', true, 'Data incompleta: digite dd/mm/aaaa.'],
  ['31/02/2026', false, 'Esta data não existe.'],
  ['21/11/0202', false, 'O ano vai de 2000 a 2999.'],
  ['21/11/20261', false, 'Esta data não existe.'],
  ['L261121001', false, 'Esta data não existe.'],
])('of %j, left: %s, is said: %s', (text, isLeft, said) => expect(dayProblem(text, isLeft)).toBe(said))

import { expect, test } from 'vitest'
import { decimalInFile, readNumber, readWhole } from './numbers.ts'

test.each([
  ['70', 70],
  [' 120 ', 120],
  ['007', 7],
  ['1.000', 1000],
  ['12.345.678', 12_345_678],
  ['70,7', Number.NaN],
  ['2.5', Number.NaN],
  ['1.00', Number.NaN],
  ['1000.000', Number.NaN],
  ['-5', Number.NaN],
  ['+5', Number.NaN],
  ['1e3', Number.NaN],
  ['5 peças', Number.NaN],
  ['٣', Number.NaN],
  ['', Number.NaN],
])('%j as a whole number is %d', (text, value) => {
  expect(readWhole(text)).toBe(value)
})

test('a number takes comma and dot', () => {
  expect(['1,5', '1.5', '-2', ',5', 'x', '1.000,5'].map(readNumber)).toEqual([
    1.5,
    1.5,
    -2,
    0.5,
    Number.NaN,
    Number.NaN,
  ])
})

test.each([
  ['1.250', '1.250: escreva 1250 ou 1,250'],
  [' 46.032 ', '46.032: escreva 46032 ou 46,032'],
  ['1.000', '1.000: escreva 1000 ou 1,000'],
  ['999.999', '999.999: escreva 999999 ou 999,999'],
])('a decimal of a file that can be read in two ways is refused with both: %j', (cell, fault) => {
  expect(decimalInFile(cell)).toEqual({ fault })
})

test.each([
  ['0.500', '0.500'],
  ['012.345', '012.345'],
  ['70.5', '70.5'],
  ['1,250', '1,250'],
  ['1234.567', '1234.567'],
  ['1.250,00', '1250,00'],
  ['12.345,678', '12345,678'],
  ['1.250.000', '1250000'],
  // an English file: the same program would write '1,250' for 1250, so that it is refused as no number
  ['1,250.00', '1,250.00'],
  ['0.500,5', '0.500,5'],
  ['x', 'x'],
])('a decimal of a file that can be read in one way is as a box takes it: %j is %j', (cell, text) => {
  expect(decimalInFile(cell)).toEqual({ text })
})

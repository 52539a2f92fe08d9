import { expect, test } from 'vitest'
import { csvFile, csvText } from './csv.ts'

test.each([
  ['Crimpador ÁÉÇ', 'Crimpador ÁÉÇ'],
  ['a;b', 'a,b'],
  ['uma\r\nduas\ntrês\rquatro', 'uma duas três quatro'],
  ['=1+1', "'=1+1"],
  ['+55', "'+55"],
  ['-5', "'-5"],
  ['@SOMA', "'@SOMA"],
  ['\tx', "'\tx"],
  ['2" tubo', '"2"" tubo"'],
  ['="x"', `"'=""x"""`],
  ['', ''],
])('%j is written as %j', (value, cell) => {
  expect(csvText(value)).toBe(cell)
})

test('a file begins with the byte-order mark, cells are parted by semicolons, rows end as RFC 4180 says', () => {
  expect(
    csvFile([
      ['Mini Aplicador', 'Qtd. Crimpagem'],
      ['MA-0001', '97000'],
    ]),
  ).toBe('\uFEFFMini Aplicador;Qtd. Crimpagem\r\nMA-0001;97000\r\n')
})

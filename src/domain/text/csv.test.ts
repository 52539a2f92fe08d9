import { expect, test } from 'vitest'
import { csvCode, csvOf, csvText } from './csv.ts'

test.each([
  ['Crimpador ÁÉÇ', '"Crimpador ÁÉÇ"'],
  ['a;b', '"a,b"'],
  ['uma\r\nduas\ntrês\rquatro', '"uma duas três quatro"'],
  ['=1+1', `"'=1+1"`],
  [' =1+1', `" '=1+1"`],
  ['+55', `"'+55"`],
  ['-5', `"'-5"`],
  ['@SOMA', `"'@SOMA"`],
  ['\tx', `"'\tx"`],
  ['2" tubo', '"2"" tubo"'],
  ['="x"', `"'=""x"""`],
  ['', ''],
])('%j is written as %j', (value, cell) => {
  expect(csvText(value)).toBe(cell)
})

test.each([
  ['a,=1+1', `"a,'=1+1"`],
  ['a;=1+1', `"a,'=1+1"`],
  ['a; +1', `"a,' +1"`],
  ['a\t-1', `"a\t'-1"`],
  ['a|@SOMA', `"a|'@SOMA"`],
  ['a","=1+1', `"a"",'""=1+1"`],
  ['a\n=1+1', `"a '=1+1"`],
  [',;=1', `",,'=1"`],
  ['10 - 20, 5-6 e 7+8', '"10 - 20, 5-6 e 7+8"'],
])('whoever opens %j with another separator finds no formula: %j', (value, cell) => {
  expect(csvText(value)).toBe(cell)
})

test.each([
  ['0101621401001000010007', '"=""0101621401001000010007"""'],
  ['12-11', '"=""12-11"""'],
  ['2" a;b', '"=""2"""" a,b"""'],
  ['1,=1+1', `"=""1,'=1+1"""`],
  ['L12', '"=""L12"""'],
  ['MAR-01', '"=""MAR-01"""'],
  ['ABR 10', '"=""ABR 10"""'],
  ['FALSO', '"=""FALSO"""'],
  ['x'.repeat(256), `"${'x'.repeat(256)}"`],
  ['=1+1', `"=""'=1+1"""`],
  ['', ''],
])('the code %j is written as %j', (value, cell) => {
  expect(csvCode(value)).toBe(cell)
})

test('a file begins with the byte-order mark, cells are parted by semicolons, rows end as RFC 4180 says', () => {
  expect(
    csvOf<[string, number]>(
      [
        ['Mini Aplicador', ([name]) => name],
        ['Qtd. Crimpagem', ([, crimps]) => String(crimps)],
      ],
      [['MA-0001', 97_000]],
    ),
  ).toBe('\uFEFFMini Aplicador;Qtd. Crimpagem\r\nMA-0001;97000\r\n')
})

import { expect, test } from 'vitest'
import { isSpreadsheetValue } from './spreadsheet-values.ts'

test.each([
  ...[
    '12/nov',
    '1/mar',
    'nov/26',
    'mar/2026',
    '12/11/26',
    '12/11/2026',
    '1/3/2026',
    '12/11/2026 00:00',
    '12/nov/26',
    '1/mar/2026',
  ],
  ...['1,32603E+11', '1,00E+05', '1E+20', '1.5E-07'],
  ...['#REF!', '#N/D', '#N/A', '#VALOR!', '#DIV/0!', '#NOME?', '#NÚM!', '#####', 'Err:508', '#OBTENDO_DADOS'],
  ...['VERDADEIRO', 'FALSO', 'TRUE', 'FALSE'],
])('%s is what a spreadsheet writes for something else', (cell) => expect(isSpreadsheetValue(cell)).toBe(true))

test.each([
  ...['MAR-01', 'SET-02', 'ABR 10', 'NOV/26', '12-11', '12/50/1234', '45/nov', '1/2', '12/nov-A'],
  ...[
    '1E5',
    '12E+11A',
    'E+11',
    '#1',
    'T#REF',
    'ERR:508',
    'Falso',
    'True',
    'VERDADEIRO 2',
    '0101621401001000010007',
    '',
  ],
])('%s is a name as a person gives one', (cell) => expect(isSpreadsheetValue(cell)).toBe(false))

import { expect, test } from 'vitest'
import { readUserImport } from '../../../../domain/people/user-imports.ts'
import { importText } from './import-text.ts'

const text = 'nome;usuario;papel\nJoão Dias;joao.dias;operador'
const named = { users: [{ fullName: 'João Dias' }], faults: [] }
const read = (bytes: Uint8Array) => readUserImport(importText(bytes))

test('a spreadsheet saved as UTF-8, with or without a mark, or by an older one as CP1252 keeps its accents', () => {
  expect(read(Buffer.from(text, 'utf8'))).toMatchObject(named)
  expect(read(Buffer.from(`\uFEFF${text}`, 'utf8'))).toMatchObject(named)
  expect(read(Buffer.from(text, 'latin1'))).toMatchObject(named)
})

test('what is no CSV is refused: UTF-16, a workbook', () => {
  const refused = { users: [], faults: [{ line: 1, message: 'Isto não é um CSV: grave a planilha como CSV (UTF-8).' }] }
  expect(read(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(refused)
  expect(read(Buffer.from('504b0304140006000800', 'hex'))).toEqual(refused)
})

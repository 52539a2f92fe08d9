import { expect, test } from 'vitest'
import { reportCsv } from './production-reports-csv.ts'

const totals = { apontamentos: 3, cortes: 1500, crimpagens: 20, juncoes: 0 }

test('a report as a spreadsheet opens it', () => {
  const lines = [
    { nome: 'KX0001 - Komax; "alfa"', ...totals },
    { nome: '', apontamentos: 1, cortes: 0, crimpagens: 0, juncoes: 4 },
  ]
  expect(reportCsv('maquina', { lines, totals })).toBe(
    '\uFEFFMáquina;Apontamentos;Cortes;Crimpagens;Junções\r\n' +
      '"KX0001 - Komax, ""alfa""";3;1500;20;0\r\n' +
      'Não informado;1;0;0;4\r\n' +
      'Total;3;1500;20;0\r\n',
  )
})

test('days as people write them, and a name that is no formula', () => {
  const rowsOf = (grouping: 'dia' | 'operador', nome: string) =>
    reportCsv(grouping, { lines: [{ nome, ...totals }], totals }).split('\r\n')[1]
  expect(rowsOf('dia', '2026-11-21')).toBe('21/11/2026;3;1500;20;0')
  expect(rowsOf('operador', '=1+1')).toBe("'=1+1;3;1500;20;0")
})

import { expect, test } from 'vitest'
import type { Grouping, ProductionLine } from '../contract/production-reports.ts'
import { reportCsv } from './production-reports-csv.ts'

const totais = { apontamentos: 3, cortes: 1500, crimpagens: 20, juncoes: 0 }
const reportOf = (linhas: ProductionLine[], linhasTotal = linhas.length) => ({ linhas, totais, linhasTotal })

test('a report as a spreadsheet opens it', () => {
  const lines = [
    { nome: 'KX0001 - Komax; "alfa"', ...totais },
    { nome: '', apontamentos: 1, cortes: 0, crimpagens: 0, juncoes: 4 },
  ]
  expect(reportCsv('maquina', reportOf(lines))).toBe(
    '\uFEFFMáquina;Apontamentos;Cortes;Crimpagens;Junções\r\n' +
      '"KX0001 - Komax, ""alfa""";3;1500;20;0\r\n' +
      '"Não informado";1;0;0;4\r\n' +
      'Total;3;1500;20;0\r\n',
  )
})

test('days as people write them, orders with their zeros, and a name that is no formula', () => {
  const rowsOf = (grouping: Grouping, nome: string) =>
    reportCsv(grouping, reportOf([{ nome, ...totais }])).split('\r\n')[1]
  expect(rowsOf('dia', '2026-11-21')).toBe('"21/11/2026";3;1500;20;0')
  expect(rowsOf('ordem', '01621401001')).toBe('"=""01621401001""";3;1500;20;0')
  expect(rowsOf('operador', '=1+1')).toBe(`"'=1+1";3;1500;20;0`)
})

test('what it leaves out stands in one line, so that the lines make the total', () => {
  const line = { nome: 'KX0001', apontamentos: 1, cortes: 500, crimpagens: 15, juncoes: 3 }
  const sums = { ...totais, juncoes: 7 }
  const rows = (linhasTotal: number) =>
    reportCsv('maquina', { linhas: [line], totais: linhasTotal === 1 ? line : sums, linhasTotal })
      .split('\r\n')
      .slice(2, -1)
  expect(rows(2)).toEqual(['Outra linha;2;1000;5;4', 'Total;3;1500;20;7'])
  expect(rows(41)).toEqual(['Outras 40 linhas;2;1000;5;4', 'Total;3;1500;20;7'])
  expect(rows(1)).toEqual(['Total;1;500;15;3'])
})

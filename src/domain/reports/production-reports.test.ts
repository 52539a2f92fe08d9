import { describe, expect, test } from 'vitest'
import type { Grouping, ProductionLine } from '../../contract/production-reports.ts'
import { addDays } from '../plant/plant-time.ts'
import { barsOf, lineName, periodText, quickChoices, quickPeriod, reportCsv, reportName } from './production-reports.ts'

describe('quickPeriod', () => {
  const periodsOf = (today: string) => quickChoices.map((choice) => Object.values(quickPeriod(choice, today)))

  test('in the midst of a month', () => {
    expect(periodsOf('2026-11-21')).toEqual([
      ['2026-11-21', '2026-11-21'],
      ['2026-11-20', '2026-11-20'],
      ['2026-11-15', '2026-11-21'],
      ['2026-11-01', '2026-11-21'],
      ['2026-10-01', '2026-10-31'],
    ])
  })

  test('on the first day of a year', () => {
    expect(periodsOf('2027-01-01')).toEqual([
      ['2027-01-01', '2027-01-01'],
      ['2026-12-31', '2026-12-31'],
      ['2026-12-26', '2027-01-01'],
      ['2027-01-01', '2027-01-01'],
      ['2026-12-01', '2026-12-31'],
    ])
  })

  test('a leap day', () => {
    expect(quickPeriod('lastMonth', '2028-03-31')).toEqual({ start: '2028-02-01', end: '2028-02-29' })
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
  })
})

test('a period of one day is that day', () => {
  expect(periodText({ start: '2026-11-21', end: '2026-11-21' })).toBe('21/11/2026')
  expect(periodText({ start: '2026-11-01', end: '2026-11-21' })).toBe('01/11/2026 a 21/11/2026')
})

test('what a line without a name is called', () => {
  expect(lineName('', 'maquina')).toBe('Não informado')
  expect(lineName('2026-11-21', 'dia')).toBe('21/11/2026')
  expect(lineName('2026-11-21', 'ordem'), 'an order that looks like a day').toBe('2026-11-21')
})

test('the name of a file says what it holds', () => {
  expect(reportName('miniaplicador', { start: '2026-11-01', end: '2026-11-21' })).toBe(
    'relatorio_producao_miniaplicador_2026-11-01_2026-11-21',
  )
})

describe('barsOf', () => {
  const line = (nome: string, cortes: number) => ({ nome, cortes, crimpagens: 1, juncoes: 0 })
  const period = { start: '2026-11-01', end: '2026-11-03' }

  test('the largest, and the rest as one sum', () => {
    const lines = Array.from({ length: 23 }, (_, at) => line(`KX${at}`, at))
    const { bars, restCount, restAmount } = barsOf(lines, 'cortes', 'maquina', period)
    expect(bars).toHaveLength(20)
    expect(bars[0]).toEqual({ name: 'KX22', amount: 22 })
    expect(bars.at(-1)).toEqual({ name: 'KX3', amount: 3 })
    expect({ restCount, restAmount }, 'KX0 has produced nothing').toEqual({ restCount: 2, restAmount: 3 })
  })

  test('nothing of that kind', () => {
    expect(barsOf([line('KX1', 5)], 'juncoes', 'maquina', period)).toEqual({ bars: [], restCount: 0, restAmount: 0 })
  })

  test('a day without production is a gap among the days', () => {
    expect(barsOf([line('2026-11-01', 5), line('2026-11-03', 7)], 'cortes', 'dia', period).bars).toEqual([
      { name: '2026-11-01', amount: 5 },
      { name: '2026-11-02', amount: 0 },
      { name: '2026-11-03', amount: 7 },
    ])
  })

  test('of a long period the last days', () => {
    const lines = [line('2026-01-05', 5), line('2026-01-06', 6), line('2026-12-31', 9)]
    const long = barsOf(lines, 'cortes', 'dia', { start: '2026-01-01', end: '2026-12-31' })
    expect(long.bars).toHaveLength(92)
    expect(long.bars[0]?.name).toBe('2026-10-01')
    expect(long.bars.at(-1)).toEqual({ name: '2026-12-31', amount: 9 })
    expect(long).toMatchObject({ restCount: 2, restAmount: 11 })
  })
})

const totais = { apontamentos: 3, cortes: 1500, crimpagens: 20, juncoes: 0 }
const reportOf = (linhas: ProductionLine[], linhasTotal = linhas.length) => ({ linhas, totais, linhasTotal })

test('a report as a spreadsheet opens it', () => {
  const lines = [
    { nome: 'KX0001 - Komax; "alfa"', ...totais },
    { nome: '', apontamentos: 1, cortes: 0, crimpagens: 0, juncoes: 4 },
  ]
  expect(reportCsv('maquina', reportOf(lines))).toBe(
    '\uFEFFMáquina;Apontamentos;Cortes;Crimpagens;Junções\r\n' +
      '"=""KX0001 - Komax, """"alfa""""""";3;1500;20;0\r\n' +
      '"=""Não informado""";1;0;0;4\r\n' +
      'Total;3;1500;20;0\r\n',
  )
})

test('days as people write them, orders with their zeros, and a name that is no formula', () => {
  const rowsOf = (grouping: Grouping, nome: string) =>
    reportCsv(grouping, reportOf([{ nome, ...totais }])).split('\r\n')[1]
  expect(rowsOf('dia', '2026-11-21')).toBe('"21/11/2026";3;1500;20;0')
  expect(rowsOf('ordem', '01621401001')).toBe('"=""01621401001""";3;1500;20;0')
  expect(rowsOf('operador', '=1+1')).toBe(`"=""'=1+1""";3;1500;20;0`)
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

import { expect, test } from 'vitest'
import { chartCsv, chartFileName } from './charts-csv.ts'

test('a file of a chart has a row per month and a column per series', () => {
  const series = [
    { name: 'Crimpagens', values: [1200, 0, 7] },
    { name: 'T1326030', values: [1200, 0, 5] },
    { name: '=T2;x', values: [0, 0, 2] },
    { name: '0925-10', values: [0, 0, 0] },
  ]
  expect(chartCsv({ categoryName: 'Mês', categories: ['jan/26', 'fev/26', 'mar/26'], series })).toBe(
    `\uFEFF"Mês";"Crimpagens";"T1326030";"'=T2,x";"=""0925-10"""\r\n"jan/26";1200;1200;0;0\r\n"fev/26";0;0;0;0\r\n"mar/26";7;5;2;0\r\n`,
  )
})

test('the file is named after what it shows, without what no file name may hold', () => {
  expect(chartFileName('crimpagens_MA-0001', '2026-11-21', 'csv')).toBe('crimpagens_MA-0001_2026-11-21.csv')
  expect(chartFileName('crimpagens_T 13/26: "ção"', '2026-11-21', 'png')).toBe('crimpagens_T-13-26-ção-_2026-11-21.png')
})

import type { Grouping, ProductionReport, ProductionTotals } from '../contract/production-reports.ts'
import { csvCode, csvFile, csvText } from './csv.ts'
import { groupingNames, lineName } from './production-reports.ts'

const amountCells = ({ apontamentos, cortes, crimpagens, juncoes }: ProductionTotals) =>
  [apontamentos, cortes, crimpagens, juncoes].map(String)

/** What the lines that are not given produced. */
function restOf({ linhas, totais, linhasTotal }: ProductionReport): string[][] {
  const count = linhasTotal - linhas.length
  if (count === 0) return []
  const rest = { ...totais }
  for (const line of linhas) {
    rest.apontamentos -= line.apontamentos
    rest.cortes -= line.cortes
    rest.crimpagens -= line.crimpagens
    rest.juncoes -= line.juncoes
  }
  return [[count === 1 ? 'Outra linha' : `Outras ${count} linhas`, ...amountCells(rest)]]
}

/** The lines in the order given, what they leave out, and the totals last. */
export const reportCsv = (grouping: Grouping, report: ProductionReport): string => {
  // a day is one for a spreadsheet too; an order of digits only is no number
  const nameCell = grouping === 'dia' ? csvText : csvCode
  return csvFile([
    [groupingNames[grouping], 'Apontamentos', 'Cortes', 'Crimpagens', 'Junções'],
    ...report.linhas.map((line) => [nameCell(lineName(line.nome, grouping)), ...amountCells(line)]),
    ...restOf(report),
    ['Total', ...amountCells(report.totais)],
  ])
}

import type { Grouping, ProductionLine, ProductionTotals } from '../contract/production-reports.ts'
import { csvFile, csvText } from './csv.ts'
import { groupingNames, lineName } from './production-reports.ts'

const amountCells = ({ apontamentos, cortes, crimpagens, juncoes }: ProductionTotals) =>
  [apontamentos, cortes, crimpagens, juncoes].map(String)

/** The lines in the order given, and the totals last. */
export const reportCsv = (
  grouping: Grouping,
  { lines, totals }: { lines: readonly ProductionLine[]; totals: ProductionTotals },
): string =>
  csvFile([
    [groupingNames[grouping], 'Apontamentos', 'Cortes', 'Crimpagens', 'Junções'],
    ...lines.map((line) => [csvText(lineName(line.nome, grouping)), ...amountCells(line)]),
    ['Total', ...amountCells(totals)],
  ])

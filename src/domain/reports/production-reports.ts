import type { Grouping, ProductionLine, ProductionReport, ProductionTotals } from '../../contract/production-reports.ts'
import type { Period } from '../plant/periods.ts'
import { addDays, dayText } from '../plant/plant-time.ts'
import { type CsvColumns, csvCode, csvOf, csvText } from '../text/csv.ts'

type ReportRow = ProductionTotals & { nome: string }

/** Production of the lines left out of the answer. */
function restOf({ linhas, totais, linhasTotal }: ProductionReport): ReportRow[] {
  const count = linhasTotal - linhas.length
  if (count === 0) return []
  const rest = { ...totais, nome: count === 1 ? 'Outra linha' : `Outras ${count} linhas` }
  for (const line of linhas) {
    rest.apontamentos -= line.apontamentos
    rest.cortes -= line.cortes
    rest.crimpagens -= line.crimpagens
    rest.juncoes -= line.juncoes
  }
  return [rest]
}

/** The lines in the order given, what they leave out, and the totals last. */
export const reportCsv = (grouping: Grouping, report: ProductionReport): string => {
  // a day is one for a spreadsheet too; an order of digits only is no number
  const nameCell = grouping === 'dia' ? csvText : csvCode
  const lines = report.linhas.map((line) => ({ ...line, nome: nameCell(lineName(line.nome, grouping)) }))
  const columns: CsvColumns<ReportRow> = [
    [groupingNames[grouping], ({ nome }) => nome],
    ['Apontamentos', ({ apontamentos }) => String(apontamentos)],
    ['Cortes', ({ cortes }) => String(cortes)],
    ['Crimpagens', ({ crimpagens }) => String(crimpagens)],
    ['Junções', ({ juncoes }) => String(juncoes)],
  ]
  return csvOf(columns, [...lines, ...restOf(report), { ...report.totais, nome: 'Total' }])
}

export const quickChoices = ['today', 'yesterday', 'last7Days', 'thisMonth', 'lastMonth'] as const
type QuickChoice = (typeof quickChoices)[number]

export type Amount = 'cortes' | 'crimpagens' | 'juncoes'

export const quickChoiceTexts: Record<QuickChoice, string> = {
  today: 'Hoje',
  yesterday: 'Ontem',
  last7Days: 'Últimos 7 dias',
  thisMonth: 'Este mês',
  lastMonth: 'Mês passado',
}

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`

export function quickPeriod(choice: QuickChoice, today: string): Period {
  const yesterday = addDays(today, -1)
  const lastOfLastMonth = addDays(firstOfMonth(today), -1)
  return {
    today: { start: today, end: today },
    yesterday: { start: yesterday, end: yesterday },
    last7Days: { start: addDays(today, -6), end: today },
    thisMonth: { start: firstOfMonth(today), end: today },
    lastMonth: { start: firstOfMonth(lastOfLastMonth), end: lastOfLastMonth },
  }[choice]
}

export const periodText = ({ start, end }: Period): string =>
  start === end ? dayText(start) : `${dayText(start)} a ${dayText(end)}`

export const groupingNames: Record<Grouping, string> = {
  dia: 'Dia',
  ordem: 'Ordem',
  maquina: 'Máquina',
  operador: 'Operador',
  miniaplicador: 'Mini aplicador',
  terminal: 'Terminal',
}

/** Shown name of a line. */
export const lineName = (name: string, grouping: Grouping): string =>
  name.trim() === '' ? 'Não informado' : grouping === 'dia' ? dayText(name) : name

/** Name of the files with this report. */
export const reportName = (grouping: Grouping, { start, end }: Period): string =>
  `relatorio_producao_${grouping}_${start}_${end}`

export const BARS_MAX = 20
export const DAY_BARS_MAX = 92

type Line = Pick<ProductionLine, 'nome' | Amount>
/** `restAmount` of `restCount` lines that produced something and have no bar. */
export type Bars = { bars: readonly { name: string; amount: number }[]; restCount: number; restAmount: number }

/** A bar for each of the last days, also where nothing was produced: a gap in a row of bars must be one in time. */
function dayBars(lines: readonly Line[], amount: Amount, { start, end }: Period): Bars {
  const first = addDays(end, 1 - DAY_BARS_MAX)
  const produced = new Map(lines.map((line) => [line.nome, line[amount]]))
  const bars: { name: string; amount: number }[] = []
  for (let day = first > start ? first : start; day <= end && bars.length < DAY_BARS_MAX; day = addDays(day, 1)) {
    bars.push({ name: day, amount: produced.get(day) ?? 0 })
  }
  const rest = lines.filter(({ nome }) => nome < first)
  return withRest(bars, rest, amount)
}

const withRest = (bars: Bars['bars'], rest: readonly Line[], amount: Amount): Bars => ({
  bars,
  restCount: rest.length,
  restAmount: rest.reduce((sum, line) => sum + line[amount], 0),
})

/** Bars of a report: days in their order, anything else by its size. */
export function barsOf(lines: readonly Line[], amount: Amount, grouping: Grouping, period: Period): Bars {
  const producing = lines.filter((line) => line[amount] !== 0)
  if (grouping === 'dia') return dayBars(producing, amount, period)
  const bySize = producing.toSorted((one, other) => other[amount] - one[amount])
  const bars = bySize.slice(0, BARS_MAX).map((line) => ({ name: line.nome, amount: line[amount] }))
  return withRest(bars, bySize.slice(BARS_MAX), amount)
}

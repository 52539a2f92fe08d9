import type {
  AskedShift,
  Grouping,
  ProductionLine,
  ProductionReport,
  ProductionTotals,
} from '../../contract/production-reports.ts'
import type { Period } from '../plant/periods.ts'
import { addDays, daysBetween, dayText, plantMoment, wallMs } from '../plant/plant-time.ts'
import type { Span } from '../plant/shifts.ts'
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

/** Its lines follow each other. */
export const isOfTime = (grouping: Grouping): boolean => grouping === 'dia' || grouping === 'turno'

/** The lines in the order given, what they leave out, and the totals last. */
export const reportCsv = (grouping: Grouping, report: ProductionReport): string => {
  // a day is one for a spreadsheet too; an order of digits only is no number
  const nameCell = isOfTime(grouping) ? csvText : csvCode
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

export const askedShiftTexts: Record<AskedShift, string> = { este: 'Este turno', anterior: 'Turno anterior' }

export const quickChoices = ['today', 'yesterday', 'last7Days', 'thisMonth', 'lastMonth'] as const
export type QuickChoice = (typeof quickChoices)[number]

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
  turno: 'Turno',
  ordem: 'Ordem',
  maquina: 'Máquina',
  operador: 'Operador',
  miniaplicador: 'Mini aplicador',
  terminal: 'Terminal',
}

/** Shown name of a line. */
export const lineName = (name: string, grouping: Grouping): string => {
  if (name.trim() === '') return 'Não informado'
  if (grouping === 'turno') return `${dayText(name.slice(0, 10))}, ${name.slice(11)}`
  return grouping === 'dia' ? dayText(name) : name
}

/** Name of a shift's line, in the order of time: `2026-11-27 06:00 a 14:00`. */
export const shiftLine = ({ startMs, endMs }: Span, timeZone: string): string => {
  const [start, end] = [startMs, endMs].map((atMs) => plantMoment(atMs, timeZone))
  return `${start?.day} ${start?.time.slice(0, 5)} a ${end?.time.slice(0, 5)}`
}

/** The period before, as long as this one, and how far (epoch ms) it had come when its clock showed what it shows now. */
export function periodBefore({ start, end }: Period, nowMs: number, timeZone: string): Period & { reachedMs: number } {
  const days = daysBetween(start, end) + 1
  const { day, time } = plantMoment(nowMs, timeZone)
  const reachedMs = wallMs(addDays(day, -days), time.slice(0, 5), timeZone)
  return { start: addDays(start, -days), end: addDays(end, -days), reachedMs }
}

/** Spans as far as an instant (epoch ms). */
export const cutAt = (spans: readonly Span[], atMs: number): Span[] =>
  spans.filter(({ startMs }) => startMs < atMs).map((span) => ({ ...span, endMs: Math.min(span.endMs, atMs) }))

/** By how many percent it is more than before, cut off; null where there was nothing before. */
export const growthPercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.trunc(((now - before) * 100) / before)

/** Where there is little room, as under a bar. */
export const shortLineName = (name: string, grouping: Grouping): string =>
  grouping === 'turno' ? `${dayText(name.slice(0, 10)).slice(0, 5)} ${name.slice(11, 16)}` : lineName(name, grouping)

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

/** The last of them, in the order of time. */
const shiftBars = (lines: readonly Line[], amount: Amount): Bars => {
  const inOrder = lines.toSorted((one, other) => (one.nome < other.nome ? -1 : 1))
  const bars = inOrder.slice(-DAY_BARS_MAX).map((line) => ({ name: line.nome, amount: line[amount] }))
  return withRest(bars, inOrder.slice(0, -DAY_BARS_MAX), amount)
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
  if (grouping === 'turno') return shiftBars(producing, amount)
  const bySize = producing.toSorted((one, other) => other[amount] - one[amount])
  const bars = bySize.slice(0, BARS_MAX).map((line) => ({ name: line.nome, amount: line[amount] }))
  return withRest(bars, bySize.slice(BARS_MAX), amount)
}

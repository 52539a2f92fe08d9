import type { MonthOfCrimps } from '../../contract/charts.ts'
import type { Period } from '../plant/periods.ts'
import { dayText } from '../plant/plant-time.ts'
import { type CsvColumns, csvCode, csvOf, csvText } from '../text/csv.ts'

/** `day` is the plant's, `YYYY-MM-DD`. A name may hold what no file name may. */
export const chartFileName = (what: string, day: string, extension: 'csv' | 'png'): string =>
  `${what.replace(/[^\p{L}\p{N}._-]+/gu, '-')}_${day}.${extension}`

/** The numbers as a file: one row per category, one column per series. */
export function chartCsv({ categoryName, categories, series }: ChartNumbers): string {
  const columns: CsvColumns<number> = [
    [csvText(categoryName), (at) => csvText(categories[at] ?? '')],
    ...series.map(({ name, values }) => [csvCode(name), (at: number) => String(values[at] ?? 0)] as const),
  ]
  return csvOf(columns, [...categories.keys()])
}

/** The numbers of a chart: each series has one value per category. */
export type ChartNumbers = {
  /** Over the categories: 'Mês'. */
  categoryName: string
  categories: readonly string[]
  /** Where a level will meet its limit: so many categories after the last one. */
  ahead?: { from: string; categories: number; value: number; text: string }
  series: readonly ChartSeries[]
}

export type ChartSeries = {
  name: string
  values: readonly number[]
  /** Where something stands, and not how much there was: a line, of which no sum is drawn. */
  isLevel?: boolean
  /** A level that nothing should pass: red, with its name at its line. */
  isLimit?: boolean
  /** A remark shown beside its name. */
  note?: string
}

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

/** `yyyy-MM` as a person reads it on an axis: jan/26. */
export const monthText = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]}/${month.slice(2, 4)}`

const countOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
const monthOf = (count: number) =>
  `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`

/** Every month from the first that has crimps to the last: one without crimps is a 0 on the axis, not a gap in it. */
export function monthsOf(points: readonly MonthOfCrimps[]): string[] {
  const months = points.map(({ mes }) => mes).toSorted()
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return []
  return Array.from({ length: countOf(last) - countOf(first) + 1 }, (_, at) => monthOf(countOf(first) + at))
}

/** One value per month, 0 where nothing was crimped. */
export function valuesOver(months: readonly string[], points: readonly MonthOfCrimps[]): number[] {
  const crimps = new Map(points.map(({ mes, crimpagens }) => [mes, crimpagens]))
  return months.map((month) => crimps.get(month) ?? 0)
}

/**
 * A tool's crimps since its last maintenance at the end of each month, counted back from its counter now. `crimps` and
 * `resets` (the counter that each one ended) cover all months from the first wanted one until now.
 */
export function wearAtEnds(
  months: readonly string[],
  counter: number,
  { crimps, resets }: { crimps: readonly MonthOfCrimps[]; resets: readonly MonthOfCrimps[] },
): MonthOfCrimps[] {
  const after = (month: string, points: readonly MonthOfCrimps[]) =>
    points.reduce((sum, { mes, crimpagens }) => (mes > month ? sum + crimpagens : sum), 0)
  // what was taken back after a maintenance was crimped before it
  return months.map((mes) => ({ mes, crimpagens: Math.max(0, counter - after(mes, crimps) + after(mes, resets)) }))
}

export const periodText = ({ start, end }: Period): string =>
  `Período: ${start === '' ? 'Início' : dayText(start)} até ${end === '' ? 'Fim' : dayText(end)}`

/** How many months after the middle of a month (`yyyy-MM`) a day is, and never before it. */
export function monthsAhead(month: string, day: string): number {
  const days = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
  return Math.max(0.1, countOf(day) - countOf(month) + (Number(day.slice(8)) - 0.5) / days - 0.5)
}

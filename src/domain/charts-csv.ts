import type { ChartNumbers } from './charts.ts'
import { csvCode, csvFile, csvText } from './csv.ts'

/** `day` is the plant's, `YYYY-MM-DD`. A name may hold what no file name may. */
export const chartFileName = (what: string, day: string, extension: 'csv' | 'png'): string =>
  `${what.replace(/[^\p{L}\p{N}._-]+/gu, '-')}_${day}.${extension}`

/** The numbers as a file: one row per category, one column per series. */
export const chartCsv = ({ categoryName, categories, series }: ChartNumbers): string =>
  csvFile([
    [csvText(categoryName), ...series.map(({ name }) => csvCode(name))],
    ...categories.map((category, at) => [csvText(category), ...series.map(({ values }) => String(values[at] ?? 0))]),
  ])

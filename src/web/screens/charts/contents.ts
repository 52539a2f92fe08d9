import { dayText } from '../../../domain/plant/plant-time.ts'
import {
  type ChartNumbers,
  type ChartSeries,
  monthsAhead,
  monthsOf,
  monthText,
  valuesOver,
} from '../../../domain/reports/charts.ts'
import { forecastText } from '../../../domain/tools/tool-life.ts'
import type { ChartContent } from '../../parts/charts/content.ts'
import type { CrimpsOfItem } from './kinds.ts'

export type Contents = { perMonth: ChartContent; perPart: ChartContent }

const COUNTED = 'Crimpagens'

/** Both charts over the same months; null when nothing was crimped. */
export function contentsOf({ perMonth, parts, wear }: CrimpsOfItem, name: string, partsTitle: string): Contents | null {
  const crimped = [perMonth, ...parts.map(({ points }) => points)].flat().filter(({ crimpagens }) => crimpagens !== 0)
  const months = monthsOf(crimped)
  if (months.length === 0) return null
  const shared = { unit: 'crimpagens', categoryName: 'Mês', categories: months.map(monthText) }
  return {
    perMonth: {
      ...shared,
      kind: 'bar',
      title: `Crimpagens por Mês - ${name}`,
      series: [{ name: COUNTED, values: valuesOver(months, perMonth) }, ...levelsOf(months, wear)],
      ...aheadOf(months, wear),
    },
    perPart: {
      ...shared,
      kind: 'line',
      title: `${partsTitle} - ${name}`,
      series: parts.map((part) => ({ name: part.name, values: valuesOver(months, part.points) })),
    },
  }
}

const SINCE = 'Desde a manutenção'
/** A forecast that lies further ahead would press the months together. */
const MONTHS_AHEAD_MAX = 6

/** Day on which the tool reaches its limit, if it goes on as now. */
function aheadOf(months: readonly string[], wear: CrimpsOfItem['wear']): Pick<ChartContent, 'ahead'> {
  const [last, day] = [months.at(-1), wear?.forecast?.dia]
  if (!wear || wear.limit === null || !last || !day) return {}
  const ahead = monthsAhead(last, day)
  if (ahead > MONTHS_AHEAD_MAX) return {}
  return { ahead: { from: SINCE, categories: ahead, value: wear.limit, text: dayText(day).slice(0, 5) } }
}

/** Crimps since the last maintenance, and their limit: that is compared with these, not with a month's crimps. */
function levelsOf(months: readonly string[], wear: CrimpsOfItem['wear']): ChartSeries[] {
  if (!wear) return []
  const since = { name: SINCE, values: valuesOver(months, wear.points), isLevel: true }
  const { limit, forecast } = wear
  if (limit === null) return [since]
  const note = forecast ? { note: forecastText(forecast) } : {}
  return [since, { name: 'Limite', values: months.map(() => limit), isLevel: true, isLimit: true, ...note }]
}

/** The numbers of both charts in one table. */
export const joined = ({ perMonth, perPart }: Contents): ChartNumbers => ({
  ...perMonth,
  series: [...perMonth.series, ...perPart.series],
})

import { type ChartNumbers, monthsOf, monthText, valuesOver } from '../../../domain/charts.ts'
import type { ChartContent } from '../../parts/charts/content.ts'
import type { CrimpsOfItem } from './kinds.ts'

export type Contents = { perMonth: ChartContent; perPart: ChartContent }

const COUNTED = 'Crimpagens'

/** Both charts over the same months; null when nothing was crimped. */
export function contentsOf({ perMonth, parts }: CrimpsOfItem, name: string, partsTitle: string): Contents | null {
  const crimped = [perMonth, ...parts.map(({ points }) => points)].flat().filter(({ crimpagens }) => crimpagens !== 0)
  const months = monthsOf(crimped)
  if (months.length === 0) return null
  const shared = { unit: 'crimpagens', categoryName: 'Mês', categories: months.map(monthText) }
  return {
    perMonth: {
      ...shared,
      kind: 'bar',
      title: `Crimpagens por Mês - ${name}`,
      series: [{ name: COUNTED, values: valuesOver(months, perMonth) }],
    },
    perPart: {
      ...shared,
      kind: 'line',
      title: `${partsTitle} - ${name}`,
      series: parts.map((part) => ({ name: part.name, values: valuesOver(months, part.points) })),
    },
  }
}

/** The numbers of both charts in one table. */
export const joined = ({ perMonth, perPart }: Contents): ChartNumbers => ({
  ...perMonth,
  series: [...perMonth.series, ...perPart.series],
})

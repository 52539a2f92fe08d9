import type { ChartNumbers } from '../../../domain/reports/charts.ts'
import { formatCount } from '../../text/format.ts'

export type ChartContent = ChartNumbers & {
  kind: 'bar' | 'line'
  /** Bars that lie, each beside its name: names are longer than a bar is wide. */
  isLying?: boolean
  /** Bars of a category stand on each other: of a sum and its parts. */
  isStacked?: boolean
  /** Above what it belongs to, which stays in sight. */
  isLow?: boolean
  title: string
  /** The counted unit: 'crimpagens'. */
  unit: string
}

const kinds = { bar: 'Gráfico de barras', line: 'Gráfico de linhas' }

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** The chart in words, for who does not see it. */
export function describeChart({ kind, title, categories, categoryName, series, unit }: ChartContent): string {
  const counted = (count: number) => `${formatCount(count)} ${unit}`
  const [first, last] = [categories[0], categories.at(-1)]
  const extent = categories.length > 1 ? `de ${first} a ${last}` : `${categoryName}: ${first ?? 'nenhum'}`
  const sums = series.map(({ name, values, isLevel, note }) => {
    if (isLevel) return `${name}: ${counted(values.at(-1) ?? 0)} em ${last}.${note ? ` ${note}.` : ''}`
    const most = values.reduce((highest, value) => Math.max(highest, value), 0)
    const where = most > 0 ? `, o máximo em ${categories[values.indexOf(most)]}: ${formatCount(most)}` : ''
    return `${name}: ${counted(sumOf(values))}${where}.`
  })
  return [`${title}. ${kinds[kind]}, ${extent}.`, ...sums].join(' ')
}

import type { ChartNumbers } from '../../../domain/charts.ts'

export type ChartContent = ChartNumbers & {
  kind: 'bar' | 'line'
  /** Bars that lie, each beside its name: names are longer than a bar is wide. */
  isLying?: boolean
  title: string
  /** What is counted: 'crimpagens'. */
  unit: string
}

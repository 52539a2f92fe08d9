import type { ChartNumbers } from '../../../domain/charts.ts'

export type ChartContent = ChartNumbers & {
  kind: 'bar' | 'line'
  title: string
  /** What is counted: 'crimpagens'. */
  unit: string
}

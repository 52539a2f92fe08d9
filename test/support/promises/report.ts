import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { SEED } from './sizes.ts'

export type ReportLine = { promise: string; size: string; seed: number; figures: string; test: string }

/** What a promise measured, for whoever reads the run; `npm run promises` makes a table of these lines. */
export function report(promise: string, size: Record<string, number>, figures: Record<string, number | string>): void {
  const words = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  // names of suites are joined by ' > ' here, by a blank in the report of the run
  const test = (expect.getState().currentTestName ?? '').replaceAll(' > ', ' ')
  const line: ReportLine = { promise, size: words(size), seed: SEED, figures: words(figures), test }
  if (process.env.PROMISES_REPORT) appendFileSync(process.env.PROMISES_REPORT, `${JSON.stringify(line)}\n`)
  console.log(`${promise} | ${line.size} | seed ${SEED} | ${line.figures}`)
}

/** The value that 95 of 100 do not exceed. */
export const p95 = (values: readonly number[]): number =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0)

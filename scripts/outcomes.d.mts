import type { SpawnOptions } from 'node:child_process'

export type Ended = {
  program: string
  status: number | null
  signal: NodeJS.Signals | null
  error: Error | null
  said: string
}
export type Outcome = {
  passed: number
  failures: string[]
  unsteady?: string[]
  timed: { test: string; ms: number }[]
}
export function run(command: readonly string[], options: SpawnOptions): Promise<Ended>
export function oneCheck(ended: Ended): Outcome
export function vitestTests(reportFile: string, ended: Ended, root: string): Outcome
export function playwrightTests(reportFile: string, ended: Ended): Outcome

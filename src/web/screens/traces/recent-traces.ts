import type { Traced } from './trace-address.ts'

const STORAGE_KEY = 'recent-traces'
const KEPT_MAX = 5

/** Of this tab, the last one first. */
export const recentTraces = (): readonly Traced[] => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Traced[]

export function keepTrace(traced: Traced): void {
  const others = recentTraces().filter(({ term }) => term !== traced.term)
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify([traced, ...others].slice(0, KEPT_MAX)))
}

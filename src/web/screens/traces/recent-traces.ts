import { traceKinds } from '../../../contract/traces.ts'
import type { Traced } from './trace-address.ts'

const STORAGE_KEY = 'recent-traces'
const KEPT_MAX = 5

const isTraced = (kept: Partial<Traced> | null): kept is Traced =>
  typeof kept?.term === 'string' && traceKinds.some((kind) => kind === kept.kind)

/** Of this tab, the last one first. */
export function recentTraces(): readonly Traced[] {
  try {
    return (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as (Partial<Traced> | null)[]).filter(isTraced)
  } catch {
    return []
  }
}

export function keepTrace(traced: Traced): void {
  const others = recentTraces().filter(({ term }) => term !== traced.term)
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([traced, ...others].slice(0, KEPT_MAX)))
  } catch {
    // A full storage costs the list, not the trace on screen.
  }
}

import { traceKinds } from '../../../contract/traces.ts'
import { keepInTab, keptInTab } from '../../tab-storage.ts'
import type { Traced } from './trace-address.ts'

const STORAGE_KEY = 'recent-traces'
const KEPT_MAX = 5

const isTraced = (kept: Partial<Traced> | null): kept is Traced =>
  typeof kept?.term === 'string' && traceKinds.some((kind) => kind === kept.kind)

/** Of this tab, the last one first. */
export function recentTraces(): readonly Traced[] {
  const kept = keptInTab(STORAGE_KEY)
  return Array.isArray(kept) ? kept.filter(isTraced) : []
}

export function keepTrace(traced: Traced): void {
  const others = recentTraces().filter(({ term }) => term !== traced.term)
  keepInTab(STORAGE_KEY, [traced, ...others].slice(0, KEPT_MAX))
}

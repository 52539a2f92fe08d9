import type { Asked } from './trace-address.ts'

const STORAGE_KEY = 'recent-traces'
const KEPT_MAX = 5

/** Of this tab, the last one first. */
export const recentTraces = (): readonly Asked[] => JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as Asked[]

export function keepTrace(asked: Asked): void {
  const others = recentTraces().filter(({ term, kind }) => term !== asked.term || kind !== asked.kind)
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify([asked, ...others].slice(0, KEPT_MAX)))
}

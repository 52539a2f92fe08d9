const DAYS_RETAINED = 7
const WEEKS_RETAINED = 5
const DAY_MS = 86_400_000

const dayOf = (at: number) => Math.floor(at / DAY_MS)
/** Day 0 was a Thursday; weeks begin on Mondays. */
const weekOf = (at: number) => Math.floor((dayOf(at) + 3) / 7)

const newestOfEach = (newestFirst: readonly number[], periodOf: (at: number) => number, countMax: number): number[] => {
  const newest = new Map<number, number>()
  for (const at of newestFirst) if (!newest.has(periodOf(at))) newest.set(periodOf(at), at)
  return [...newest.values()].slice(0, countMax)
}

/**
 * Which backups may go, by when they were made: kept are all of the newest day, the newest of each of the last 7 days
 * and of each of the last 5 weeks that have any. When no new ones are made, none goes.
 */
export function expendableBackups(madeAt: readonly number[]): number[] {
  const newestFirst = madeAt.toSorted((one, other) => other - one)
  const retained = new Set([
    ...newestFirst.filter((at) => dayOf(at) === dayOf(newestFirst[0] ?? 0)),
    ...newestOfEach(newestFirst, dayOf, DAYS_RETAINED),
    ...newestOfEach(newestFirst, weekOf, WEEKS_RETAINED),
  ])
  return madeAt.filter((at) => !retained.has(at))
}

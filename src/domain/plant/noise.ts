/**
 * How many lines each sort may keep so that all of them have room for `max`: the most frequent ones give way, and whatever is
 * rare keeps all of its own. Infinity where there is room.
 */
export function shareOfEach(counts: readonly number[], max: number): number {
  let room = max
  const ascending = counts.toSorted((a, b) => a - b)
  for (const [place, count] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - place))
    if (count > share) return share
    room -= count
  }
  return Number.POSITIVE_INFINITY
}

/** How often a line that stands for many was said. */
export function timesIn(detailsJson: string | null): number | null {
  const [, times] = /^\{"times":(\d+)\}$/.exec(detailsJson ?? '') ?? []
  return times === undefined ? null : Number(times)
}

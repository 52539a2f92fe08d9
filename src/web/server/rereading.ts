import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/** Of the queries under this key those that hold what changed. */
export type Change = { queryKey: QueryKey; isMeant: (query: Query) => boolean }

/**
 * Reads again what changed. What is being read just now may bring what was true before the change: it is let finish, as
 * steady changes would otherwise starve it, and is read once more where the answer holds what changed.
 */
export function makeRereader(queries: QueryClient): (changes: readonly Change[]) => void {
  const cache = queries.getQueryCache()
  const heardMeanwhile = new Map<Query, Change[]>()
  const read = ({ queryKey }: Query) =>
    void queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })
  cache.subscribe(({ type, query }) => {
    const isRemoved = type === 'removed'
    const isRead = type === 'updated' && query.state.fetchStatus === 'idle'
    if (!isRemoved && !isRead) return
    const heard = heardMeanwhile.get(query) ?? []
    heardMeanwhile.delete(query)
    // Later: it tells while it is still at work on the answer.
    if (isRead && heard.some(({ isMeant }) => isMeant(query))) queueMicrotask(() => read(query))
  })
  return (changes) => {
    const idle = new Set<Query>()
    for (const change of changes) {
      for (const query of cache.findAll({ queryKey: change.queryKey })) {
        const isIdle = query.state.fetchStatus === 'idle'
        if (!isIdle) heardMeanwhile.set(query, [...(heardMeanwhile.get(query) ?? []), change])
        else if (change.isMeant(query)) idle.add(query)
      }
    }
    for (const query of idle) read(query)
  }
}

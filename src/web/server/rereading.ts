import type { Query, QueryClient } from '@tanstack/react-query'

/** Whether a query holds what changed. */
type IsMeant = (query: Query) => boolean

/**
 * Reads again what changed. What is being read just now may bring what was true before the change: it is let finish, as
 * steady changes would otherwise starve it, and is read once more where the answer holds what changed.
 */
export function makeRereader(queries: QueryClient): (isMeant: IsMeant) => void {
  const cache = queries.getQueryCache()
  const heardMeanwhile = new Map<Query, IsMeant[]>()
  const read = ({ queryKey }: Query) =>
    void queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })

  cache.subscribe(({ type, query }) => {
    const isRemoved = type === 'removed'
    const isRead = type === 'updated' && query.state.fetchStatus === 'idle'
    if (!isRemoved && !isRead) return
    const heard = heardMeanwhile.get(query) ?? []
    heardMeanwhile.delete(query)
    // Later: it tells while it is still at work on the answer.
    if (isRead && heard.some((isMeant) => isMeant(query))) queueMicrotask(() => read(query))
  })
  return (isMeant) => {
    const all = cache.getAll()
    for (const query of all.filter(({ state }) => state.fetchStatus !== 'idle')) {
      heardMeanwhile.set(query, [...(heardMeanwhile.get(query) ?? []), isMeant])
    }
    for (const query of all.filter((one) => one.state.fetchStatus === 'idle' && isMeant(one))) read(query)
  }
}

import type { DataTag, InvalidateOptions, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Endpoint, Reply, Topic } from '../../contract/endpoint.ts'
import { nextFrame } from '../device/turns.ts'
import { call, type Parts } from './api.ts'

/** A key and a function for TanStack Query to read `Data`, keep it, and find it again. */
export type Reading<Data> = {
  queryKey: DataTag<QueryKey, Data>
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>
  meta: { live: readonly Topic[] }
}

type Options<Data> = {
  /** Where the answer is not shown as it comes. */
  read?: (signal: AbortSignal) => Promise<Data>
  /** Apart from earlier readings of the same. */
  round?: number | undefined
  /** The screen has a copy to draw first, before the answer. */
  isAfterFrame?: boolean
}

/**
 * Of lists that forms need: they change a few times a year, or say themselves when they do, and are kept for as long as somebody works
 * without network.
 */
export const lasting = { staleTime: 10 * 60_000, gcTime: 12 * 3_600_000 }

/** Reads a row of the contract. Two with the same parts share one answer, so `read` may depend on the parts alone. */
export const query = <E extends Endpoint, Data = Reply<E>>(
  endpoint: E,
  parts: Parts<E>,
  { read, round, isAfterFrame }: Options<Data> = {},
): Reading<Data> => ({
  queryKey: [endpoint.path, parts, round] as unknown as DataTag<QueryKey, Data>,
  queryFn: async ({ signal }) => {
    if (isAfterFrame) await nextFrame()
    return read ? await read(signal) : ((await call(endpoint, parts, { signal })) as Data)
  },
  meta: { live: endpoint.live ?? [] },
})

/** All that was read of this row and is still at hand, with the parts that it was asked for. */
export const answersAtHand = <E extends Endpoint>(queries: QueryClient, endpoint: E): [Parts<E>, Reply<E>][] =>
  queries
    .getQueriesData<Reply<E>>({ queryKey: [endpoint.path] })
    .flatMap(([[, parts], answer]) => (answer ? [[parts as Parts<E>, answer]] : []))

/** Whose changes make its answer old. */
export const liveTopicsOf = ({ meta }: Query): readonly Topic[] => (meta?.live ?? []) as readonly Topic[]

/** Invalidates this endpoint's cached answers, all or those of calls with these parts; queries on screen refetch. */
export const invalidate = (
  queries: QueryClient,
  endpoint: Endpoint,
  parts: object = {},
  options: InvalidateOptions = {},
): Promise<void> => queries.invalidateQueries({ queryKey: [endpoint.path, parts] }, options)

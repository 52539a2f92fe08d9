import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { findSearch, type SearchPlace, saveSearch } from '../../device/cached-searches.ts'
import { serverNow } from '../../device/clock.ts'
import { takeUnlessLeft } from '../../device/turns.ts'
import { Unreachable } from '../../server/api.ts'
import type { Reading } from '../../server/query.ts'
import type { Stale } from './StaleNote.tsx'

type Live = { error: Error | null; dataUpdatedAt: number }
type Reply<Row> = { items: Row[]; dadosDe: string | null }

type Source<Row> = SearchPlace & {
  /** Reads from the ERP. */
  list: Reading<Reply<Row>>
  /** Reads what the server has of it. */
  copies: Reading<Reply<Row>>
  keyOf: (row: Row) => string
  /** By what else than the whole search a row is found on this device. */
  barcodeOf?: (row: Row) => string
  onRead?: (items: Row[]) => void
  /** Rows that this tab has read already, and when. */
  initial?: { items: Row[]; readAtMs: number } | null
}

const STALE_REREAD_MS = 15_000

/** A copy answered in the ERP's place: asked again until the ERP answers itself. */
export const rereadStale = ({ state }: { state: { data: { dadosDe: string | null } | undefined } }): number | false =>
  state.data?.dadosDe ? STALE_REREAD_MS : false

/** When this device last read a row of a search, where nothing younger is known of it; null: it never has. */
export function useReadHere<Row>({ kind, plant, term }: SearchPlace, barcodeOf: (row: Row) => string): string | null {
  const [readAt, setReadAt] = useState<string | null>(null)
  useEffect(() => {
    const found = findSearch<Row>({ kind, plant, term }, barcodeOf)
    return takeUnlessLeft(found, (newest) => setReadAt(newest?.readAt ?? null))
  }, [kind, plant, term, barcodeOf])
  return readAt
}

/** How old a copy may be before its age is said while the ERP is asked. */
const AGE_SAID_MS = 15 * 60_000
/** For the way back from what was opened. */
const KEPT_MS = 30 * 60_000

const atHand = { isFetching: false, dataUpdatedAt: Infinity, errorUpdatedAt: 0 }

/** A search whose copy, on this device or the server, answers at once; what the ERP then says takes its place. */
export function useCopyFirst<Row>(source: Source<Row>) {
  const { list, copies, barcodeOf, onRead, initial } = source
  const enabled = source.term !== ''
  const live = useQuery({
    ...list,
    async queryFn(context) {
      const reply = await list.queryFn(context)
      const readAt = reply.dadosDe ?? new Date(serverNow()).toISOString()
      if (reply.items.length > 0) void saveSearch(source, { items: reply.items, readAt }, barcodeOf)
      onRead?.(reply.items)
      return reply
    },
    enabled,
    gcTime: KEPT_MS,
    refetchInterval: rereadStale,
    ...(initial
      ? { initialData: { items: initial.items, dadosDe: null }, initialDataUpdatedAt: initial.readAtMs }
      : {}),
  })
  const copy = useQuery({
    ...copies,
    async queryFn(context) {
      const here = await findSearch<Row>(source, barcodeOf)
      return here ? { items: here.items, dadosDe: here.readAt } : await copies.queryFn(context)
    },
    enabled: enabled && live.data === undefined,
    gcTime: 0,
    retry: false,
  })
  const copied = live.data === undefined && copy.data && copy.data.items.length > 0 ? copy.data : undefined
  const data = live.data ?? copied
  const isCutOff = live.error instanceof Unreachable
  return {
    ...live,
    data,
    ...staleOf(data?.dadosDe ?? null, copied !== undefined, live),
    /**
     * When a scan has its answer: what is there already answers it, whatever the ERP says later, and where nobody can be asked
     * the copy does.
     */
    answer:
      data && (!live.error || isCutOff) ? atHand : isCutOff && copy.isFetching ? { ...live, isFetching: true } : live,
    changed: useChanged(source, data),
  }
}

/** Age of the rows shown, and why the ERP's own answer is not there. */
function staleOf(readAt: string | null, isCopy: boolean, live: Live): { error: Error | null; stale: Stale } {
  const { error } = live
  if (!isCopy || error) {
    const isCutOff = isCopy && error instanceof Unreachable
    return { error: isCutOff ? null : error, stale: { readAt, reading: live } }
  }
  const isOld = readAt !== null && serverNow() - Date.parse(readAt) > AGE_SAID_MS
  return { error, stale: { readAt: isOld ? readAt : null, isAsking: true } }
}

const FLASH_MS = 1600
const none: ReadonlySet<string> = new Set()

/** The rows of which the ERP has just said otherwise than a copy, for as long as they flash. */
function useChanged<Row>({ plant, term, keyOf }: Source<Row>, reply: Reply<Row> | undefined) {
  const search = `${plant}|${term}`
  const shown = useRef<{ search: string; reply: Reply<Row> | undefined }>(undefined)
  const [changed, setChanged] = useState(none)
  useEffect(() => {
    const before = shown.current?.search === search ? shown.current.reply : undefined
    shown.current = { search, reply }
    setChanged(none)
    if (!before?.dadosDe || !reply) return
    const texts = new Map(before.items.map((row) => [keyOf(row), JSON.stringify(row)]))
    setChanged(new Set(reply.items.filter((row) => texts.get(keyOf(row)) !== JSON.stringify(row)).map(keyOf)))
    const timer = setTimeout(() => setChanged(none), FLASH_MS)
    return () => clearTimeout(timer)
  }, [search, reply, keyOf])
  return changed
}

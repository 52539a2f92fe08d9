import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CutItem, items } from '../../../contract/items.ts'
import { RECEIVED } from '../../../contract/receipts.ts'
import { isReceived } from '../../../domain/acts/recordings.ts'
import { dropFromTab, readFromTab, writeToTab } from '../../device/store.ts'
import { rereadStale } from '../../parts/lookups/copy-first.ts'
import { query } from '../../server/query.ts'

/** How far an item's receipt has come. */
type ReceiptState = 'open' | 'confirmed' | 'atServer' | 'here'
export type CheckedItem = { item: CutItem; receipt: ReceiptState }

function receiptOf(item: CutItem): ReceiptState {
  if (item.recebimentoAguardandoErp) return 'atServer'
  return isReceived(item) ? 'confirmed' : 'open'
}

/** `here`: barcodes whose receipts wait on this device. */
export const checkedItems = (items: readonly CutItem[], here: ReadonlySet<string>): CheckedItem[] =>
  items.map((item) => ({ item, receipt: here.has(item.Z1_CODBAR) ? 'here' : receiptOf(item) }))

const NAMED_MAX = 12

/** 'Faltam 14: 000010, 000020 … e mais 2'; null when nothing does. */
export function missingText(checked: readonly CheckedItem[]): string | null {
  const missing = checked.filter(({ receipt }) => receipt === 'open').map(({ item }) => item.Z1_ITEMEST)
  if (missing.length === 0) return null
  const named = missing.slice(0, NAMED_MAX).join(', ')
  const rest = missing.length - NAMED_MAX
  const verb = missing.length === 1 ? 'Falta' : 'Faltam'
  return `${verb} ${missing.length}: ${named}${rest > 0 ? ` e mais ${rest}` : ''}`
}

/** As the specification names its parts. */
type CheckCache = { itens: CutItem[]; searchTerm: string; filial: string; timestamp?: number }

const STORAGE_KEY = 'conferenciaCorteCache'

const isCache = (value: unknown): value is CheckCache =>
  typeof value === 'object' && value !== null && 'itens' in value && Array.isArray(value.itens) && 'filial' in value

/** The last search of this tab with what it found and what was received since. */
function cachedCheck(): CheckCache | null {
  const cached = readFromTab(STORAGE_KEY)
  return isCache(cached) ? cached : null
}

const keepCheck = (cache: CheckCache): void => writeToTab(STORAGE_KEY, cache)

/** For who looks into a tablet from the browser's console. */
const conferenciaCorteCache = {
  show: (): CheckCache | null => {
    const cached = cachedCheck()
    console.info('Conferência de Corte', cached)
    return cached
  },
  clear: (): void => dropFromTab(STORAGE_KEY),
}

declare global {
  interface Window {
    conferenciaCorteCache?: typeof conferenciaCorteCache
  }
}

const offerCheckCache = (): void => {
  window.conferenciaCorteCache = conferenciaCorteCache
}

type CheckSearch = { plant: string; order: string }

/** The list to be checked: searched anew by each `searchFor`, restored as it was left, marked as receipts are taken. */
export function useCheckSearch() {
  const queries = useQueryClient()
  const [cached] = useState(cachedCheck)
  // A search that fails leaves no list behind: each is a reading of its own.
  const [submitted, setSubmitted] = useState(cached && { plant: cached.filial, order: cached.searchTerm, round: 0 })
  const { plant = '', order = '', round } = submitted ?? {}
  const reading = query(items.search, { query: { filial: plant, termo: order, modo: 'CONFERENCIA_CORTE' } }, { round })
  const { data, error, isFetching, errorUpdateCount, dataUpdatedAt } = useQuery({
    ...reading,
    enabled: submitted !== null,
    gcTime: 0,
    refetchInterval: rereadStale,
    ...(cached && submitted?.round === 0
      ? { initialData: { items: cached.itens, dadosDe: null }, initialDataUpdatedAt: cached.timestamp ?? 0 }
      : {}),
  })

  useEffect(offerCheckCache, [])
  useEffect(() => {
    if (!submitted || !data) return
    keepCheck({ itens: data.items, searchTerm: submitted.order, filial: submitted.plant, timestamp: dataUpdatedAt })
  }, [submitted, data, dataUpdatedAt])

  const searchFor = ({ plant, order }: CheckSearch) =>
    setSubmitted((before) => ({ plant, order, round: (before?.round ?? 0) + 1 }))

  /** `isWaiting`: the ERP has not heard of it yet. */
  const markReceived = (barcode: string, isWaiting: boolean) =>
    queries.setQueryData(
      reading.queryKey,
      (list) =>
        list && {
          ...list,
          items: list.items.map((item) =>
            item.Z1_CODBAR === barcode ? { ...item, Z1_CONFERE: RECEIVED, recebimentoAguardandoErp: isWaiting } : item,
          ),
        },
      // one receipt makes the rest of the list no younger
      { updatedAt: dataUpdatedAt },
    )

  const search: CheckSearch | null = submitted
  return { search, searchFor, markReceived, list: data, error, isFetching, errorUpdateCount, dataUpdatedAt }
}

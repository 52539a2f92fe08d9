import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { items } from '../../../contract/items.ts'
import { RECEIVED } from '../../../contract/receipts.ts'
import { call } from '../../api.ts'
import { rereadStale } from '../../parts/items.ts'
import { keepCheck, keptCheck, offerCheckCache } from './check-cache.ts'

export type CheckSearch = { plant: string; order: string }

/** The list to be checked: searched anew by each `searchFor`, restored as it was left, marked as receipts are taken. */
export function useCheckSearch() {
  const queries = useQueryClient()
  const [kept] = useState(keptCheck)
  // A search that fails leaves no list behind: each is a reading of its own.
  const [asked, setAsked] = useState(kept && { plant: kept.filial, order: kept.searchTerm, round: 0 })
  const queryKey = ['cut-check', asked?.plant, asked?.order, asked?.round]
  const { data, error, isFetching, errorUpdateCount } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call(
        items.search,
        { query: { filial: asked?.plant ?? '', termo: asked?.order ?? '', modo: 'CONFERENCIA_CORTE' } },
        { signal },
      ),
    enabled: asked !== null,
    gcTime: 0,
    refetchInterval: rereadStale,
    ...(kept && asked?.round === 0
      ? { initialData: { items: kept.itens, dadosDe: null }, initialDataUpdatedAt: 0 }
      : {}),
  })

  useEffect(offerCheckCache, [])
  useEffect(() => {
    if (asked && data) keepCheck({ itens: data.items, searchTerm: asked.order, filial: asked.plant })
  }, [asked, data])

  const searchFor = ({ plant, order }: CheckSearch) =>
    setAsked((before) => ({ plant, order, round: (before?.round ?? 0) + 1 }))

  /** `isWaiting`: the ERP has not heard of it yet. */
  const markReceived = (barcode: string, isWaiting: boolean) =>
    queries.setQueryData<Reply<typeof items.search>>(
      queryKey,
      (list) =>
        list && {
          ...list,
          items: list.items.map((item) =>
            item.Z1_CODBAR === barcode ? { ...item, Z1_CONFERE: RECEIVED, recebimentoAguardandoErp: isWaiting } : item,
          ),
        },
    )

  const search: CheckSearch | null = asked
  return { search, searchFor, markReceived, list: data, error, isFetching, errorUpdateCount }
}

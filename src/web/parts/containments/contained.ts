import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ContainedItems, containments } from '../../../contract/containments.ts'
import { isSameCode } from '../../../domain/text/spellings.ts'
import { makeStore } from '../../device/store.ts'
import { ApiError } from '../../server/api.ts'
import { query } from '../../server/query.ts'
import { useCachedReading } from '../lookups/cached-reading.ts'

/** Whether the server that answered last knows containments; one of the version before answers 404. */
const knows = makeStore(true)

const isUnknownThere = (error: Error | null) => error instanceof ApiError && error.status === 404

function useNoted({ data, error }: { data: unknown; error: Error | null }): void {
  useEffect(() => {
    if (data) knows.set(true)
    else if (isUnknownThere(error)) knows.set(false)
  }, [data, error])
}

/** How many are open: also asks whether there are any containments at all. */
export function useOpenContainments(): number {
  const reading = useQuery(query(containments.list, { query: {} }))
  useNoted(reading)
  return reading.data?.abertas ?? 0
}

/** False: no entry leads there. */
export function useKnowsContainments(): boolean {
  useOpenContainments()
  return knows.use()
}

export const knowsContainments = knows.get

/** Items, junctions, lots and tools of a plant under suspicion; without network those that this device read last. */
export function useContained(branch: string): ContainedItems | null {
  const { cached, error } = useCachedReading({
    place: { kind: 'contained', plant: branch, term: '' },
    reading: query(containments.items, { query: { filial: branch } }, { isAfterFrame: true }),
    isDue: branch !== '',
  })
  useNoted({ data: cached, error })
  return cached
}

/** An item by its barcode; a junction, which has none, by its order and position. */
export type SuspectPlace = { branch: string; barcode: string; order: string; position: string }

type Contained = ContainedItems['itens'][number]

const isAt = (one: Contained, { barcode, order, position }: SuspectPlace) =>
  barcode === ''
    ? one.codigoBarras === '' && one.ordem === order && one.posicao.trim() === position.trim()
    : isSameCode(one.codigoBarras, barcode)

/** The containments that hold pieces of it. Pieces of several stages are the same ones: the largest number counts. */
export function containedAt(
  { itens }: ContainedItems,
  place: SuspectPlace,
): Pick<Contained, 'id' | 'numero' | 'pecas'>[] {
  const found = new Map<string, Pick<Contained, 'id' | 'numero' | 'pecas'>>()
  for (const one of itens.filter((each) => isAt(each, place))) {
    const before = found.get(one.id)
    if (!before || before.pecas < one.pecas) found.set(one.id, one)
  }
  return [...found.values()]
}

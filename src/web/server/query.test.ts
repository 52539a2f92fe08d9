import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { items } from '../../contract/items.ts'
import { invalidate, query } from './query.ts'

const search = (termo: string, modo: 'APONTAMENTO' | 'CONFERENCIA_CORTE', round?: number) =>
  query(items.search, { query: { filial: '010101', termo, modo } }, { round })

const answer = { items: [], dadosDe: null }

test('what was read of a row is old for the parts that are named, in every round', async () => {
  const queries = new QueryClient()
  const readings = [search('OP1', 'APONTAMENTO'), search('OP1', 'CONFERENCIA_CORTE', 1), search('OP2', 'APONTAMENTO')]
  for (const { queryKey } of readings) queries.setQueryData(queryKey, answer)
  const old = () => readings.map(({ queryKey }) => queries.getQueryState(queryKey)?.isInvalidated)

  await invalidate(queries, items.get)
  expect(old()).toEqual([false, false, false])
  await invalidate(queries, items.search, { query: { modo: 'APONTAMENTO' } })
  expect(old()).toEqual([true, false, true])
  await invalidate(queries, items.search)
  expect(old()).toEqual([true, true, true])
})

test('each round is a reading of its own', () => {
  const queries = new QueryClient()
  queries.setQueryData(search('OP1', 'CONFERENCIA_CORTE', 1).queryKey, answer)
  expect(queries.getQueryData(search('OP1', 'CONFERENCIA_CORTE', 2).queryKey)).toBeUndefined()
})

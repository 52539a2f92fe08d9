import { expect, test } from 'vitest'
import { countByDay, dayCounts, kindRows } from './occurrences.ts'

const noted = [
  { at: Date.parse('2026-11-21T02:00:00Z'), kind: 'falta-medir' },
  { at: Date.parse('2026-11-21T12:00:00Z'), kind: 'fora-do-plano' },
  { at: Date.parse('2026-11-21T13:00:00Z'), kind: 'fora-do-plano' },
]

test('each day of the plant is counted by kind', () => {
  expect(countByDay(noted, 'America/Sao_Paulo')).toEqual([
    { dia: '2026-11-20', total: 1, tipos: { 'falta-medir': 1 } },
    { dia: '2026-11-21', total: 2, tipos: { 'fora-do-plano': 2 } },
  ])
})

test('the most frequent kinds have a row each, the others one together; a day without any is nought', () => {
  const tipos = { a: 5, b: 4, c: 3, d: 2, e: 1 }
  const days = dayCounts([{ dia: '2026-11-21', total: 15, tipos }], { from: '2026-11-20', to: '2026-11-21' })
  expect(kindRows(days)).toEqual([
    { kinds: ['a'], values: [0, 5] },
    { kinds: ['b'], values: [0, 4] },
    { kinds: ['c'], values: [0, 3] },
    { kinds: ['d', 'e'], values: [0, 3] },
  ])
  expect(kindRows([{ dia: '2026-11-21', total: 15 }]), 'as a server of the version before answers').toEqual([])
})

test('a period longer than a year has days from its first with an entry to its last', () => {
  const one = { dia: '2026-11-21', total: 1 }
  const two = { dia: '2026-11-23', total: 2 }
  const between = { dia: '2026-11-22', total: 0 }
  expect(dayCounts([one, two], { from: '2026-11-01', to: '2926-12-31' })).toEqual([one, between, two])
  expect(dayCounts([one, two], { from: '0001-01-01', to: '9999-12-31' })).toEqual([one, between, two])
  expect(dayCounts([], { from: '2026-11-01', to: '9999-12-31' })).toEqual([])
  expect(dayCounts([one], { from: '2026-01-01', to: '2026-12-31' })).toHaveLength(365)
})

import { expect, test } from 'vitest'
import { CONTAINMENT_PAGE } from '../../../../contract/containments.ts'
import { chosenOf } from './ticks.ts'

const rows = Array.from({ length: CONTAINMENT_PAGE + 10 }, (_, id) => ({ id, suspeitas: 1, retrabalho: 0 }))
const chosen = (...ticked: number[]) => chosenOf(rows, new Set(ticked)).map(({ id }) => id)

test('a row ticked beyond the first page is decided', () => {
  expect(chosen(3, CONTAINMENT_PAGE + 5)).toEqual([3, CONTAINMENT_PAGE + 5])
})

test('no more rows are decided at once than the server takes', () => {
  expect(chosen(...rows.map(({ id }) => id))).toHaveLength(CONTAINMENT_PAGE)
})

test('a row of which all is decided is not decided once more', () => {
  expect(chosenOf([{ id: 1, suspeitas: 0, retrabalho: 0 }], new Set([1]))).toEqual([])
})

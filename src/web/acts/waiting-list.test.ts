import { expect, test } from 'vitest'
import { deliveryKeyOf } from './kinds.ts'
import type { WaitingAct } from './queue.ts'
import { changedBy, firstOf, waitingOf } from './waiting-list.ts'

const act = (position: number, more: Partial<WaitingAct> = {}) =>
  ({ position, branch: '010101', barcode: 'A', part: 'l1', problem: null, ...more }) as WaitingAct
const problem = { code: 'input_invalid', message: 'Dados inválidos.' }
const queue = [act(1), act(4, { barcode: 'B' } as Partial<WaitingAct>), act(7, { problem })]
const positionsOf = (waiting: readonly WaitingAct[]) => waiting.map(({ position }) => position)

test('the queue follows what is written, in the order of acts', () => {
  const after = (change: Parameters<typeof changedBy>[1]) => positionsOf(changedBy(queue, change))
  expect(after({ put: [act(8)] })).toEqual([1, 4, 7, 8])
  expect(after({ put: [act(2), act(4)], gone: [7] }), 'one that waits again').toEqual([1, 2, 4])
  expect(changedBy(queue, { put: [act(7)] })[2]?.problem).toBeNull()
  expect(changedBy(queue, { gone: [3] }), 'nothing is drawn anew').toBe(queue)
})

test('the queue is asked for one delivery key', () => {
  expect(positionsOf(waitingOf(queue, deliveryKeyOf(act(1))))).toEqual([1, 7])
  expect(waitingOf(queue, 'other')).toEqual([])
})

test('where not all can be shown, what needs a person is shown first', () => {
  expect(firstOf(queue, 3)).toBe(queue)
  expect(positionsOf(firstOf(queue, 2))).toEqual([7, 1])
})

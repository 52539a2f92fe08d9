import { deliveryKeyOf } from './kinds.ts'
import type { WaitingAct } from './queue.ts'

/** The queue as a page knows it, oldest act first. */

/** A write to the queue: entries as they stand now, and positions that have left it. */
export type Change = { put?: readonly WaitingAct[]; gone?: readonly number[] }

/** The queue after a change, in the order of acts. */
export function changedBy(waiting: readonly WaitingAct[], { put = [], gone = [] }: Change): readonly WaitingAct[] {
  const written = new Set([...gone, ...put.map(({ position }) => position)])
  const rest = waiting.filter(({ position }) => !written.has(position))
  if (put.length === 0) return rest.length === waiting.length ? waiting : rest
  return [...rest, ...put].sort((one, other) => one.position - other.position)
}

const groups = new WeakMap<readonly WaitingAct[], Map<string, WaitingAct[]>>()

/** Waiting acts of one delivery key, oldest first. However many ask, a queue is gone through once. */
export function waitingOf(waiting: readonly WaitingAct[], key: string): readonly WaitingAct[] {
  const grouped = groups.get(waiting) ?? Map.groupBy(waiting, deliveryKeyOf)
  groups.set(waiting, grouped)
  return grouped.get(key) ?? []
}

/** As many as can be shown; where there are more, those that need a person first. */
export function firstOf(waiting: readonly WaitingAct[], countMax: number): readonly WaitingAct[] {
  if (waiting.length <= countMax) return waiting
  const { true: stuck = [], false: others = [] } = Object.groupBy(waiting, ({ problem }) => `${problem !== null}`)
  return [...stuck, ...others].slice(0, countMax)
}

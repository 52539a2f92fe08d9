import { type CutItem, type Part, parts } from '../../contract/items.ts'
import type { Junction } from '../../contract/junctions.ts'
import { sectionOf } from '../../domain/acts/recordings.ts'
import { deliveryKeyOf, kinds } from './kinds.ts'
import { piecesHere, type WaitingAct } from './queue.ts'

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

/**
 * An item with what waits on this device counted as on its way, so that every rule and percentage knows of it. `here`:
 * how many pieces that is.
 */
export type ItemHere = { item: CutItem; here: Record<Part, number> }

export function itemHere(waiting: readonly WaitingAct[], item: CutItem): ItemHere {
  const { Z1_FILIAL: branch, Z1_CODBAR: barcode, aguardandoErp } = item
  const piecesOf = (part: Part) => {
    const place = { branch, barcode, part }
    return piecesHere(waitingOf(waiting, kinds.cutCrimp.deliveryKeyOf(place)), kinds.cutCrimp, place)
  }
  const here = { cabo: piecesOf('cabo'), l1: piecesOf('l1'), l2: piecesOf('l2') }
  const sum = (part: Part) => aguardandoErp[part] + here[part]
  return { item: { ...item, aguardandoErp: { cabo: sum('cabo'), l1: sum('l1'), l2: sum('l2') } }, here }
}

/** Pieces of all parts that the server has, whether the ERP has them or not. */
export const doneAtServer = ({ item, here }: ItemHere): number =>
  parts.reduce((sum, part) => sum + sectionOf(item, part).registered + item.aguardandoErp[part] - here[part], 0)

/** As `ItemHere`, of a junction. */
export type JunctionHere = { junction: Junction; here: number }

export type OrderPlace = { plant: string; order: string }

export function junctionHere(
  all: readonly WaitingAct[],
  { plant, order }: OrderPlace,
  junction: Junction,
): JunctionHere {
  const place = { kind: 'junction' as const, branch: plant, order, junction: junction.Z8_POSICAO }
  const here = piecesHere(waitingOf(all, kinds.junction.deliveryKeyOf(place)), kinds.junction, place)
  return { junction: { ...junction, aguardandoErp: junction.aguardandoErp + here }, here }
}

import type { CutItem, Part } from '../../contract/items.ts'
import type { Junction } from '../../contract/junctions.ts'
import { useWaiting } from './outbox.ts'
import type { WaitingRecording } from './queue.ts'
import { joinedHere, type PiecesHere, piecesHere } from './queue.ts'

/** An item with what waits on this device counted as on its way, so that every rule and percentage knows of it. */
export type ItemHere = { item: CutItem; here: PiecesHere }

function itemHere(item: CutItem, waiting: readonly WaitingRecording[]): ItemHere {
  const here = piecesHere(waiting, { branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR })
  const sum = (part: Part) => item.aguardandoErp[part] + here[part]
  return { item: { ...item, aguardandoErp: { cabo: sum('cabo'), l1: sum('l1'), l2: sum('l2') } }, here }
}

export const useItemHere = (item: CutItem): ItemHere => itemHere(item, useWaiting() ?? [])

/** As `ItemHere`, of a junction. */
export type JunctionHere = { junction: Junction; here: number }

export function useJunctionHere({ plant, order }: { plant: string; order: string }, junction: Junction): JunctionHere {
  const waiting = useWaiting() ?? []
  const here = joinedHere(waiting, { kind: 'junction', branch: plant, order, junction: junction.Z8_POSICAO })
  return { junction: { ...junction, aguardandoErp: junction.aguardandoErp + here }, here }
}

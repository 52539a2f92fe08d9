import type { CutItem, Part } from '../../contract/items.ts'
import { useWaiting, type WaitingRecording } from '../outbox.ts'
import { type PiecesHere, piecesHere } from '../queue.ts'

/** An item with what waits on this device counted as on its way, so that every rule and percentage knows of it. */
export type ItemHere = { item: CutItem; here: PiecesHere }

function itemHere(item: CutItem, waiting: readonly WaitingRecording[]): ItemHere {
  const here = piecesHere(waiting, { branch: item.Z1_FILIAL, barcode: item.Z1_CODBAR })
  const sum = (part: Part) => item.aguardandoErp[part] + here[part]
  return { item: { ...item, aguardandoErp: { cabo: sum('cabo'), l1: sum('l1'), l2: sum('l2') } }, here }
}

export const useItemHere = (item: CutItem): ItemHere => itemHere(item, useWaiting() ?? [])

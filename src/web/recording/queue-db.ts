import type { DBSchema, IDBPTransaction } from 'idb'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type CutItem, type Part, parts } from '../../contract/items.ts'
import type { Junction } from '../../contract/junctions.ts'
import { sectionOf } from '../../domain/recordings.ts'
import { makeConnection } from '../device/database.ts'
import { logFailure } from '../device/log.ts'
import { noteWaiting } from '../device/marks.ts'
import { makeListeners } from '../device/store.ts'
import type { FrozenRecording } from './frozen.ts'
import { kinds } from './kinds.ts'
import {
  type AnsweredRecording,
  isForgotten,
  isNeverSent,
  isPastKeeping,
  piecesHere,
  receivedHere,
  type WaitingRecording,
} from './queue.ts'

interface QueueDb extends DBSchema {
  waiting: { key: number; value: WaitingRecording }
  answered: { key: number; value: AnsweredRecording }
}
type Stores = ['waiting', 'answered']

const transact = makeConnection<QueueDb>(
  'fila-de-apontamentos',
  (db) => {
    db.createObjectStore('waiting', { keyPath: 'position', autoIncrement: true })
    db.createObjectStore('answered', { keyPath: 'position' })
  },
  // browsers write lazily by default: a tablet that loses power would forget an act that the server may have
  { durability: 'strict' },
)

const both: Stores = ['waiting', 'answered']

const write = <Result>(
  change: (transaction: IDBPTransaction<QueueDb, Stores, 'readwrite'>) => Promise<Result>,
): Promise<Result> => transact(both, 'readwrite', change)

let lastPosition = 0

/** The latest act that this page knows of. Unlike a clock it never goes back, and never ahead. */
export const lastAct = (): number => lastPosition

const noteAct = (position: number) => {
  lastPosition = Math.max(lastPosition, position)
}

/** On disk when this resolves. When it rejects, nothing may be sent. Not shown until its first attempt has ended. */
export const keep = (
  frozen: FrozenRecording,
  { attempt, triedEpoch }: Pick<WaitingRecording, 'attempt' | 'triedEpoch'>,
): Promise<WaitingRecording> =>
  write(async (transaction) => {
    const recording = { ...frozen, answeredBefore: false, problem: null, attempt, triedEpoch }
    // The store itself gives the position.
    const position = await transaction.objectStore('waiting').add(recording as unknown as WaitingRecording)
    noteAct(position)
    return { ...recording, position }
  })

/** Before any byte leaves: after a loss of power nobody would know that the database may have it. False: it is gone. */
export const noteTried = ({ position }: WaitingRecording, triedEpoch: string): Promise<boolean> =>
  write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (recording) await waiting.put({ ...recording, triedEpoch })
    return recording !== undefined
  })

/** Refused in front of the operator, who may correct it: it never happened. */
export async function drop({ position }: WaitingRecording): Promise<void> {
  await write((transaction) => transaction.objectStore('waiting').delete(position))
  changed()
}

/** Unless it has been delivered or taken back meanwhile. */
export async function hold({ position }: WaitingRecording, problem: WaitingRecording['problem']): Promise<void> {
  await write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (recording) await waiting.put({ ...recording, problem })
  })
  changed()
}

/** What needs a person leaves the queue for good. False: it needs none any more, or is gone. */
export async function takeBack({ position }: WaitingRecording): Promise<boolean> {
  const isTaken = await write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (!recording?.problem) return false
    await waiting.delete(position)
    return true
  })
  changed()
  return isTaken
}

/** What was never sent is gone; of anything else the server is asked first. False: it has left the queue. */
export async function undoWaiting({ position }: WaitingRecording): Promise<boolean> {
  const isThere = await write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (!recording) return false
    if (isNeverSent(recording)) await waiting.delete(position)
    else await waiting.put({ ...recording, isUndone: true })
    return true
  })
  changed()
  return isThere
}

type Answer = Pick<AnsweredRecording, 'answeredAt' | 'epoch' | 'receipt'>

/** The receipt is good for this one act only. */
const withoutGrant = (recording: AnsweredRecording): AnsweredRecording =>
  recording.receipt ? { ...recording, grant: '' } : recording

/** Answered for good. Kept for as long as a backup that is put back might lack it. */
export async function settle(waiting: WaitingRecording, answer: Answer, coveredUntil: string | null) {
  const { problem: _, answeredBefore: __, attempt: ___, triedEpoch: ____, isUndone: _____, ...frozen } = waiting
  await write(async (transaction) => {
    const answered = transaction.objectStore('answered')
    await transaction.objectStore('waiting').delete(frozen.position)
    await answered.put(withoutGrant({ ...frozen, ...answer }))
    const nowMs = Date.parse(answer.answeredAt)
    let count = await answered.count()
    for (let oldest = await answered.openCursor(); oldest; oldest = await oldest.continue()) {
      if (!isPastKeeping(oldest.value, { nowMs, coveredUntil, count })) break
      await oldest.delete()
      count--
    }
  })
  changed('answered')
}

/** What another database than this one has answered waits again, each in its old place. */
export async function offerAgain(epoch: string): Promise<void> {
  const forgotten = await write(async (transaction) => {
    const all = await transaction.objectStore('answered').getAll()
    const again = all.filter((recording) => isForgotten(recording, epoch))
    for (const { answeredAt: _, epoch: __, ...frozen } of again) {
      await transaction
        .objectStore('waiting')
        .put({ ...frozen, answeredBefore: true, problem: null, attempt: null, triedEpoch: null })
      await transaction.objectStore('answered').delete(frozen.position)
    }
    return again
  })
  if (forgotten.length > 0) changed()
}

type Correction = Answer & Pick<FrozenRecording, 'id' | 'payload'>

/**
 * What became of an answered one in Pendências: a correction takes its place, what was discarded (null) goes. A server
 * restored from a backup would else be offered what no longer holds.
 */
export async function replaceAnswered(id: string, correction: Correction | null): Promise<void> {
  await write(async (transaction) => {
    const answered = transaction.objectStore('answered')
    const recording = (await answered.getAll()).find((one) => one.id === id)
    if (!recording) return
    // A correction is of the kind of what it corrects.
    if (correction) await answered.put(withoutGrant({ ...recording, ...correction } as AnsweredRecording))
    else await answered.delete(recording.position)
  })
}

export const findWaiting = (position: number): Promise<WaitingRecording | undefined> =>
  transact(['waiting'], 'readonly', ({ store }) => store.get(position))

/** In the order in which the acts were done. */
export const listWaiting = (): Promise<WaitingRecording[]> =>
  transact(['waiting'], 'readonly', ({ store }) => store.getAll())

export type Recorded = WaitingRecording | AnsweredRecording

/** What this device has made of late, whether it waits or was answered. */
export async function listRecorded(): Promise<Recorded[]> {
  const [waiting, answered] = await transact(both, 'readonly', (transaction) =>
    Promise.all([transaction.objectStore('waiting').getAll(), transaction.objectStore('answered').getAll()]),
  )
  const recorded = [...waiting, ...answered]
  for (const { position } of recorded) noteAct(position)
  return recorded
}

type News = 'changed' | 'answered'

/** Other tabs of this device show the same queue. */
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('apontamentos')
const { tell, subscribe: listen } = makeListeners()
let shown: readonly WaitingRecording[] | null = null

let isLegible = true

async function refresh() {
  try {
    shown = await listWaiting()
    noteWaiting(shown.length)
    isLegible = true
  } catch (error) {
    logFailure('Fila do dispositivo ilegível', error)
    // The form stays usable: a device that cannot read cannot write either, and 'Registrar' will say so.
    shown ??= []
    isLegible = false
  }
  tell()
}

/** Shows what has changed, here and in the other tabs. */
export function changed(news: News = 'changed'): void {
  void refresh()
  tabs?.postMessage(news)
}

export function watchOtherTabs(onAnswered: () => void): void {
  tabs?.addEventListener('message', ({ data: news }: MessageEvent<News>) => {
    void refresh()
    if (news === 'answered') onAnswered()
  })
}

function subscribe(listener: () => void): () => void {
  if (shown === null) void refresh()
  return listen(listener)
}

/** What waits on this device, oldest first; null until the device has been asked. */
export const useWaiting = (): readonly WaitingRecording[] | null => useSyncExternalStore(subscribe, () => shown)

/** False: what `useWaiting` says may be less than what is there. */
export const useIsLegible = (): boolean => useSyncExternalStore(subscribe, () => isLegible)

/** What this device had recorded when the screen was opened; null until it has answered, nothing where it cannot. */
export function useRecordedHere() {
  const [recorded, setRecorded] = useState<readonly Recorded[] | null>(null)
  useEffect(() => {
    listRecorded().then(setRecorded, (error) => {
      logFailure('Fila do dispositivo ilegível', error)
      setRecorded([])
    })
  }, [])
  return recorded
}

/**
 * An item with what waits on this device counted as on its way, so that every rule and percentage knows of it. `here`:
 * how many pieces that is.
 */
export type ItemHere = { item: CutItem; here: Record<Part, number> }

export function itemHere(waiting: readonly WaitingRecording[], item: CutItem): ItemHere {
  const { Z1_FILIAL: branch, Z1_CODBAR: barcode, aguardandoErp } = item
  const waitingOf = (part: Part) => piecesHere(waiting, kinds.cutCrimp, { branch, barcode, part })
  const here = { cabo: waitingOf('cabo'), l1: waitingOf('l1'), l2: waitingOf('l2') }
  const sum = (part: Part) => aguardandoErp[part] + here[part]
  return { item: { ...item, aguardandoErp: { cabo: sum('cabo'), l1: sum('l1'), l2: sum('l2') } }, here }
}

/** Pieces of all parts that the server has, whether the ERP has them or not. */
export const doneAtServer = ({ item, here }: ItemHere): number =>
  parts.reduce((sum, part) => sum + sectionOf(item, part).registered + item.aguardandoErp[part] - here[part], 0)

export const useItemHere = (item: CutItem): ItemHere => itemHere(useWaiting() ?? [], item)

export function useItemsHere(items: readonly CutItem[]): CutItem[] {
  const waiting = useWaiting() ?? []
  return items.map((item) => itemHere(waiting, item).item)
}

/** As `ItemHere`, of a junction. */
export type JunctionHere = { junction: Junction; here: number }

export function useJunctionHere({ plant, order }: { plant: string; order: string }, junction: Junction): JunctionHere {
  const waiting = useWaiting() ?? []
  const here = piecesHere(waiting, kinds.junction, { branch: plant, order, junction: junction.Z8_POSICAO })
  return { junction: { ...junction, aguardandoErp: junction.aguardandoErp + here }, here }
}

/** Barcodes of a plant whose receipts wait on this device. */
export function useReceivedHere(branch: string): ReadonlySet<string> {
  const waiting = useWaiting()
  return useMemo(() => receivedHere(waiting ?? [], branch), [waiting, branch])
}

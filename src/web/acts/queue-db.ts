import type { DBSchema, IDBPTransaction } from 'idb'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { CutItem } from '../../contract/items.ts'
import type { Junction } from '../../contract/junctions.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { serverNow } from '../device/clock.ts'
import { makeConnection } from '../device/database.ts'
import { logFailure } from '../device/log.ts'
import { noteWaiting } from '../device/marks.ts'
import { makeListeners } from '../device/store.ts'
import type { FrozenAct } from './kinds.ts'
import { type AnsweredAct, isForgotten, isNeverSent, isPastKeeping, receivedHere, type WaitingAct } from './queue.ts'
import {
  type Change,
  changedBy,
  type ItemHere,
  itemHere,
  type JunctionHere,
  junctionHere,
  type OrderPlace,
} from './waiting-list.ts'

interface QueueDb extends DBSchema {
  waiting: { key: number; value: WaitingAct }
  answered: { key: number; value: AnsweredAct }
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
  frozen: FrozenAct,
  { attempt, triedEpoch }: Pick<WaitingAct, 'attempt' | 'triedEpoch'>,
): Promise<WaitingAct> =>
  write(async (transaction) => {
    const recording = { ...frozen, answeredBefore: false, problem: null, attempt, triedEpoch }
    // The store itself gives the position.
    const position = await transaction.objectStore('waiting').add(recording as unknown as WaitingAct)
    noteAct(position)
    return { ...recording, position }
  })

/** Entries as they stand then; not of those that have been delivered or taken back meanwhile. */
const rewrite = (
  entries: readonly Pick<WaitingAct, 'position'>[],
  more: Partial<Pick<WaitingAct, 'problem' | 'triedEpoch'>>,
): Promise<WaitingAct[]> =>
  write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const rewritten: WaitingAct[] = []
    for (const { position } of entries) {
      const recording = await waiting.get(position)
      if (!recording) continue
      const now = { ...recording, ...more }
      await waiting.put(now)
      rewritten.push(now)
    }
    return rewritten
  })

/** Before any byte leaves: after a loss of power nobody would know that the database may have it. Null: it is gone. */
export async function noteTried(waiting: WaitingAct, triedEpoch: string): Promise<WaitingAct | null> {
  const [tried = null] = await rewrite([waiting], { triedEpoch })
  return tried
}

/** Refused in front of the operator, who may correct it: it never happened. */
export async function drop({ position }: WaitingAct): Promise<void> {
  await write((transaction) => transaction.objectStore('waiting').delete(position))
  changed({ gone: [position] })
}

/** Why only a person can help. */
export async function hold(waiting: WaitingAct, problem: WaitingAct['problem']): Promise<void> {
  changed({ put: await rewrite([waiting], { problem }) })
}

/** Acts held back until now are tried again. */
export async function release(waiting: readonly WaitingAct[]): Promise<void> {
  if (waiting.length > 0) changed({ put: await rewrite(waiting, { problem: null }) })
}

/** Removes an act that needs a person for good. False: it needs none any more, or is gone. */
export async function takeBack({ position }: WaitingAct): Promise<boolean> {
  const isTaken = await write(async (transaction) => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (!recording?.problem) return false
    await waiting.delete(position)
    return true
  })
  if (isTaken) changed({ gone: [position] })
  return isTaken
}

/** Undoes a waiting act: one never sent is gone; about any other the server is asked first. False: it has left the queue. */
export async function undoWaiting({ position }: WaitingAct): Promise<boolean> {
  const change = await write(async (transaction): Promise<Change | null> => {
    const waiting = transaction.objectStore('waiting')
    const recording = await waiting.get(position)
    if (!recording) return null
    const undone = { ...recording, isUndone: true as const, undoneAt: toInstant(serverNow()) }
    if (isNeverSent(recording)) await waiting.delete(position)
    else await waiting.put(undone)
    return isNeverSent(recording) ? { gone: [position] } : { put: [undone] }
  })
  if (change) changed(change)
  return change !== null
}

type Answer = Pick<AnsweredAct, 'answeredAt' | 'epoch' | 'receipt'>

/** The receipt is good for this one act only. */
const withoutGrant = (recording: AnsweredAct): AnsweredAct =>
  recording.receipt ? { ...recording, grant: '' } : recording

/** Answered for good. Kept for as long as a backup that is put back might lack it. Gone from the screen in the turn of `draw`. */
export async function settle(waiting: WaitingAct, answer: Answer, coveredUntil: string | null, draw: () => unknown) {
  const {
    problem: _,
    answeredBefore: __,
    attempt: ___,
    triedEpoch: ____,
    isUndone: _____,
    undoneAt: ______,
    ...frozen
  } = waiting
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
  await draw()
  changed({ gone: [frozen.position] }, 'answered')
}

/** Queues acts answered by another database than this one again, each in its old place. */
export async function offerAgain(epoch: string): Promise<void> {
  const put = await write(async (transaction) => {
    const all = await transaction.objectStore('answered').getAll()
    const again = all
      .filter((recording) => isForgotten(recording, epoch))
      .map(({ answeredAt: _, epoch: __, ...frozen }) => ({
        ...frozen,
        ...{ answeredBefore: true, problem: null, attempt: null, triedEpoch: null },
      }))
    for (const waiting of again) {
      await transaction.objectStore('waiting').put(waiting)
      await transaction.objectStore('answered').delete(waiting.position)
    }
    return again
  })
  if (put.length > 0) changed({ put })
}

type Correction = Answer & Pick<FrozenAct, 'id' | 'payload'>

/**
 * Follows a decision in Pendências about an answered act: a correction replaces it, a discarded one (null) goes.
 * Otherwise a server restored from a backup would be offered an act that no longer holds.
 */
export async function replaceAnswered(id: string, correction: Correction | null): Promise<void> {
  await write(async (transaction) => {
    const answered = transaction.objectStore('answered')
    const recording = (await answered.getAll()).find((one) => one.id === id)
    if (!recording) return
    // A correction is of the kind of what it corrects.
    if (correction) await answered.put(withoutGrant({ ...recording, ...correction } as AnsweredAct))
    else await answered.delete(recording.position)
  })
}

/** As the disk has it: another tab may have sent it, or found that it needs a person, and not have said so yet. */
export async function findWaiting(position: number): Promise<WaitingAct | undefined> {
  const found = await transact(['waiting'], 'readonly', ({ store }) => store.get(position))
  if (!found) follow({ gone: [position] })
  else if (found.problem) follow({ put: [found] })
  return found
}

const BATCH = 2000

/** The queue as this page knows it, so that a turn reads only the act it sends; null until the disk was read. */
let known: readonly WaitingAct[] | null = null
/** Up to which act the disk was read: what other tabs, or pages of the version before, have added stands behind it. */
let readUpTo = 0
/** Changes written while the disk is read, to be laid over what it gives; null while it is not read. */
let meanwhile: Change[] | null = null
let turn: Promise<unknown> = Promise.resolve()

async function readBehind(position: number): Promise<WaitingAct[]> {
  const found: WaitingAct[] = []
  for (let after = position; ; ) {
    const range = IDBKeyRange.lowerBound(after, true)
    const batch = await transact(['waiting'], 'readonly', ({ store }) => store.getAll(range, BATCH))
    found.push(...batch)
    const last = batch.at(-1)
    if (!last || batch.length < BATCH) return found
    after = last.position
  }
}

async function readOn(isAnew: boolean): Promise<readonly WaitingAct[]> {
  const before = isAnew ? null : known
  const written: Change[] = []
  meanwhile = written
  try {
    const found = await readBehind(before ? readUpTo : 0)
    readUpTo = found.at(-1)?.position ?? readUpTo
    if (!before || found.length > 0) known = [{ put: found }, ...written].reduce(changedBy, before ?? [])
    return known ?? []
  } finally {
    meanwhile = null
  }
}

/** In the order in which the acts were done. Each caller knows then of all that was on disk when it asked. */
export function listWaiting({ isAnew = false } = {}): Promise<readonly WaitingAct[]> {
  const listed = turn.then(() => readOn(isAnew))
  turn = listed.catch(() => undefined)
  return listed
}

export type Recorded = WaitingAct | AnsweredAct

/** This device's recent acts, waiting or answered. */
async function listRecorded(): Promise<Recorded[]> {
  const [waiting, answered] = await transact(both, 'readonly', (transaction) =>
    Promise.all([transaction.objectStore('waiting').getAll(), transaction.objectStore('answered').getAll()]),
  )
  const recorded = [...waiting, ...answered]
  for (const { position } of recorded) noteAct(position)
  return recorded
}

/** Acts of this device that the server has answered and may still forget. */
export const listAnswered = (): Promise<AnsweredAct[]> =>
  transact(['answered'], 'readonly', ({ store }) => store.getAll())

type News = 'changed' | 'answered'

/** Other tabs of this device show the same queue. */
const tabs = new BroadcastChannel('apontamentos')
const { tell, subscribe: listen } = makeListeners()
const answers = makeListeners()
let shown: readonly WaitingAct[] | null = null

let isLegible = true

function show(waiting: readonly WaitingAct[], isRead: boolean): void {
  if (shown === waiting && isLegible === isRead) return
  shown = waiting
  isLegible = isRead
  noteWaiting(waiting.length)
  tell()
}

const refresh = (isAnew = false): Promise<void> =>
  listWaiting({ isAnew }).then(
    (waiting) => show(waiting, true),
    (error) => {
      logFailure('Fila do dispositivo ilegível', error)
      // The form stays usable: a device that cannot read cannot write either, and 'Registrar' will say so.
      show(shown ?? [], false)
    },
  )

function follow(change: Change): void {
  meanwhile?.push(change)
  if (known) known = changedBy(known, change)
  if (known && isLegible) show(known, true)
  else void refresh()
}

/** Shows what was written, here and in the other tabs. */
export function changed(change: Change, news: News = 'changed'): void {
  follow(change)
  tabs.postMessage({ ...change, news })
}

tabs.addEventListener('message', ({ data }: MessageEvent<News | (Change & { news: News })>) => {
  // a page of the version before does not say what has changed
  if (typeof data === 'string') void refresh(true)
  else follow(data)
  if (data === 'answered' || (typeof data === 'object' && data.news === 'answered')) answers.tell()
})

/** Another tab has had an answer. */
export const watchOtherTabs = (onAnswered: () => void): (() => void) => answers.subscribe(onAnswered)

function subscribe(listener: () => void): () => void {
  if (shown === null) void refresh()
  return listen(listener)
}

/** Acts waiting on this device, oldest first; null until the disk was read. */
export const useWaiting = (): readonly WaitingAct[] | null => useSyncExternalStore(subscribe, () => shown)

/** False: what `useWaiting` says may be less than what is there. */
export const useIsLegible = (): boolean => useSyncExternalStore(subscribe, () => isLegible)

/** Acts that this device had recorded when the screen was opened, or `round` began; null until the disk was read, none where it cannot be. */
export function useRecordedHere(round?: unknown) {
  const [recorded, setRecorded] = useState<readonly Recorded[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again in another round
  useEffect(() => {
    listRecorded().then(setRecorded, (error) => {
      logFailure('Fila do dispositivo ilegível', error)
      setRecorded([])
    })
  }, [round])
  return recorded
}

export function useItemHere(item: CutItem): ItemHere {
  const waiting = useWaiting()
  return useMemo(() => itemHere(waiting ?? [], item), [waiting, item])
}

export function useItemsHere(items: readonly CutItem[]): CutItem[] {
  const waiting = useWaiting() ?? []
  return items.map((item) => itemHere(waiting, item).item)
}

export const useJunctionHere = (of: OrderPlace, junction: Junction): JunctionHere =>
  junctionHere(useWaiting() ?? [], of, junction)

export function useJunctionsHere(of: OrderPlace, junctions: readonly Junction[]): Junction[] {
  const waiting = useWaiting() ?? []
  return junctions.map((junction) => junctionHere(waiting, of, junction).junction)
}

/** Barcodes of a plant whose receipts wait on this device. */
export function useReceivedHere(branch: string): ReadonlySet<string> {
  const waiting = useWaiting()
  return useMemo(() => receivedHere(waiting ?? [], branch), [waiting, branch])
}

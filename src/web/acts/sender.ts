import type { QueryClient } from '@tanstack/react-query'
import type { Reply } from '../../contract/endpoint.ts'
import { type CutItem, items } from '../../contract/items.ts'
import { junctions } from '../../contract/junctions.ts'
import { status } from '../../contract/settings.ts'
import { retryWaitMs, serverNow } from '../device/clock.ts'
import { currentToken, currentUser, subscribeToCredentials } from '../device/credentials.ts'
import { deferred } from '../device/deferred.ts'
import { alone, ifFree } from '../device/locks.ts'
import { logFailure } from '../device/log.ts'
import { makeListeners } from '../device/store.ts'
import { ApiError } from '../server/api.ts'
import { invalidate } from '../server/query.ts'
import { freshStatusQuery, knownEpoch } from '../server/status.ts'
import { deliveryKeyOf, type FrozenAct, kindOf, type Place } from './kinds.ts'
import {
  authorNeeded,
  blockedForAuthor,
  isAttemptedElsewhere,
  isRetained,
  nextToSend,
  RETAINED,
  RETAINED_ASK_MS,
  type WaitingAct,
} from './queue.ts'
import { findWaiting, hold, listWaiting, noteTried, offerAgain, release, watchOtherTabs } from './queue-db.ts'
import { refusalWords } from './refusal-words.ts'
import { type Outcome, pageId, pauseOf, send } from './send.ts'

/** Delivers what waits on this device: one tab at a time, each delivery key in its order, whoever is logged in. */

let queries: QueryClient | null = null
let running: Promise<void> | null = null
let isResent = false
let failures = 0
let retry: ReturnType<typeof setTimeout> | undefined
let offeredEpoch: string | null = null
/** On the clock of `performance`: until then the server takes nothing of this device but what is its author's own. */
let pausedUntilMs = Number.NEGATIVE_INFINITY
/** On the same clock: before, the server takes no more of something that it was offered. */
let againAtMs = Number.NEGATIVE_INFINITY

const deliveries = makeListeners<[recording: WaitingAct, outcome: Outcome]>()

/** Hears of each delivery that this tab has made. */
export const subscribeToDeliveries = deliveries.subscribe

export function startSender(queryClient: QueryClient): void {
  queries = queryClient
  const go = () => void sendWaiting()
  window.addEventListener('online', go)
  window.addEventListener('focus', go)
  let token = currentToken()
  subscribeToCredentials(() => {
    // a session that was found good again is no news
    if (currentToken() === token) return
    token = currentToken()
    go()
  })
  watchOtherTabs(() => {
    for (const [endpoint, parts] of [...counted, [items.get], [junctions.details]] as const)
      void invalidate(queryClient, endpoint, parts, { cancelRefetch: false })
  })
  setInterval(() => void askAboutRetained(), RETAINED_ASK_MS)
  go()
}

/** Sends retained ones again: the answer tells the decision. */
async function askAboutRetained(): Promise<void> {
  try {
    const retained = (await listWaiting()).filter(isRetained)
    await release(retained)
    if (retained.length > 0) await sendWaiting()
  } catch (error) {
    logFailure('Fila do dispositivo', error)
  }
}

/** Sends what waits, now. Resolves when there is nothing left to send or nobody to send it to. */
export function sendWaiting(): Promise<void> {
  if (running) {
    isResent = true
    return running
  }
  running = alone('fila-de-apontamentos', pass)
    .catch((error) => logFailure('Fila do dispositivo', error))
    .finally(() => {
      running = null
      if (isResent) {
        isResent = false
        void sendWaiting()
      }
    })
  return running
}

/** A person asks for it: also those that need one are tried again. */
export async function sendNow(): Promise<void> {
  try {
    await release((await listWaiting()).filter(({ problem }) => problem !== null))
  } catch (error) {
    logFailure('Fila do dispositivo', error)
  }
  await sendWaiting()
}

/** The server answers again, or works on another database than before. */
export async function serverIsThere(epoch: string | null): Promise<void> {
  await offerForgotten(epoch).catch((error) => logFailure('Fila do dispositivo', error))
  await sendWaiting()
}

async function offerForgotten(epoch: string | null): Promise<void> {
  if (epoch === null || epoch === offeredEpoch) return
  await offerAgain(epoch)
  // another tab may have done it, and what waits again stands in its old place
  if (offeredEpoch !== null) await listWaiting({ isAnew: true })
  offeredEpoch = epoch
}

async function pass(): Promise<void> {
  clearTimeout(retry)
  const isDone = await sendAllIfReady().catch((error) => {
    logFailure('Fila do dispositivo', error)
    return false
  })
  failures = isDone ? 0 : failures + 1
  const waitMs = Math.max(againAtMs - performance.now(), retryWaitMs(failures, Math.random()))
  if (!isDone) retry = setTimeout(() => void sendWaiting(), waitMs)
}

async function sendAllIfReady(): Promise<boolean> {
  return !nextToSend(await listReleased(), new Set()) || ((await isServerReady()) && (await sendAll()))
}

/** Releases what the logged-in author may deliver, so nothing of its delivery key overtakes it; lists what waits. */
async function listReleased(): Promise<readonly WaitingAct[]> {
  const waiting = await listWaiting()
  const released = blockedForAuthor(waiting, currentUser()?.username)
  await release(released)
  return released.length === 0 ? waiting : await listWaiting()
}

/** Asked of the header's indicators too: they turn with the first answer. */
async function isServerReady(): Promise<boolean> {
  const now = await queries?.fetchQuery(freshStatusQuery).catch(() => null)
  if (!now || now.database === 'offline') return false
  await offerForgotten(now.epoch)
  return true
}

const isPaused = () => performance.now() < pausedUntilMs

function notePause(error: unknown): void {
  const pause = pauseOf(error)
  if (pause === null) return
  againAtMs = performance.now() + pause.ms
  if (pause.isOfDevice) pausedUntilMs = againAtMs
}

/** True when everything that can be delivered without a person was. */
async function sendAll(): Promise<boolean> {
  const blockedKeys = new Set<string>()
  let isAnyAnswered = false
  try {
    for (;;) {
      const token = currentToken()
      const next = nextToSend(await listReleased(), blockedKeys)
      if (!next) return blockedKeys.size === 0
      const key = deliveryKeyOf(next)
      if (isPaused() && next.username !== currentUser()?.username) {
        blockedKeys.add(key)
        continue
      }
      // Null: the operator's own attempt is under way.
      const sent = isAttemptedElsewhere(next, pageId, serverNow())
        ? null
        : await ifFree(key, () => deliverOnce(next, token))
      isAnyAnswered ||= sent?.outcome === 'accepted'
      if (sent === null || sent.outcome === 'unanswered') blockedKeys.add(key)
      if (sent?.outcome === 'unanswered') notePause(sent.error)
      if (sent?.outcome === 'unanswered' && !(sent.error instanceof ApiError) && !(await isServerReady())) return false
    }
  } finally {
    if (isAnyAnswered) void showCounts()
  }
}

/** Null: taken back meanwhile. */
async function markTried(waiting: WaitingAct): Promise<WaitingAct | null> {
  const epoch = knownEpoch()
  return waiting.triedEpoch !== null || epoch === null ? waiting : await noteTried(waiting, epoch)
}

const DELIVERY_MS_MAX = 15_000

const undo = deferred(() => import('./undo.ts'))

/** A program that does not come, as after an update of the server, holds up this act and no other. */
async function endUndone(waiting: WaitingAct): Promise<Outcome | { outcome: 'skipped' }> {
  try {
    return await (await undo.load()).endAtServer(waiting)
  } catch (error) {
    return { outcome: 'unanswered', error }
  }
}

/** The operator was told 'salvo', so the server parks it where it would have refused. */
async function deliverOnce({ position }: WaitingAct, token: string | null): Promise<Outcome | { outcome: 'skipped' }> {
  const found = await findWaiting(position)
  const waiting = found?.problem === null ? await markTried(found) : null
  // chosen for the session of that moment: in another, one held before it may have to go first
  if (!waiting || currentToken() !== token) return { outcome: 'skipped' }
  if (waiting.isUndone) return await endUndone(waiting)
  const { answeredBefore, triedEpoch } = waiting
  const more = {
    salvoNoDispositivo: true,
    ...(answeredBefore ? { respondidoAntes: true } : {}),
    ...(triedEpoch && triedEpoch !== knownEpoch() ? { tentadoAntes: { epoca: triedEpoch } } : {}),
  }
  const sent = await send(waiting, more, DELIVERY_MS_MAX, showTaken)
  const problem = problemIn(sent, waiting)
  if (problem) await hold(waiting, problem)
  const isDrawn = 'answer' in sent && sent.answer.item
  // not awaited: a reading of this place waits for the end of this delivery
  if (sent.outcome !== 'unanswered' && !isDrawn) void showAnswer(waiting, null)
  deliveries.tell(waiting, sent)
  // Not settled on this device: another try now would be answered the same, and never end.
  const isStillThere = sent.outcome === 'accepted' && (await findWaiting(position)) !== undefined
  return isStillThere ? { outcome: 'unanswered', error: null } : sent
}

/** Why only a person can help; null: it was taken, or is sent again. */
function problemIn(sent: Outcome, waiting: WaitingAct): WaitingAct['problem'] {
  if (sent.outcome === 'refused') return { code: sent.error.code, message: refusalWords(sent.error) }
  if (sent.outcome === 'author_needed') return authorNeeded(waiting)
  return sent.outcome === 'retained' ? { code: RETAINED, message: sent.message } : null
}

/** Percentages in lists, and what the header counts. A list of receipts is marked by its own screen. */
const counted = [[items.search, { query: { modo: 'APONTAMENTO' } }], [junctions.list], [status.get]] as const

/** Reads anew what is counted. */
export async function showCounts(): Promise<void> {
  const client = queries
  if (client) await Promise.all(counted.map(([endpoint, parts]) => invalidate(client, endpoint, parts)))
}

/** In the turn in which an act goes from this device: what it adds to is never shown without it. */
export async function showTaken(act: FrozenAct, item: CutItem | null) {
  if (item) return await showAnswer(act, item)
  const { readingOf, withTaken } = kindOf(act).work ?? {}
  if (!readingOf || !withTaken) return
  const reading = readingOf(act)
  // one that began before the answer, and waits for the end of this delivery, may lack it
  await queries?.cancelQueries(reading)
  queries?.setQueryData(reading.queryKey, (read) => read && withTaken(read as never, act.payload))
}

/** Brings an open item or junction up to date. Without the item in the answer it is read again. */
export async function showAnswer(place: Place, item: CutItem | null) {
  const reading = kindOf(place).work?.readingOf(place)
  if (!reading || !queries?.getQueryState(reading.queryKey)) return
  // A reading that began before the answer would bring the old percentages back.
  await queries.cancelQueries(reading)
  // An answer that the ERP had no part in makes a copy no younger.
  if (item)
    queries.setQueryData<Reply<typeof items.get>>(reading.queryKey, (before) => ({
      item,
      dadosDe: before?.dadosDe ?? null,
    }))
  else await queries.invalidateQueries(reading)
}

import { issueText } from '../../contract/errors.ts'
import type { CutItem } from '../../contract/items.ts'
import { type Capture, type RecordingAnswer, recordingStatuses } from '../../contract/recordings.ts'
import { fieldsWithBadge } from '../../domain/text/badge-texts.ts'
import { deviceNow, knowsServerClock, serverNow } from '../device/clock.ts'
import { currentUser } from '../device/credentials.ts'
import { hasLocks } from '../device/locks.ts'
import { logFailure } from '../device/log.ts'
import { keepLastReceipt } from '../device/marks.ts'
import { preferences } from '../device/preferences.ts'
import { keepStorage } from '../device/store.ts'
import { ApiError, call, isEndOfSession, isNotKnownThere, isServerSilent } from '../server/api.ts'
import { validate } from '../server/session.ts'
import { knownCoveredUntil, knownEpoch } from '../server/status.ts'
import type { Act } from './act.ts'
import { deliveryKeyOf, type FrozenAct, kindOf } from './kinds.ts'
import { ATTEMPT_MS_MAX, attemptEnd, clockShiftMs, nextToSend, type WaitingAct } from './queue.ts'
import { changed, drop, keep, listWaiting, settle } from './queue-db.ts'
import { fieldName, formField } from './refusal-words.ts'
import { waitingOf } from './waiting-list.ts'

/** The server's answer to one attempt. */
export type Outcome =
  | { outcome: 'accepted'; answer: RecordingAnswer }
  /** For good: it is not recorded. */
  | { outcome: 'refused'; error: ApiError }
  /** Not taken under its author's grant: the author has to log in here. */
  | { outcome: 'author_needed' }
  /** Stored, and no part of anything until an admin decides; its author may still bring it under a session. */
  | { outcome: 'retained'; message: string }
  /** Nobody knows whether the server has it; `error` is what came instead of an answer. */
  | { outcome: 'unanswered'; error: unknown }

/** Outcome of a press on 'Registrar'. */
export type PressOutcome =
  | Extract<Outcome, { outcome: 'accepted' | 'refused' }>
  /** In this device's queue, to be delivered whatever happens next. */
  | { outcome: 'saved' }
  /** The device could not keep it, so nothing was sent. */
  | { outcome: 'not_kept' }

const definitiveStatuses = [400, 403, 404, 409, 422]

/** A proxy's page says nothing about the recording, whatever its status. */
export const isDefinitive = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  definitiveStatuses.includes(error.status) &&
  !error.code.startsWith('http_') &&
  // an older server does not know where a newer page sends to, or what it says there: no answer
  error.code !== 'not_found' &&
  !isNotKnownThere(error)

/**
 * The pause that a refusal for too many calls (429) asks for; null: another error. `isOfDevice`: for all that this device delivers
 * without a session, else for this person's acts of one sort.
 */
export function pauseOf(error: unknown): { ms: number; isOfDevice: boolean } | null {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterMs === null) return null
  return { ms: error.retryAfterMs, isOfDevice: error.code !== 'too_many_of_person' }
}

const isAnswer = (answer: Partial<RecordingAnswer> | null): answer is RecordingAnswer =>
  typeof answer?.message === 'string' && recordingStatuses.some((status) => status === answer.status)

/** `crypto.randomUUID` exists in secure contexts only; a plant may run on plain HTTP. */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Tells this page from other tabs of this device. */
export const pageId = newId()

/** The act as it stands at 'Registrar': who does it, when and what, under an id of its own. Ask `refusalOf` first. */
export function freeze<F extends FrozenAct, Pressed>(kind: Act<F, Pressed>, pressed: Pressed, substitui?: string): F {
  const user = currentUser()
  const username = user?.username ?? ''
  const displayName = user?.fullName || username
  const frozenAt = new Date(serverNow()).toISOString()
  const payload = kind.payloadOf(pressed, {
    username,
    displayName,
    registeredAt: frozenAt,
    deviceName: preferences().deviceName,
  })
  return {
    id: newId(),
    username,
    displayName,
    grant: user?.deliveryGrant ?? '',
    frozenAt,
    ...(knowsServerClock() ? {} : { ownClock: { page: pageId, elapsedMs: performance.now() } }),
    ...kind.placeOf(payload),
    payload: substitui ? { ...payload, captura: { ...payload.captura, substitui } } : payload,
  } as unknown as F
}

/** `field`: where the form says it; null: at the part, undefined: nowhere else. */
export type Refusal = {
  text: string
  field?: string | null
  /** The words of whoever refused, where `text` says more. */
  words?: string
}

/** Why the server would never take an act, in words; null when all is well. One called saved could not be corrected any more. */
export function problemOf(recording: Pick<FrozenAct, 'kind' | 'payload'>): Refusal | null {
  const { endpoint } = kindOf(recording)
  // kinds whose endpoint is loaded late: nothing is typed for a call, and the dialog of a sample has judged it
  if (typeof endpoint === 'function') return null
  const [issue] = endpoint.body?.safeParse(recording.payload, { reportInput: true }).error?.issues ?? []
  const [withBadge] = issue ? [] : fieldsWithBadge(recording.payload)
  if (withBadge) return { text: `Erro: ${fieldName(withBadge)}: isto é um crachá`, field: formField(withBadge) }
  if (!issue) return null
  const sent = String(issue.path[0] ?? '')
  return { text: `Erro: ${fieldName(sent)}: ${issueText(issue)}`, field: formField(sent) }
}

/** Meaning of a failed call: final, final for its author, or none. */
function failureOf(error: unknown, isByAuthor: boolean): Outcome {
  if (isDefinitive(error)) return { outcome: 'refused', error }
  if (error instanceof ApiError && error.status === 401) {
    if (isByAuthor) void validate()
    // Refused under its author's grant it says nothing about who is logged in.
    else if (isEndOfSession(error)) return { outcome: 'author_needed' }
  }
  return { outcome: 'unanswered', error }
}

/** The content, and what is to be said of this delivery of it. */
function bodyOf(recording: FrozenAct, more: Capture) {
  const clocks = { page: pageId, elapsedMs: performance.now(), deviceMs: deviceNow(), serverMs: serverNow() }
  // what an act made without the server's clock must say of its time
  const desvioMs = clockShiftMs(recording, clocks)
  const said = { ...more, ...(desvioMs === 0 ? {} : { desvioMs }) }
  const { payload } = recording
  return Object.keys(said).length === 0 ? payload : { ...payload, captura: { ...payload.captura, ...said } }
}

/** Draws what the server has taken where it is open: the item of the answer, or the act beside what was read. */
type ShowTaken = (act: FrozenAct, item: CutItem | null) => Promise<void>

/** One attempt. `more`: what the queue adds to what the operator's own attempt would say. */
export async function send(waiting: WaitingAct, more: Capture, answerMsMax: number, show: ShowTaken): Promise<Outcome> {
  const { id, username, grant, receipt } = waiting
  const { endpoint, work } = kindOf(waiting)
  // one learnt later need not be that of the database that answered
  const epoch = knownEpoch()
  let isByAuthor = false
  let answer: RecordingAnswer
  try {
    const row = typeof endpoint === 'function' ? await endpoint() : endpoint
    // A recording belongs to who made it: with somebody else or nobody logged in by now it travels under its author's grant.
    isByAuthor = currentUser()?.username === username
    const authority = isByAuthor ? { receipt } : { authorization: receipt ? `Receipt ${receipt}` : `Grant ${grant}` }
    const body = bodyOf(waiting, more)
    answer = (await call(row, { body }, { idempotencyKey: id, answerMsMax, ...authority })) as RecordingAnswer
  } catch (error) {
    return failureOf(error, isByAuthor)
  }
  if (!isAnswer(answer)) return { outcome: 'unanswered', error: null }
  if (answer.retido) return { outcome: 'retained', message: answer.message }
  const answeredAt = new Date(serverNow()).toISOString()
  // Should this fail, it is sent once more under the same id and gets the same answer.
  keepLastReceipt(answer.recibo)
  const item = work?.itemIn?.(answer) ?? null
  const settled = { answeredAt, epoch, receipt: answer.recibo }
  await settle(waiting, settled, knownCoveredUntil(), () => show(waiting, item)).catch((error) =>
    logFailure('Apontamento não baixado da fila', error),
  )
  return { outcome: 'accepted', answer: { ...answer, item } }
}

/**
 * Whether to try at once: first of its delivery key, server not silent, epoch known (else the queue asks for it first).
 * `navigator.onLine` is not asked: the server may be on this very machine.
 */
async function mayBeTried(waiting: WaitingAct): Promise<boolean> {
  const sameKey = waitingOf(await listWaiting(), deliveryKeyOf(waiting))
  return nextToSend(sameKey, new Set())?.position === waiting.position && !isServerSilent() && !!waiting.triedEpoch
}

/**
 * 'Registrar': on disk first, then sent in front of the operator, who reads a refusal and corrects it, where nothing
 * else of its delivery key is under way (`isFree`) and somebody is there.
 */
export async function record(
  frozen: FrozenAct,
  { isFree, onSaved, show }: { isFree: boolean; onSaved: () => void; show: ShowTaken },
): Promise<PressOutcome> {
  void keepStorage()
  const isToBeTried = isFree && !isServerSilent()
  let waiting: WaitingAct
  try {
    const attempt = hasLocks() ? null : { page: pageId, until: attemptEnd(serverNow()) }
    waiting = await keep(frozen, { attempt, triedEpoch: isToBeTried ? knownEpoch() : null })
  } catch (error) {
    logFailure('Apontamento não guardado no dispositivo', error)
    return { outcome: 'not_kept' }
  }
  onSaved()
  try {
    if (isFree && (await mayBeTried(waiting))) {
      const sent = await send(waiting, {}, ATTEMPT_MS_MAX, show)
      if (sent.outcome === 'refused') {
        await drop(waiting).catch((error) => logFailure('Apontamento recusado não saiu da fila', error))
      }
      if (sent.outcome === 'accepted' || sent.outcome === 'refused') return sent
    }
  } catch (error) {
    logFailure('Apontamento guardado e não enviado', error)
  }
  changed({ put: [waiting] })
  return { outcome: 'saved' }
}

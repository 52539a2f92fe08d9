import { WAITING_ALARM_MS } from '../../contract/settings.ts'
import type { Act, PlaceOf, WorkAct } from './act.ts'
import { authorOf, deliveryKeyOf, type FrozenAct, isOf, kindOf, kinds, type Place } from './kinds.ts'

/** Decisions of the tablet's queue, without clock, disk or network. */

/** On disk, without an answer. */
export type Waiting<F extends FrozenAct> = F & {
  /** Grows with each act on this device, whatever its clock does. */
  position: number
  /** The server had answered it, then came back with an older database. */
  answeredBefore: boolean
  /** The server will not take it as it is: only a person can help. */
  problem: { code: string; message: string } | null
  /** Which database it was sent to first; null before that. What a version before has kept does not say. */
  triedEpoch?: string | null | undefined
  /** Its author has taken it back, and when; the server is asked to end what may have reached it. Calls and scrap only. */
  isUndone?: true | undefined
  undoneAt?: string | undefined
  /** Where no lock tells the tabs of this device apart: the page that may be trying it in front of its operator. */
  attempt: { page: string; until: string } | null
}

export type WaitingAct = Waiting<FrozenAct>

/** No byte of it has left this device. Of what a version before has kept nobody knows. */
export const isNeverSent = ({ triedEpoch, answeredBefore }: WaitingAct): boolean =>
  triedEpoch === null && !answeredBefore

export type AnsweredAct = FrozenAct & {
  position: number
  answeredAt: string
  /** Which database answered; null when that was not known. */
  epoch: string | null
}

export type RecordedHere = Place & { position: number }

/** The latest act on this device that recorded it; 0 when there is none. A sample of it leaves the form as it is. */
export function recordedAt(recorded: readonly RecordedHere[], place: Place): number {
  const key = deliveryKeyOf(place)
  const isSame = (one: RecordedHere) => kindOf(one) === kindOf(place) && deliveryKeyOf(one) === key
  return Math.max(0, ...recorded.filter(isSame).map(({ position }) => position))
}

/** The next act to send, oldest first. One that needs a person holds up nothing, a blocked delivery key only itself. */
export const nextToSend = (waiting: readonly WaitingAct[], blockedKeys: ReadonlySet<string>): WaitingAct | null =>
  waiting.find((recording) => recording.problem === null && !blockedKeys.has(deliveryKeyOf(recording))) ?? null

/** Its author's grant is taken no more: it goes under its author's own session. */
export const AUTHOR_NEEDED = 'author_needed'

export const authorNeeded = (recording: FrozenAct): NonNullable<WaitingAct['problem']> => ({
  code: AUTHOR_NEEDED,
  message: `Peça a ${authorOf(recording)} que entre neste dispositivo.`,
})

/** The server keeps it apart until an admin decides: the session under which it was made is no more to be trusted. */
export const RETAINED = 'retained'

/** How often it is asked what became of that. */
export const RETAINED_ASK_MS = 10 * 60_000

export const isRetained = ({ problem }: WaitingAct): boolean => problem?.code === RETAINED

/** Acts that only their author's own session may deliver, when that author is logged in. */
export const blockedForAuthor = (waiting: readonly WaitingAct[], username: string | undefined) =>
  waiting.filter(
    (recording) =>
      (recording.problem?.code === AUTHOR_NEEDED || isRetained(recording)) && recording.username === username,
  )

/** The server waits 2.5 s for the ERP; what takes much longer is a network that will not answer. */
export const ATTEMPT_MS_MAX = 8000

/** Two tabs of one device may read the server's clock a little differently; a date far ahead is a clock set back. */
const ATTEMPT_SLACK_MS = 2000

export const attemptEnd = (nowMs: number): string => new Date(nowMs + ATTEMPT_MS_MAX + ATTEMPT_SLACK_MS).toISOString()

/** Another page tries it: sent from here too it would be parked, while refused there. */
export function isAttemptedElsewhere({ attempt }: WaitingAct, page: string, nowMs: number): boolean {
  if (!attempt || attempt.page === page) return false
  const leftMs = Date.parse(attempt.until) - nowMs
  return leftMs > 0 && leftMs <= ATTEMPT_MS_MAX + 2 * ATTEMPT_SLACK_MS
}

/** Answered recordings are kept at least this long: a server restored from last night's backup has forgotten them. */
export const ANSWERED_RETAINED_MS = 48 * 3_600_000
/** And without a backup that has them at most this long. */
export const ANSWERED_RETAINED_MS_MAX = 30 * 24 * 3_600_000
/** The newest `min` are always kept, and never more than `max`. */
const answeredCounts = { min: 500, max: 5000 }

/** `count` are kept, of which this is the oldest. What was answered before `coveredUntil` is in two backups. */
export function isPastKeeping(
  { answeredAt }: AnsweredAct,
  { nowMs, coveredUntil, count }: { nowMs: number; coveredUntil: string | null; count: number },
): boolean {
  if (count <= answeredCounts.min) return false
  if (count > answeredCounts.max) return true
  const ageMs = nowMs - Date.parse(answeredAt)
  const isCovered = coveredUntil !== null && Date.parse(answeredAt) < Date.parse(coveredUntil)
  return ageMs > ANSWERED_RETAINED_MS_MAX || (isCovered && ageMs > ANSWERED_RETAINED_MS)
}

/** Answered by another database than today's. Where it is not known by which, asking once more does no harm. */
export const isForgotten = (recording: AnsweredAct, epoch: string): boolean => recording.epoch !== epoch

type Clocks = { page: string; elapsedMs: number; deviceMs: number; serverMs: number }

/** A device that was started without network may be days off: by how much the time of an act is to be moved. */
export function clockShiftMs({ ownClock, frozenAt }: FrozenAct, now: Clocks): number {
  if (!ownClock) return 0
  // within this page elapsed time is exact; for an earlier page only the clock's error now is known
  const shiftMs =
    ownClock.page === now.page
      ? now.serverMs - (now.elapsedMs - ownClock.elapsedMs) - Date.parse(frozenAt)
      : now.serverMs - now.deviceMs
  return Math.round(shiftMs)
}

/** Acts waiting here for `place`, without those that an earlier database answered: the ERP counts these already. */
const countedHere = <F extends FrozenAct, Pressed>(
  waiting: readonly WaitingAct[],
  kind: Act<F, Pressed>,
  place: Partial<PlaceOf<F>>,
): F[] => waiting.filter((act): act is WaitingAct & F => isOf(act, kind, place) && !act.answeredBefore)

/** Pieces of `place` that wait on this device. */
export const piecesHere = <F extends FrozenAct, Pressed>(
  waiting: readonly WaitingAct[],
  kind: WorkAct<F, Pressed>,
  place: Partial<PlaceOf<F>>,
): number => countedHere(waiting, kind, place).reduce((sum, act) => sum + kind.work.piecesIn(act.payload), 0)

/** Barcodes of a plant whose receipts wait on this device. */
export const receivedHere = (waiting: readonly WaitingAct[], branch: string): ReadonlySet<string> =>
  new Set(countedHere(waiting, kinds.receipt, { branch }).map(({ barcode }) => barcode))

/** Since when the oldest has been waiting; null when none is. */
export const waitingSince = (waiting: readonly WaitingAct[]): string | null => waiting[0]?.frozenAt ?? null

export const isOverdue = (since: string | null, nowMs: number): boolean =>
  since !== null && nowMs - Date.parse(since) > WAITING_ALARM_MS

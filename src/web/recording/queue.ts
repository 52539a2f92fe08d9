import type { Part } from '../../contract/items.ts'
import type { JunctionRecording } from '../../contract/junctions.ts'
import type { Receipt } from '../../contract/receipts.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { WAITING_ALARM_MS } from '../../contract/settings.ts'
import { naturalKey } from '../../domain/recordings.ts'

/** What the tablet's queue decides, without clock, disk or network. */

type Frozen = {
  id: string
  /** Who made it, and what delivers it in this person's name when somebody else is logged in. */
  username: string
  grant: string
  /** Of its answer: takes the place of the grant, should it be offered again. */
  receipt?: string | undefined
  branch: string
  frozenAt: string
  /** Where the server's clock was not known then: this page, and how long it had been open. */
  ownClock?: { page: string; elapsedMs: number } | undefined
}

/** The first kind there was: what tablets have kept of it names none. */
export type FrozenCutCrimp = Frozen & { kind?: undefined; barcode: string; part: Part; payload: CutCrimpRecording }
export type FrozenJunction = Frozen & { kind: 'junction'; order: string; junction: string; payload: JunctionRecording }
export type FrozenReceipt = Frozen & { kind: 'receipt'; barcode: string; payload: Receipt }

/** One physical act as the first 'Registrar' froze it. Its id and content never change. */
export type FrozenRecording = FrozenCutCrimp | FrozenJunction | FrozenReceipt

/** On disk, without an answer. */
export type Waiting<Recording extends FrozenRecording> = Recording & {
  /** Grows with each act on this device, whatever its clock does. */
  position: number
  /** The server had answered it, then came back with an older database. */
  answeredBefore: boolean
  /** The server will not take it as it is: only a person can help. */
  problem: { code: string; message: string } | null
  /** Which database it was sent to first; null before that. What a version before has kept does not say. */
  triedEpoch?: string | null | undefined
  /** Where no lock tells the tabs of this device apart: the page that may be trying it in front of its operator. */
  attempt: { page: string; until: string } | null
}

export type WaitingRecording = Waiting<FrozenRecording>

export type AnsweredRecording = FrozenRecording & {
  position: number
  answeredAt: string
  /** Which database answered; null when that was not known. */
  epoch: string | null
}

/** What a recording belongs to. */
export type Lane =
  | Pick<FrozenCutCrimp, 'kind' | 'branch' | 'barcode' | 'part'>
  | Pick<FrozenJunction, 'kind' | 'branch' | 'order' | 'junction'>
  | Pick<FrozenReceipt, 'kind' | 'branch' | 'barcode'>

/** Recordings of one lane reach the server in the order in which they were made. */
export function laneOf(lane: Lane): string {
  if (lane.kind === 'junction') return `junção|${lane.branch}|${lane.order}|${lane.junction}`
  if (lane.kind === 'receipt') return `recebimento|${lane.branch}|${lane.barcode}`
  return naturalKey(lane.branch, lane.barcode, lane.part)
}

/** Of the waiting ones, oldest first. What needs a person holds up nothing, a lane that is held up only itself. */
export const nextToSend = (
  waiting: readonly WaitingRecording[],
  heldUpLanes: ReadonlySet<string>,
): WaitingRecording | null =>
  waiting.find((recording) => recording.problem === null && !heldUpLanes.has(laneOf(recording))) ?? null

/** Its author's grant is taken no more: it goes under its author's own session. */
export const AUTHOR_NEEDED = 'author_needed'

/** As the plant knows this person. */
export const authorOf = (recording: FrozenRecording): string =>
  (recording.kind === 'receipt' ? '' : recording.payload.OPERADOR?.trim()) || recording.username

export const authorNeeded = (recording: FrozenRecording): NonNullable<WaitingRecording['problem']> => ({
  code: AUTHOR_NEEDED,
  message: `Peça a ${authorOf(recording)} que entre neste dispositivo.`,
})

/** The server keeps it apart until an admin decides: the session under which it was made is no more to be trusted. */
export const RETAINED = 'retained'

/** How often it is asked what became of that. */
export const RETAINED_ASK_MS = 10 * 60_000

export const retainedAs = (message: string): NonNullable<WaitingRecording['problem']> => ({ code: RETAINED, message })

export const isRetained = ({ problem }: WaitingRecording): boolean => problem?.code === RETAINED

/** What its author's own session delivers, and now may. */
export const heldForAuthor = (waiting: readonly WaitingRecording[], username: string | undefined) =>
  waiting.filter(
    (recording) =>
      (recording.problem?.code === AUTHOR_NEEDED || isRetained(recording)) && recording.username === username,
  )

/** The server waits 2.5 s for the ERP; what takes much longer is a network that will not answer. */
export const ATTEMPT_MS_MAX = 8000

/** Two tabs of one device may read the server's clock a little differently; a date far ahead is a clock set back. */
const ATTEMPT_SLACK_MS = 2000

export const attemptEnd = (nowMs: number): string => new Date(nowMs + ATTEMPT_MS_MAX + ATTEMPT_SLACK_MS).toISOString()

/** Sent as from the queue it would be parked, while its operator reads that it was refused. */
export function isAttemptedElsewhere({ attempt }: WaitingRecording, page: string, nowMs: number): boolean {
  if (!attempt || attempt.page === page) return false
  const leftMs = Date.parse(attempt.until) - nowMs
  return leftMs > 0 && leftMs <= ATTEMPT_MS_MAX + 2 * ATTEMPT_SLACK_MS
}

/** Answered recordings are kept at least this long: a server restored from last night's backup has forgotten them. */
export const ANSWERED_KEPT_MS = 48 * 3_600_000
/** And without a backup that has them at most this long. */
export const ANSWERED_KEPT_MS_MAX = 30 * 24 * 3_600_000
/** The newest so many are kept in any case, more than so many in none. */
export const answeredCounts = { min: 500, max: 5000 }

/** `count` are kept, of which this is the oldest. What was answered before `coveredUntil` is in two backups. */
export function isPastKeeping(
  { answeredAt }: AnsweredRecording,
  { nowMs, coveredUntil, count }: { nowMs: number; coveredUntil: string | null; count: number },
): boolean {
  if (count <= answeredCounts.min) return false
  if (count > answeredCounts.max) return true
  const ageMs = nowMs - Date.parse(answeredAt)
  const isCovered = coveredUntil !== null && Date.parse(answeredAt) < Date.parse(coveredUntil)
  return ageMs > ANSWERED_KEPT_MS_MAX || (isCovered && ageMs > ANSWERED_KEPT_MS)
}

/** Answered by another database than today's. Where it is not known by which, asking once more does no harm. */
export const isForgotten = (recording: AnsweredRecording, epoch: string): boolean => recording.epoch !== epoch

type Clocks = { page: string; elapsedMs: number; deviceMs: number; serverMs: number }

/** A device that was started without network may be days off: by how much the time of an act is to be moved. */
export function clockShiftMs({ ownClock, frozenAt }: FrozenRecording, now: Clocks): number {
  if (!ownClock) return 0
  // how long ago it was in this page no clock can hide; of an earlier page only what the clock is off by now is known
  const shiftMs =
    ownClock.page === now.page
      ? now.serverMs - (now.elapsedMs - ownClock.elapsedMs) - Date.parse(frozenAt)
      : now.serverMs - now.deviceMs
  return Math.round(shiftMs)
}

export type PiecesHere = Record<FrozenCutCrimp['part'], number>

/** Pieces of one item that wait on this device. What an earlier database has counted stands in the ERP already. */
export function piecesHere(
  waiting: readonly WaitingRecording[],
  { branch, barcode }: Pick<FrozenCutCrimp, 'branch' | 'barcode'>,
): PiecesHere {
  const pieces: PiecesHere = { cabo: 0, l1: 0, l2: 0 }
  for (const recording of waiting) {
    if (recording.kind || recording.answeredBefore) continue
    if (recording.branch !== branch || recording.barcode !== barcode) continue
    pieces[recording.part] += recording.payload.QTD_REALIZADA
  }
  return pieces
}

/** Pieces of one junction that wait on this device; as `piecesHere`. */
export const joinedHere = (waiting: readonly WaitingRecording[], lane: Extract<Lane, { kind: 'junction' }>): number =>
  waiting
    .filter((recording) => recording.kind === 'junction' && !recording.answeredBefore)
    .filter((recording) => laneOf(recording) === laneOf(lane))
    .reduce((sum, recording) => sum + (recording.kind === 'junction' ? recording.payload.QTD_APONTADA : 0), 0)

/** Barcodes of a plant whose receipts wait on this device. */
export const receivedHere = (waiting: readonly WaitingRecording[], branch: string): ReadonlySet<string> =>
  new Set(
    waiting.flatMap((recording) =>
      recording.kind === 'receipt' && recording.branch === branch && !recording.answeredBefore
        ? [recording.barcode]
        : [],
    ),
  )

/** Since when the oldest has been waiting; null when none is. */
export const waitingSince = (waiting: readonly WaitingRecording[]): string | null => waiting[0]?.frozenAt ?? null

export const isOverdue = (since: string | null, nowMs: number): boolean =>
  since !== null && nowMs - Date.parse(since) > WAITING_ALARM_MS

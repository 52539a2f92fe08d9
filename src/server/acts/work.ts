import { once } from 'node:events'
import { type RefusalCode, refusalText } from '../../contract/errors.ts'
import { type Capture, DISCARDED_MESSAGE, SUPERSEDED_MESSAGE, UNCERTAIN_MESSAGE } from '../../contract/recordings.ts'
import type { RecordingRefusal } from '../../domain/acts/recordings.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import type { Outbox } from '../delivery/outbox.ts'
import { ErpFailure } from '../erp/gateway.ts'
import type { Bound } from '../http/bind.ts'
import { signReceipt } from '../http/delivery-receipts.ts'
import type { Entrance } from '../http/entrance.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Reader, Tx } from '../store/db/db.ts'
import type { RecordingState } from '../store/db/tables.ts'
import {
  getRecording,
  type Payload,
  promiseRecording,
  type Recording,
  type StoredRecording,
} from '../store/recordings.ts'
import { findSetting } from '../store/settings.ts'
import { findUserById } from '../store/users.ts'
import type { ErpReading } from './erp-copies.ts'

/** A call that records something. */
export type Call = Entrance & ErpReading & Bound & { outbox: Outbox }

/** Somebody did the same before: there is nothing to record, and this to say. */
export type DoneBefore = { done: string; status: 'enviado' | 'pendente' }

/** The recording as it is to be stored: what it takes is taken. */
export type Reserved<P extends Payload> = Recording<P> | RecordingRefusal | DoneBefore

/**
 * One kind of work that is recorded: cut and crimp, junctions, receipts. All go one way, through `acceptance.ts` and
 * the outbox.
 */
export type Work<P extends Payload, Subject> = {
  /** With its code and order as the ERP writes them, where a copy knows: whoever posted them may have turned their case. */
  asWritten(db: Reader, recording: Recording<P>): Promise<Recording<P>>
  /** The copy that the rules need, and what they would say by it. */
  judgedCopy(
    db: Reader,
    recording: Recording<P>,
  ): Promise<{ fetchedAt: number; refusal: RecordingRefusal | null } | null>
  /** Reads it from the ERP. */
  readCopy(recording: Recording<P>, call: ErpReading): Promise<unknown>
  /** Decides by the rules, and takes what they give. */
  reserve(tx: Tx, recording: Recording<P>): Promise<Reserved<P>>
  /** As `reserve`, for what the copy may have already: no rule of quantity speaks. */
  reserveBeyondBalance(tx: Tx, recording: Recording<P>): Promise<Reserved<P>>
  /** Set where the work makes pieces of a wire. */
  production?: {
    /** The most pieces that one act alone can have made, as the copy says; without one, no bound. */
    orderedPieces(db: Reader, recording: Recording<P>): Promise<number>
    /** Wire gauge, mm² in thousandths, from the copy; null where it says no number. */
    findGauge(db: Reader, recording: Recording<P>): Promise<number | null>
  }
  /** The item or junction, as it stands now. */
  find(db: Reader, recording: Recording<P>): Promise<Subject | null>
  messages: { delivered: string; waiting: string; parked: string }
}

/** The part of a call that an act needs. */
export type Acting = Pick<Call, 'idempotencyKey' | 'contentHash' | 'config' | 'now'> & {
  caller: Pick<Call['caller'], 'userId' | 'username' | 'fullName'>
}

/** No tablet is without network for longer. */
const BELIEVED_AGE_MS_MAX = 366 * 86_400_000

/** Author and instant of an act, as every kind stores them. */
export function actOf(capture: Capture | undefined, { caller, idempotencyKey, contentHash, config, now }: Acting) {
  const receivedAt = now()
  const saidAt = capture?.registradoEm ? Date.parse(capture.registradoEm) + (capture.desvioMs ?? 0) : receivedAt
  // a tablet whose clock runs ahead would put today's work on tomorrow; one whose battery is empty, into 1970
  const recordedAt = saidAt > receivedAt - BELIEVED_AGE_MS_MAX ? Math.min(saidAt, receivedAt) : receivedAt
  return {
    id: idempotencyKey,
    contentHash,
    capture: capture ?? null,
    userId: caller.userId,
    operator: caller.fullName || caller.username || 'N/A',
    recordedAt,
    receivedAt,
    productionDay: plantDay(recordedAt, config.timeZone),
  }
}

/** The readings that the rules may do while somebody waits for the answer. */
export type Judging = ErpReading & {
  /** Ends the wait for the ERP, for all that one answer waits for. */
  answerBy: AbortSignal
  /** A copy older than this is read again first, where the ERP answers. */
  copyAgeMsMax: number
}

/** At 'Registrar' the balance shown may be as old as this. */
export const COPY_AGE_MS_MAX = 60_000
/** A copy read so recently is not read again for one more refusal. */
const FRESH_MS = 5000
const codesOfCopy: readonly RefusalCode[] = [
  'order_moved',
  'section_complete',
  'quantity_exceeds_balance',
  'quantity_exceeds_junction',
]

/**
 * The rules need a copy: without one it is read now. So is one that is old, or that leaves too few pieces or names another
 * order: at the ERP it may be otherwise by now. When the ERP does not answer in time the copy judges. Resolves to whether the copy
 * that was there did without a read.
 */
export async function requireCopy<P extends Payload, Subject>(
  work: Work<P, Subject>,
  recording: Recording<P>,
  call: Judging,
): Promise<boolean> {
  const { db, now, log, erp, answerBy, copyAgeMsMax } = call
  const copy = await work.judgedCopy(db.read, recording)
  if (!copy) {
    await work.readCopy(recording, call)
    return false
  }
  const ageMs = now() - copy.fetchedAt
  const { online, isSpared } = erp.health()
  const isOld = ageMs > copyAgeMsMax && online && !isSpared
  const mayRefuseWrongly = copy.refusal !== null && codesOfCopy.includes(copy.refusal.refused) && ageMs >= FRESH_MS
  if (!isOld && !mayRefuseWrongly) return true
  const reread = work
    .readCopy(recording, call)
    .catch((error: unknown) =>
      log.warn({ err: error, repeats: true }, 'the copy could not be read again before the rules judged'),
    )
  await Promise.race([reread, answerBy.aborted ? undefined : once(answerBy, 'abort')])
  return false
}

/** The codes whose reason lies in the recording itself: sending it again later would not help. */
const finalCodes: readonly RefusalCode[] = ['unknown_plant', 'item_not_found', 'junction_not_found']

/** Why the recording itself failed, in words for a person; null for a failure that may pass. */
export function reasonIn(error: unknown): string | null {
  if (error instanceof Refused && finalCodes.includes(error.code)) return refusalText(error.code, error.more.values)
  if (!(error instanceof ErpFailure)) return null
  if (error.isVerdict) return error.message
  return error.kind === 'not_found' ? refusalText('item_not_found') : null
}

const messages: Record<Exclude<RecordingState, 'waiting' | 'delivered' | 'parked'>, string> = {
  refused: refusalText('erp_refused'),
  uncertain: UNCERTAIN_MESSAGE,
  superseded: SUPERSEDED_MESSAGE,
  discarded: DISCARDED_MESSAGE,
}

/** The answer to every act. */
export type Answered = {
  message: string
  /** Nobody trusts the session that it came under: its tablet keeps it until its author brings it, or somebody has decided. */
  retido?: true
  /** With it this browser may offer the same content again, whoever sits there. */
  recibo?: string
}

/** The body of every recording's answer. */
export type Recorded<Subject> = Answered & { status: 'enviado' | 'pendente'; item: Subject | null }

/** The answer to an act, before it is signed. `isReceipted`: a receipt comes with it; else only under a trusted session. */
export type Said<Body> = { code: 200 | 201 | 202; body: Body; isReceipted?: boolean }

/** How the recording stands. Before it is called saved while it waits, that promise is stored. */
async function settledOrPromised(id: string, { db }: Pick<Call, 'db'>): Promise<StoredRecording> {
  const stored = await getRecording(db.read, id)
  if (stored.state !== 'waiting' || stored.promised) return stored
  const isPromised = await db.transaction((tx) => promiseRecording(tx, id))
  return isPromised ? { ...stored, promised: true } : await getRecording(db.read, id)
}

/** Says how the recording stands. */
export async function standingOf<P extends Payload, Subject>(
  work: Work<P, Subject>,
  recording: Recording<P>,
  call: Pick<Call, 'db'>,
): Promise<Said<Recorded<Subject>>> {
  const { db } = call
  const { id } = recording
  const { state, erpMessage } = await settledOrPromised(id, call)
  if (state === 'refused') throw new Refused('erp_refused', { message: erpMessage || undefined })
  const item = await work.find(db.read, recording)
  if (state === 'delivered') {
    const body = { message: erpMessage || work.messages.delivered, status: 'enviado' as const, item }
    return { code: 201, body, isReceipted: true }
  }
  const message = state === 'waiting' || state === 'parked' ? work.messages[state] : messages[state]
  return { code: 202, body: { message, status: 'pendente', item }, isReceipted: true }
}

/** The answer with its receipt, in the name of the act's author, whoever has corrected it. */
export async function answerOf<Body extends Answered>(
  act: Pick<Recording, 'id' | 'contentHash' | 'userId'>,
  { code, body, isReceipted }: Said<Body>,
  call: Pick<Call, 'db' | 'caller' | 'request' | 'keys'>,
): Promise<Answer<Body>> {
  const { db, caller } = call
  if (!(isReceipted ?? caller.retention === null)) return new Answer(code, body)
  const isOwn = act.userId === caller.userId
  const author = isOwn ? null : await findUserById(db.read, act.userId)
  if (!isOwn && author === null) return new Answer(code, body)
  const epoch = await findSetting(db.read, 'epoch')
  const recibo = signReceipt(act, author ? { ...author, userId: author.id } : caller, { ...call, epoch })
  return new Answer(code, recibo === undefined ? body : { ...body, recibo })
}

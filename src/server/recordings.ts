import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type RefusalCode, refusalText } from '../contract/errors.ts'
import type { Part } from '../contract/items.ts'
import {
  type CutCrimpRecording,
  DISCARDED_MESSAGE,
  PARKED_MESSAGE,
  partOf,
  RECORDED_MESSAGE,
  type RecordingAnswer,
  SUPERSEDED_MESSAGE,
  UNCERTAIN_MESSAGE,
  WAITING_MESSAGE,
} from '../contract/recordings.ts'
import { plantDay } from '../domain/plant-time.ts'
import { crimpsOf, decideRecording, openPieces, type RecordingRefusal } from '../domain/recordings.ts'
import type { Context } from './context.ts'
import { ErpFailure } from './erp/gateway.ts'
import { readItems } from './erp-reads.ts'
import type { Call } from './http.ts'
import { Answer, Refused } from './refused.ts'
import type { Tx } from './store/db.ts'
import { findItem, reservePieces } from './store/items.ts'
import { getRecording, promiseRecording, type Recording } from './store/recordings.ts'
import type { RecordingState } from './store/tables.ts'

/** Two calls under one id are the same act only if the operator entered the same thing, in whatever order the keys come. */
const contentHash = (payload: object) => hash('sha256', JSON.stringify(Object.entries(payload).sort()), 'hex')

/** What an act says, as this server keeps it. */
export function toRecording(body: CutCrimpRecording, { caller, idempotencyKey, config, now }: Call): Recording {
  const { captura, ...sent } = body
  const { OPERADOR: _, ...content } = sent
  const payload = { ...content, OPERADOR: caller.fullName || caller.username || 'N/A' }
  const part = partOf(payload) as Part
  const crimps = crimpsOf(payload)
  const receivedAt = now()
  // a tablet whose clock runs ahead would put today's work on tomorrow
  const recordedAt = Math.min(captura?.registradoEm ? Date.parse(captura.registradoEm) : receivedAt, receivedAt)
  const lots: Record<Part, string | undefined> = {
    cabo: payload.LOTE_CABO,
    l1: payload.LOTE_TERM_LD1,
    l2: payload.LOTE_TERM_LD2,
  }
  return {
    id: idempotencyKey,
    contentHash: contentHash(content),
    part,
    branch: payload.EMPRESA,
    barcode: payload.COD_BARRA,
    orderNumber: payload.ORDEM_PROD,
    pieces: payload.QTD_REALIZADA,
    machine: payload.MAQUINA,
    lot: lots[part] ?? '',
    terminal: (part === 'l1' ? payload.TERM_LD1 : part === 'l2' ? payload.TERM_LD2 : '') ?? '',
    applicator: crimps?.applicator ?? null,
    payload,
    capture: captura ?? null,
    userId: caller.userId,
    operator: payload.OPERADOR,
    recordedAt,
    receivedAt,
    productionDay: plantDay(recordedAt, config.timeZone),
  }
}

/** What was read so recently is not read again for one more refusal. */
const FRESH_MS = 5000
const balanceCodes: readonly RefusalCode[] = ['section_complete', 'quantity_exceeds_balance']

/**
 * The rules need the item; one that was never searched here is read now. So is one whose copy has too few pieces left:
 * at the ERP there may be more by now. The answer does not wait long for that.
 */
export async function requireCopy({ branch, barcode, part, payload }: Recording, call: Context): Promise<void> {
  const copy = await findItem(call.db.read, branch, barcode)
  const read = () => readItems(branch, barcode, 'APONTAMENTO', call)
  if (!copy) return void (await read())
  const refusal = decideRecording(payload, part, copy.item)
  if (!refusal || !balanceCodes.includes(refusal.refused) || call.now() - copy.fetchedAt < FRESH_MS) return
  const ended = new AbortController()
  const reread = read()
    .catch((error: unknown) => call.log.warn({ err: error }, 'the item could not be read again before a refusal'))
    .finally(() => ended.abort())
  const limit = setTimeout(call.answerWaitMs, undefined, { signal: ended.signal }).catch(() => undefined)
  await Promise.race([reread, limit])
}

/** Decides by the rules, and takes the pieces when they say yes. Null: taken. */
export async function reserve(tx: Tx, recording: Recording): Promise<RecordingRefusal | null> {
  const { branch, barcode, part, pieces, payload } = recording
  const copy = await findItem(tx, branch, barcode)
  const refusal = decideRecording(payload, part, copy?.item ?? null)
  if (refusal) return refusal
  // two operators may have passed the rule above at the same instant: the guarded statement lets one through
  if (await reservePieces(tx, { branch, barcode, part, pieces })) return null
  const now = await findItem(tx, branch, barcode)
  return { refused: 'quantity_exceeds_balance', values: { remaining: now ? openPieces(now.item, part) : 0 } }
}

/** The codes whose reason lies in the recording itself: sending it again later would not help. */
const finalCodes: readonly RefusalCode[] = ['unknown_plant', 'item_not_found']

/**
 * What a failure says about the recording, in words for a person; null when it says nothing and may pass. An ERP that
 * refuses to give the item has not judged the recording.
 */
export function reasonIn(error: unknown): string | null {
  if (error instanceof Refused && finalCodes.includes(error.code)) return refusalText(error.code, error.more.values)
  return error instanceof ErpFailure && error.kind === 'not_found' ? refusalText('item_not_found') : null
}

const messages: Record<RecordingState, string> = {
  waiting: WAITING_MESSAGE,
  delivered: RECORDED_MESSAGE,
  refused: refusalText('erp_refused'),
  parked: PARKED_MESSAGE,
  uncertain: UNCERTAIN_MESSAGE,
  superseded: SUPERSEDED_MESSAGE,
  discarded: DISCARDED_MESSAGE,
}

/** Says how the recording stands. Before it is called saved while it waits, that promise is stored. */
export async function answerFor(
  { id, branch, barcode }: Recording,
  { db }: Pick<Context, 'db'>,
): Promise<Answer<RecordingAnswer>> {
  await db.transaction((tx) => promiseRecording(tx, id))
  const { state, erpMessage } = await getRecording(db.read, id)
  if (state === 'refused') throw new Refused('erp_refused', { message: erpMessage || undefined })
  const item = (await findItem(db.read, branch, barcode))?.item ?? null
  return state === 'delivered'
    ? new Answer(201, { message: erpMessage || messages.delivered, status: 'enviado' as const, item })
    : new Answer(202, { message: messages[state], status: 'pendente' as const, item })
}

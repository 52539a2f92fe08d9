import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Part } from '../../contract/items.ts'
import {
  type CutCrimpRecording,
  partOf,
  RECORDED_MESSAGE,
  type RecordingAnswer,
  recordings,
  WAITING_MESSAGE,
} from '../../contract/recordings.ts'
import { plantDay } from '../../domain/plant-time.ts'
import { crimpsOf, decideRecording, naturalKey, openPieces } from '../../domain/recordings.ts'
import type { Context } from '../context.ts'
import { readItems, requirePlant } from '../erp-reads.ts'
import { bind, type Call } from '../http.ts'
import { Answer, Refused } from '../refused.ts'
import { againWhenStored, type Tx } from '../store/db.ts'
import { findItem, reservePieces } from '../store/items.ts'
import { enqueueDelivery } from '../store/outbox.ts'
import { findRecording, getRecording, insertRecording, promiseRecording, type Recording } from '../store/recordings.ts'

export function recordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, recordings.createCutCrimp, async ({ body }, call) => {
    requirePlant(body.EMPRESA, context)
    const recording = toRecording(body, call)
    if (!(await findRecording(call.db.read, recording.id))) await requireCopy(recording, call)
    // of two calls with one id at the same instant one stores it, the other then finds it stored
    await againWhenStored(() => call.db.transaction((tx) => accept(tx, recording)))
    const { state } = await getRecording(call.db.read, recording.id)
    // the delivery goes on by itself when this stops waiting for it
    if (state === 'waiting') await call.outbox.deliver(recording.id, AbortSignal.timeout(call.answerWaitMs))
    return await answerFor(recording, call)
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Two calls under one id are the same act only if the operator entered the same thing, in whatever order the keys come. */
const contentHash = (payload: object) => sha256(JSON.stringify(Object.entries(payload).sort()))

function toRecording(body: CutCrimpRecording, { caller, idempotencyKey, config, now }: Call): Recording {
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

/** The rules need the item; one that was never searched here is read now, and again only then. */
async function requireCopy({ branch, barcode }: Recording, call: Call): Promise<void> {
  if (!(await findItem(call.db.read, branch, barcode))) await readItems(branch, barcode, 'APONTAMENTO', call)
}

/** One commit: the recording, the wear of the tool, the roll-up, the reserved pieces and the promise to tell the ERP. */
async function accept(tx: Tx, recording: Recording): Promise<void> {
  const { id, branch, barcode, part, pieces, payload } = recording
  const earlier = await findRecording(tx, id)
  if (earlier && earlier.contentHash !== recording.contentHash) throw new Refused('idempotency_key_reused')
  if (earlier) return
  const copy = await findItem(tx, branch, barcode)
  const refusal = decideRecording(payload, part, copy?.item ?? null)
  if (refusal) throw new Refused(refusal.refused, { values: refusal.values })
  // two operators may have passed the rule above at the same instant: the guarded statement lets one through
  if (!(await reservePieces(tx, { branch, barcode, part, pieces }))) {
    const now = await findItem(tx, branch, barcode)
    throw new Refused('quantity_exceeds_balance', { values: { remaining: now ? openPieces(now.item, part) : 0 } })
  }
  await insertRecording(tx, recording)
  await enqueueDelivery(tx, {
    id,
    branch,
    naturalKey: naturalKey(branch, barcode, part),
    payload,
    at: recording.receivedAt,
  })
}

/** Says how the recording stands. Before it is called saved while it waits, that promise is stored. */
async function answerFor({ id, branch, barcode }: Recording, { db }: Call): Promise<Answer<RecordingAnswer>> {
  const promised = await db.transaction((tx) => promiseRecording(tx, id))
  const { state, erpMessage } = await getRecording(db.read, id)
  if (state === 'refused') throw new Refused('erp_refused', { message: erpMessage || undefined })
  const item = (await findItem(db.read, branch, barcode))?.item ?? null
  return !promised && state === 'delivered'
    ? new Answer(201, { message: erpMessage || RECORDED_MESSAGE, status: 'enviado' as const, item })
    : new Answer(202, { message: WAITING_MESSAGE, status: 'pendente' as const, item })
}

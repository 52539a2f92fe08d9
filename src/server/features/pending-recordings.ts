import type { FastifyInstance } from 'fastify'
import type { AuditAction } from '../../contract/audit-entries.ts'
import type { JunctionRecording } from '../../contract/junctions.ts'
import {
  PENDING_COUNT_MAX,
  type PendingRecording,
  type PendingSituation,
  pendingRecordings,
} from '../../contract/pending-recordings.ts'
import type { CutCrimpRecording, RecordedPart } from '../../contract/recordings.ts'
import { isAllowed } from '../../domain/people/permissions.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { cutCrimp, toCutCrimp } from '../acts/cut-crimp.ts'
import { readItem, requirePlant } from '../acts/erp-copies.ts'
import { insertWork } from '../acts/inserting.ts'
import { joining, readJunctions, toJunction } from '../acts/junctions.ts'
import { entryRefusal } from '../acts/lots.ts'
import { auditDecision, byAuthor, replaceOriginal } from '../acts/replacing.ts'
import { answerOf, COPY_AGE_MS_MAX, type Recorded, requireCopy, standingOf, type Work } from '../acts/work.ts'
import { bind } from '../http/bind.ts'
import type { Caller } from '../http/caller.ts'
import { type Answer, Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { isDecided } from '../store/audit-entries.ts'
import { againWhenStored, type Tx } from '../store/db/db.ts'
import type { Operation, RecordingState } from '../store/db/tables.ts'
import { findItem } from '../store/items.ts'
import { listJunctionsOfOrder } from '../store/junctions.ts'
import { changesOfRecording, noteChanges } from '../store/live-changes.ts'
import { enqueueDelivery } from '../store/outbox.ts'
import {
  findOriginal,
  listPending,
  NothingToResend,
  type Original,
  type PendingRow,
  resendPending,
  STUCK_MS,
  settlePending,
  takeOver,
} from '../store/pending-recordings.ts'
import { countPending, findRecording, getRecording, type Payload, type Recording } from '../store/recordings.ts'

export function pendingRecordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, pendingRecordings.list, async (_, { db, caller, now }) => {
    const rows = await listPending(db.read, PENDING_COUNT_MAX)
    const { pending: total } = await countPending(db.read)
    const stuckBefore = now() - STUCK_MS
    return { pendencias: rows.map((row) => toPending(row, caller, stuckBefore)), total }
  })

  bind(app, context, pendingRecordings.correct, ({ params, body }, call) =>
    correct(cutCrimp, toCutCrimp(body, call), params.id, call),
  )

  bind(app, context, pendingRecordings.correctJunction, ({ params, body }, call) =>
    correct(joining, toJunction(body, call), params.id, call),
  )

  bind(app, context, pendingRecordings.markDelivered, async ({ params, body }, call) => {
    const decision = { state: 'delivered', action: 'marked_delivered', reason: body.motivo || null } as const
    await decide(await getOriginal(params.id, call), decision, call)
    return { message: 'Apontamento marcado como entregue.' }
  })

  bind(app, context, pendingRecordings.discard, async ({ params, body }, call) => {
    const decision = { state: 'discarded', action: 'discarded', reason: body.motivo } as const
    await decide(await getOriginal(params.id, call), decision, call)
    return { message: 'Apontamento descartado.' }
  })

  bind(app, context, pendingRecordings.resend, async ({ body }, call) => {
    const ids = new Set(body.ids.map((id) => id.toLowerCase()))
    let reenviados = 0
    for (const id of ids) if (await resend(id, call)) reenviados++
    call.outbox.lookSoon()
    const mantidos = ids.size - reenviados
    return { message: resentText(reenviados, mantidos), reenviados, mantidos }
  })
}

const resentText = (resent: number, left: number): string => {
  const first = resent === 1 ? '1 apontamento volta ao ERP.' : `${resent} apontamentos voltam ao ERP.`
  return left === 0
    ? first
    : `${first} ${left === 1 ? '1 ficou' : `${left} ficaram`} como estava${left === 1 ? '' : 'm'}.`
}

/** False where it stays as it is. */
async function resend(id: string, call: Call): Promise<boolean> {
  const { caller, db, now, config } = call
  const original = await findOriginal(db.read, id)
  // what a plant that this installation does not have once recorded has no ERP to go to
  if (!original || !config.plants.some(({ code }) => code === original.branch)) return false
  if (original.state === 'parked') await refreshMissingCopy(original, call)
  const at = now()
  try {
    return await db.transaction(async (tx) => {
      const resent = await resendPending(tx, id, at)
      if (!resent) return false
      const { was, reason, onWay, unit } = resent
      await auditDecision(tx, id, { action: 'resent', reason: null, caller, settled: { was, reason }, at })
      await noteChanges(tx, changesOfRecording({ ...onWay, id, unit }), at)
      return true
    })
  } catch (error) {
    if (error instanceof NothingToResend) return false
    throw error
  }
}

/** Without a copy of its item or junction nothing can be on its way. */
async function refreshMissingCopy({ part, branch, barcode, orderNumber }: Original, call: Call): Promise<void> {
  const isThere =
    part === 'juncao'
      ? (await listJunctionsOfOrder(call.db.read, branch, orderNumber)).length > 0
      : (await findItem(call.db.read, branch, barcode)) !== null
  if (isThere) return
  const read: Promise<unknown> =
    part === 'juncao' ? readJunctions({ branch, orderNumber }, call) : readItem({ branch, barcode }, call)
  await read.catch((error: unknown) =>
    call.log.warn({ err: error, repeats: true }, 'no copy for what is to be sent again'),
  )
}

const situations: Partial<Record<RecordingState, PendingSituation>> = { parked: 'recusado', uncertain: 'incerto' }

const mayCorrect = ({ userId }: { userId: number }, caller: Caller) =>
  isAllowed(caller.role, 'record') && (userId === caller.userId || isAllowed(caller.role, 'correct'))

function toPending(row: PendingRow, caller: Caller, stuckBefore: number): PendingRecording {
  const needsPerson = row.state !== 'waiting'
  const mayDecide = isAllowed(caller.role, 'decide') && (needsPerson || row.receivedAt <= stuckBefore)
  return {
    id: row.id,
    situacao: situations[row.state] ?? 'aguardando',
    motivo: row.reason,
    desde: toInstant(row.receivedAt),
    registradoEm: toInstant(row.recordedAt),
    operador: row.operator,
    propria: row.userId === caller.userId,
    tentativas: row.attempts ?? 0,
    ...worked(row),
    podeCorrigir: needsPerson && row.part !== 'recebimento' && mayCorrect(row, caller),
    podeDecidir: mayDecide,
    podeReenviar: mayDecide && row.attempts !== null,
  }
}

function worked(row: PendingRow) {
  const captura = row.capture ? { captura: row.capture } : {}
  if (row.part === 'juncao') {
    return { tipo: 'juncao' as const, apontamento: { ...row.payload, ...captura }, item: row.item }
  }
  if (row.part === 'recebimento') {
    const { filial, codigoBarras } = row.payload
    return { tipo: 'recebimento' as const, apontamento: { filial, codigoBarras, ...captura }, item: row.item }
  }
  return { tipo: 'corte-crimpagem' as const, apontamento: { ...row.payload, ...captura }, item: row.item }
}

/** A recording that was undone before a promise never was pending. */
async function getOriginal(id: string, { db }: Call): Promise<Original> {
  const original = await findOriginal(db.read, id.toLowerCase())
  if (!original || original.state === 'refused') throw new Refused('not_found')
  return original
}

/** A new recording of the same work takes the place of the old one. */
async function correct<P extends CutCrimpRecording | JunctionRecording, Subject>(
  work: Work<P, Subject>,
  correction: Recording<P>,
  originalId: string,
  call: Call,
): Promise<Answer<Recorded<Subject>>> {
  const original = await getOriginal(originalId, call)
  const { operation } = correction.delivery
  if (operationOf(original.part) !== operation) throw new Refused('not_found')
  if (!mayCorrect(original, call.caller)) throw new Refused('not_allowed', { caller: call.caller })
  requirePlant(correction.branch, call)
  const recording = byAuthor(correction, original)
  const answerBy = call.answerWait()
  if (!(await findRecording(call.db.read, recording.id))) {
    await requireCopy(work, recording, { ...call, answerBy, copyAgeMsMax: COPY_AGE_MS_MAX })
  }
  await againWhenStored(() => call.db.transaction((tx) => supersede(work, tx, original.id, recording, call)))
  const { state } = await getRecording(call.db.read, recording.id)
  if (state === 'waiting') await call.outbox.deliver(recording.id, answerBy)
  return await answerOf(recording, await standingOf(work, recording, call), call)
}

function operationOf(part: RecordedPart): Operation {
  if (part === 'juncao') return 'recordJunction'
  return part === 'recebimento' ? 'confirmReceipt' : 'recordCutCrimp'
}

/** One commit: the old recording leaves the counters and the new one takes its place. */
async function supersede<P extends Payload, Subject>(
  work: Work<P, Subject>,
  tx: Tx,
  originalId: string,
  recording: Recording<P>,
  call: Call,
): Promise<void> {
  const { id, receivedAt: at } = recording
  const replaced = await replaceOriginal(tx, { id: originalId }, recording, call.caller)
  const known = await findRecording(tx, id)
  if (!replaced) {
    const isRepeat = (await findOriginal(tx, originalId))?.supersededBy === id
    if (isRepeat && known?.contentHash === recording.contentHash) return
    throw new Refused(isRepeat ? 'idempotency_key_reused' : 'pending_settled')
  }
  if (known) throw new Refused('idempotency_key_reused')
  const reserved = (await entryRefusal(tx, recording, call)) ?? (await work.reserve(tx, recording))
  if ('refused' in reserved) throw new Refused(reserved.refused, { values: reserved.values })
  // only receipts are done before, and they are not corrected
  if ('done' in reserved) throw new Refused('pending_settled')
  // what the operator saw as saved may no more be undone by a refusal of its correction
  const beginning = { state: 'waiting', promised: true, reason: null } as const
  const samples = [...replaced.samples, ...(recording.capture?.medicoes ?? [])]
  const changes = await insertWork(work, tx, reserved, { as: beginning, replaced, samples, way: 'correction', call })
  await enqueueDelivery(tx, reserved, 'new')
  await noteChanges(tx, changes, at)
}

type Decision = { state: 'delivered' | 'discarded'; action: AuditAction; reason: string | null }

async function decide(original: Original, { state, action, reason }: Decision, call: Call): Promise<void> {
  const { caller, db, now } = call
  const at = now()
  await db.transaction(async (tx) => {
    const settle = () => settlePending(tx, original.id, { state, at })
    const settled = (await settle()) ?? ((await takeOver(tx, original.id, at)) ? await settle() : null)
    if (!settled) {
      if (await isDecided(tx, { at, userId: caller.userId, action, recordingId: original.id })) return
      throw new Refused((await isWaiting(tx, original.id)) ? 'pending_under_way' : 'pending_settled')
    }
    await auditDecision(tx, original.id, { action, reason, caller, settled, at })
    const { onWay, unit } = settled
    await noteChanges(tx, changesOfRecording({ ...onWay, id: original.id, unit }), at)
  })
}

const isWaiting = async (tx: Tx, id: string) => (await findRecording(tx, id))?.state === 'waiting'

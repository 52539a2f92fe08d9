import type { Updateable } from 'kysely'
import type { CutItem, Part } from '../../contract/items.ts'
import type { Junction, JunctionRecording } from '../../contract/junctions.ts'
import type { Capture, CutCrimpRecording } from '../../contract/recordings.ts'
import type { CountedCrimps } from './applicators.ts'
import { type OnWay, reserveCopy, settleCopy } from './copies.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { OutboxState, RecordingState, ResentFrom, Tables } from './db/tables.ts'
import { listCopies } from './items.ts'
import { listJunctionCopies, placeKey } from './junctions.ts'
import { findSnapshot, openStates } from './outbox.ts'
import {
  changeRecording,
  countRecording,
  getPieces,
  leaveUncertain,
  type Payload,
  pendingStates,
  type StoredReceipt,
  uncountRecording,
} from './recordings.ts'

/** Waited for the ERP for so long that an admin may step in. */
export const STUCK_MS = 3_600_000

/** False while a server works on it, and before it has waited for so long. */
const changeStuck = (tx: Tx, id: string, at: number, change: Updateable<Tables['erp_outbox']>): Promise<boolean> =>
  tx
    .updateTable('erp_outbox')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', openStates)
    .where('lease_until', '<=', at)
    .where('created_at', '<=', at - STUCK_MS)
    .$call(changesOne)

/**
 * Requeues a settled delivery that the ERP does not have; what may have left is asked about first. False when there is none.
 */
const reopenDelivery = (tx: Tx, id: string, { from, at }: { from: ResentFrom; at: number }): Promise<boolean> =>
  tx
    .updateTable('erp_outbox')
    .set((e) => ({
      state: e
        .case()
        .when('sent_at', 'is', null)
        .then('new' as OutboxState)
        .else('unknown' as OutboxState)
        .end(),
      due_at: at,
      postponed: 0,
      inquiries: 0,
      unchanged_at: null,
      words: null,
      resent_from: from,
      resent_attempts: e.ref('attempts'),
      settled_at: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['refused', 'manual'])
    .$call(changesOne)

export type PendingRow = {
  id: string
  state: RecordingState
  reason: string | null
  receivedAt: number
  recordedAt: number
  userId: number
  operator: string
  /** Null: there is nothing that could be sent. */
  attempts: number | null
  capture: Capture | null
} & Worked

type Worked =
  | { part: Part; payload: CutCrimpRecording; item: CutItem | null }
  | { part: 'juncao'; payload: JunctionRecording; item: Junction | null }
  | { part: 'recebimento'; payload: StoredReceipt; item: CutItem | null }

/** Recordings that need a person, then those on their way, each oldest first: a long outage must not hide the first ones. */
export async function listPending(db: Reader, countMax: number): Promise<PendingRow[]> {
  const rows = await db
    .selectFrom('recordings as r')
    .leftJoin('erp_outbox as o', 'o.id', 'r.id')
    .select(['r.id', 'r.state', 'r.part', 'r.received_at', 'r.recorded_at', 'r.user_id', 'r.operator'])
    .select(['r.branch', 'r.barcode', 'r.order_number as orderNumber', 'r.position'])
    .select(['r.erp_message', 'r.payload_json', 'r.capture_json', 'o.attempts', 'o.message'])
    .where('r.state', 'in', pendingStates)
    .orderBy((e) => e.case().when('r.state', '=', 'waiting').then(1).else(0).end())
    .orderBy('r.received_at')
    .orderBy('r.recorded_at')
    .orderBy('r.id')
    .limit(countMax)
    .execute()
  const copies = await listCopies(
    db,
    rows.filter(({ part }) => part !== 'juncao'),
  )
  const junctions = await listJunctionCopies(
    db,
    rows.filter(({ part }) => part === 'juncao'),
  )
  const itemOf = (row: (typeof rows)[number]) =>
    row.part === 'juncao'
      ? (junctions.get(placeKey(row))?.junction ?? null)
      : (copies.find((copy) => copy.branch === row.branch && copy.barcode === row.barcode)?.item ?? null)
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    reason: row.state === 'waiting' ? row.message : row.erp_message,
    receivedAt: row.received_at,
    recordedAt: row.recorded_at,
    userId: row.user_id,
    operator: row.operator,
    attempts: row.attempts,
    capture: row.capture_json === null ? null : (JSON.parse(row.capture_json) as Capture),
    ...({ part: row.part, payload: JSON.parse(row.payload_json), item: itemOf(row) } as Worked),
  }))
}

export async function findOriginal(db: Reader, id: string) {
  const row = await db
    .selectFrom('recordings')
    .select([
      'id',
      'state',
      'part',
      'branch',
      'barcode',
      'order_number as orderNumber',
      'position',
      'superseded_by as supersededBy',
    ])
    .select(['user_id as userId', 'operator', 'recorded_at as recordedAt', 'production_day as productionDay'])
    .select('payload_json')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { payload_json, ...original } = row
  // the name as sent to the ERP
  return { ...original, erpOperator: (JSON.parse(payload_json) as Payload).OPERADOR }
}

/** The original's fields that its correction inherits. */
export type Original = NonNullable<Awaited<ReturnType<typeof findOriginal>>>

type Settled = {
  was: 'parked' | 'uncertain'
  reason: string | null
  onWay: OnWay
  /** Where its crimps had been counted that count no more. */
  counted: CountedCrimps | null
  /** The tool whose counter moves. */
  unit: string | null
}

/**
 * Applies a person's decision: pieces on their way are settled, and the recording counts if the ERP has it. Null when it
 * waits for no person any more, so one of two decisions wins.
 */
export async function settlePending(
  tx: Tx,
  id: string,
  end: { state: 'delivered' | 'superseded' | 'discarded'; supersededBy?: string; at: number },
): Promise<Settled | null> {
  const before = await tx.selectFrom('recordings').select('erp_message').where('id', '=', id).executeTakeFirst()
  const was = await leavePending(tx, id, end)
  if (was === null) return null
  const { state, at } = end
  const pieces = await getPieces(tx, id)
  if (was === 'uncertain') {
    const snapshot = await findSnapshot(tx, id)
    await settleCopy(tx, pieces, { delivered: state === 'delivered', snapshot, at })
  }
  const settled = { was, reason: before?.erp_message ?? null, onWay: pieces }
  if (state === 'delivered') return { ...settled, counted: null, unit: await countRecording(tx, id, at) }
  const counted = await uncountRecording(tx, id, { reason: state, at })
  return { ...settled, counted, unit: counted?.unitKey ?? null }
}

async function leavePending(
  tx: Tx,
  id: string,
  { state, supersededBy }: { state: RecordingState; supersededBy?: string },
): Promise<Settled['was'] | null> {
  for (const was of ['parked', 'uncertain'] as const) {
    const left = await changeRecording(
      tx,
      { id, state: was },
      {
        state,
        superseded_by: supersededBy ?? null,
        // why it was refused is no answer to give once the ERP has it
        ...(state === 'delivered' ? { erp_message: null } : {}),
      },
    )
    if (left) return was
  }
  return null
}

/** Leaves a delivery that has waited too long to a person. False as for `changeStuck`. */
export async function takeOver(tx: Tx, id: string, at: number): Promise<boolean> {
  if (!(await changeStuck(tx, id, at, { state: 'manual', settled_at: at, lease_owner: null }))) return false
  await leaveUncertain(tx, id, 'Esperou mais de 1 hora pelo ERP.', at)
  return true
}

/** Thrown to undo what a transaction has begun: there is nothing that could be sent. */
export class NothingToResend extends Error {}

/**
 * Requeues a recording that needs a person or has waited long, and counts it; the ERP is asked first about what it may have.
 * Null when it needs nobody any more, or a server works on it.
 */
export async function resendPending(
  tx: Tx,
  id: string,
  at: number,
): Promise<(Pick<Settled, 'reason' | 'onWay' | 'unit'> & { was: RecordingState }) | null> {
  const before = await tx.selectFrom('recordings').select('erp_message').where('id', '=', id).executeTakeFirst()
  for (const was of ['parked', 'uncertain'] as const) {
    if (!(await changeRecording(tx, { id, state: was }, { state: 'waiting', promised: 1 }))) continue
    const onWay = await getPieces(tx, id)
    if (was === 'parked' && !(await reserveCopy(tx, onWay))) throw new NothingToResend()
    const unit = await countRecording(tx, id, at)
    if (!(await reopenDelivery(tx, id, { from: was, at }))) throw new NothingToResend()
    return { was, reason: before?.erp_message ?? null, onWay, unit }
  }
  // what has waited for long is asked about, or sent, now
  if (!(await changeStuck(tx, id, at, { due_at: at, postponed: 0 }))) return null
  return { was: 'waiting', reason: null, onWay: await getPieces(tx, id), unit: null }
}

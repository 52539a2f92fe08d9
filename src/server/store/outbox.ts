import type { JunctionRecording } from '../../contract/junctions.ts'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { compiled, insertRows } from './db/compiled.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { Operation, OutboxState, ResentFrom, Tables } from './db/tables.ts'
import type { Recording, StoredReceipt } from './recordings.ts'

type Message =
  | { operation: 'recordCutCrimp'; payload: CutCrimpRecording }
  | { operation: 'recordJunction'; payload: JunctionRecording }
  | { operation: 'confirmReceipt'; payload: StoredReceipt }

/** One write that the ERP must have exactly once. */
export type Delivery = Message & {
  id: string
  branch: string
  naturalKey: string
  state: OutboxState
  attempts: number
  postponed: number
  inquiries: number
  snapshot: number | null
  /** Others write there: before the last sending the ERP had registered more than what was known here (decision 039). */
  writtenElsewhere: boolean
  /** By how much the write raises what the snapshot measures. */
  raises: number
  sentAt: number | null
  unchangedAt: number | null
  message: string | null
  /** The ERP's words about a write of unknown outcome. With them it is never sent again. */
  words: string | null
  /** Set by 'Reenviar': the state to return to when nothing can be determined, and the number of sendings until then. */
  resent: { from: ResentFrom; attempts: number } | null
  createdAt: number
}

const toDelivery = (row: Omit<Tables['erp_outbox'], 'seq'>): Delivery => ({
  id: row.id,
  branch: row.branch,
  naturalKey: row.natural_key,
  ...({ operation: row.operation, payload: JSON.parse(row.payload_json) } as Message),
  state: row.state,
  attempts: row.attempts,
  postponed: row.postponed,
  inquiries: row.inquiries,
  snapshot: row.snapshot,
  writtenElsewhere: row.written_elsewhere === 1,
  raises: row.raises,
  sentAt: row.sent_at,
  unchangedAt: row.unchanged_at,
  message: row.message,
  words: row.words,
  resent: row.resent_from === null ? null : { from: row.resent_from, attempts: row.resent_attempts ?? 0 },
  createdAt: row.created_at,
})

/** The payload for the ERP: its own spelling of code and order, whatever the case in which they were posted. */
function sentOf({ payload, barcode, orderNumber }: Pick<Recording, 'payload' | 'barcode' | 'orderNumber'>): object {
  if ('NUMERO_OP' in payload) return { ...payload, NUMERO_OP: orderNumber }
  if ('COD_BARRA' in payload) return { ...payload, COD_BARRA: barcode, ORDEM_PROD: orderNumber }
  return { ...payload, codigoBarras: barcode }
}

/**
 * Runs in the transaction that stores the recording, so neither exists without the other. 'unknown': the ERP may have it
 * from an earlier epoch, so it is asked first. 'refused': a person must decide before it is sent, and `mayBeThere` says
 * whether the ERP is asked then.
 */
export async function enqueueDelivery(
  tx: Tx,
  recording: Pick<Recording, 'id' | 'branch' | 'barcode' | 'orderNumber' | 'delivery' | 'payload' | 'receivedAt'>,
  state: 'new' | 'unknown' | 'refused',
  mayBeThere = state === 'unknown',
): Promise<void> {
  const { id, branch, delivery, receivedAt } = recording
  const row = {
    id,
    operation: delivery.operation,
    branch,
    natural_key: delivery.naturalKey,
    payload_json: JSON.stringify(sentOf(recording)),
    state,
    attempts: 0,
    postponed: 0,
    inquiries: 0,
    due_at: receivedAt,
    lease_until: 0,
    raises: delivery.raises,
    // the earlier epoch may have sent it up to now
    sent_at: mayBeThere ? receivedAt : null,
    created_at: receivedAt,
    settled_at: state === 'refused' ? receivedAt : null,
  }
  await insertRows(tx, 'erp_outbox', [row])
}

/** Not settled with the ERP. */
export const openStates = ['new', 'sending', 'unknown'] as const satisfies OutboxState[]

/**
 * The ids that are due, not leased, and first of their delivery key (plant, barcode and part). After an outage tens of
 * thousands wait: one walk through an index finds the first of each.
 */
export async function listDueIds(db: Reader, now: number, countMax: number): Promise<string[]> {
  const firsts = db
    .selectFrom('erp_outbox')
    .select((e) => e.fn.min('seq').as('seq'))
    .where('state', 'in', openStates)
    .groupBy('natural_key')
  const rows = await db
    .selectFrom(firsts.as('first'))
    .innerJoin('erp_outbox as o', 'o.seq', 'first.seq')
    .select('o.id')
    .where('o.due_at', '<=', now)
    .where('o.lease_until', '<=', now)
    .orderBy('o.seq')
    .limit(countMax)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Leases one delivery to `owner` until `leaseUntil` by a committed compare-and-set, so one of two servers gets it and no
 * lock is held during the call to the ERP. Null when it is leased, settled, or not first of its key.
 */
export async function leaseDelivery(
  tx: Tx,
  id: string,
  lease: { owner: string; now: number; leaseUntil: number },
): Promise<Delivery | null> {
  const isLeased = await tx
    .updateTable('erp_outbox')
    .set({ lease_owner: lease.owner, lease_until: lease.leaseUntil })
    .where('id', '=', id)
    .where('state', 'in', openStates)
    .where('lease_until', '<=', lease.now)
    .$call(changesOne)
  if (!isLeased) return null
  const row = await tx.selectFrom('erp_outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const earlier = await tx
    .selectFrom('erp_outbox')
    .select('seq')
    .where('natural_key', '=', row.natural_key)
    .where('seq', '<', row.seq)
    .where('state', 'in', openStates)
    .executeTakeFirst()
  if (!earlier) return toDelivery(row)
  await releaseLease(tx, id, lease.owner)
  return null
}

/** Whether `owner` has the delivery, or the one before whose turn it is, in hand or may take it up at once. */
export async function isWorkedOn(db: Reader, id: string, { owner, now }: { owner: string; now: number }) {
  const first = await db
    .selectFrom('erp_outbox as first')
    .innerJoin('erp_outbox as o', 'o.natural_key', 'first.natural_key')
    .select(['first.lease_owner', 'first.lease_until', 'first.due_at'])
    .where('o.id', '=', id)
    .where('o.state', 'in', openStates)
    .where('first.state', 'in', openStates)
    .orderBy('first.seq')
    .limit(1)
    .executeTakeFirst()
  if (!first) return false
  return first.lease_until > now ? first.lease_owner === owner : first.due_at <= now
}

/** Whether it left and its outcome is unknown. */
export async function isUnknown(db: Reader, id: string): Promise<boolean> {
  const row = await db.selectFrom('erp_outbox').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'unknown'
}

export async function releaseLease(tx: Tx, id: string, owner: string): Promise<void> {
  await tx
    .updateTable('erp_outbox')
    .set({ lease_until: 0 })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .execute()
}

/** The ERP's count for the section before a sending; null when unknown. */
export type Snapshot = { snapshot: number | null; writtenElsewhere: boolean }

/**
 * Commits that the bytes may leave from now on. False when the lease was lost: then nothing may be sent.
 */
export async function markSending(
  tx: Tx,
  id: string,
  sending: Snapshot & { owner: string; now: number; leaseUntil: number },
): Promise<boolean> {
  return await tx
    .updateTable('erp_outbox')
    .set((e) => ({
      state: 'sending',
      snapshot: sending.snapshot,
      written_elsewhere: sending.writtenElsewhere ? 1 : 0,
      sent_at: sending.now,
      lease_until: sending.leaseUntil,
      attempts: e('attempts', '+', 1),
      unchanged_at: null,
      words: null,
    }))
    .where('id', '=', id)
    .where('state', '=', 'new')
    .where('lease_owner', '=', sending.owner)
    .where('lease_until', '>', sending.now)
    .$call(changesOne)
}

export type Postponement = { owner: string; state: 'new' | 'unknown'; dueAt: number; message: string } & Partial<
  Pick<Delivery, 'attempts' | 'postponed' | 'inquiries' | 'unchangedAt' | 'words'>
>

/** Releases an unsettled delivery; it is due again at `dueAt`. */
export async function postponeDelivery(tx: Tx, id: string, next: Postponement): Promise<void> {
  await tx
    .updateTable('erp_outbox')
    .set({
      state: next.state,
      due_at: next.dueAt,
      message: next.message,
      lease_owner: null,
      lease_until: 0,
      // Kysely leaves out what is undefined: it stays as it is
      attempts: next.attempts,
      postponed: next.postponed,
      inquiries: next.inquiries,
      unchanged_at: next.unchangedAt,
      words: next.words,
    })
    .where('id', '=', id)
    .where('lease_owner', '=', next.owner)
    .where('state', 'in', openStates)
    .execute()
}

/** When each write of unknown outcome left, and since when the ERP has been seen without it. */
export const listUnknownTimes = (db: Reader) =>
  db
    .selectFrom('erp_outbox')
    .select(['id', 'sent_at as sentAt', 'unchanged_at as unchangedAt'])
    .where('state', 'in', ['sending', 'unknown'])
    .execute()

/** Brings inquiries about unknown outcomes forward to `dueAt` at the latest. */
export async function hastenInquiries(tx: Tx, dueAt: number): Promise<void> {
  await tx
    .updateTable('erp_outbox')
    .set({ due_at: dueAt })
    .where('state', '=', 'unknown')
    .where('due_at', '>', dueAt)
    .execute()
}

/** Makes waiting deliveries due now. Those to be asked about keep their time, which follows from when their bytes left. */
export async function hurryNewDeliveries(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('erp_outbox')
    .set({ due_at: now, postponed: 0 })
    .where('state', '=', 'new')
    .where('due_at', '>', now)
    .execute()
}

/**
 * Settles a delivery, for `owner` only under its lease: the answer of a server that lost its lease is outdated. False when
 * it was settled already; the caller must then skip what depends on it.
 */
export async function settleDelivery(
  tx: Tx,
  id: string,
  end: { state: 'confirmed' | 'refused' | 'manual'; message: string; at: number; owner?: string },
): Promise<boolean> {
  return await tx
    .updateTable('erp_outbox')
    .set({ state: end.state, message: end.message, settled_at: end.at, lease_owner: null, lease_until: 0 })
    .where((e) => e.and({ id, ...(end.owner === undefined ? {} : { lease_owner: end.owner }) }))
    .where('state', 'in', openStates)
    .$call(changesOne)
}

/** Id of the delivery that the ERP confirmed last for a plant; null when it has confirmed none yet. */
export async function findLastConfirmed(db: Reader, branch: string, operation: Operation): Promise<string | null> {
  const row = await db
    .selectFrom('erp_outbox')
    .select('id')
    .where('state', '=', 'confirmed')
    .where('branch', '=', branch)
    .where('operation', '=', operation)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * The least quantity that the ERP must have registered of a part after its last confirmation; 0 when unknown. A sending
 * without a snapshot adds to the last one that had one.
 */
export async function findConfirmedQuantity(db: Reader, naturalKey: string): Promise<number> {
  const rows = await db
    .selectFrom('erp_outbox')
    .select(['snapshot', 'raises'])
    .where('natural_key', '=', naturalKey)
    .where('state', '=', 'confirmed')
    .where('seq', '>=', ({ selectFrom }) =>
      selectFrom('erp_outbox as measured')
        .select(({ fn }) => fn.max('measured.seq').as('seq'))
        .where('measured.natural_key', '=', naturalKey)
        .where('measured.state', '=', 'confirmed')
        .where('measured.snapshot', 'is not', null),
    )
    .execute()
  return rows.reduce((sum, { snapshot, raises }) => sum + (snapshot ?? 0) + raises, 0)
}

/** Sum of the uncertain recordings: the ERP may have them, and no person has decided yet whether it does. */
export async function sumUncertain(db: Reader, naturalKey: string): Promise<number> {
  const rows = await db
    .selectFrom('erp_outbox as o')
    .innerJoin('recordings as r', 'r.id', 'o.id')
    .select('o.raises')
    .where('o.natural_key', '=', naturalKey)
    .where('o.state', '=', 'manual')
    .where('r.state', '=', 'uncertain')
    .execute()
  return rows.reduce((sum, { raises }) => sum + raises, 0)
}

/** The ERP's count before the last sending of a delivery; null when unknown. */
export async function findSnapshot(db: Reader, id: string): Promise<number | null> {
  const row = await db.selectFrom('erp_outbox').select('snapshot').where('id', '=', id).executeTakeFirst()
  return row?.snapshot ?? null
}

/**
 * When the oldest unsettled delivery was accepted; null when none waits. Tens of thousands may wait, so the query uses their
 * numbers, which follow the order of acceptance and are in the index of open ones.
 */
export async function findOldestOpenAt(db: Reader): Promise<number | null> {
  const first = db
    .selectFrom('erp_outbox')
    .select((e) => e.fn.min('seq').as('seq'))
    .where('state', 'in', openStates)
  const row = await db
    .selectFrom(first.as('first'))
    .innerJoin('erp_outbox as o', 'o.seq', 'first.seq')
    .select('o.created_at')
    .executeTakeFirst()
  return row?.created_at ?? null
}

const newestSeq = compiled((db) => db.selectFrom('erp_outbox').select((e) => e.fn.max('seq').as('seq')))

/** Grows with everything that is accepted here; 0 where nothing was. Nothing of it is ever deleted. */
export async function findNewestSeq(db: Reader): Promise<number> {
  const [row] = await newestSeq(db, {})
  return Number(row?.seq ?? 0)
}

/** A state that nothing is in is left out. */
export async function countOpenDeliveries(db: Reader): Promise<Partial<Record<OutboxState, number>>> {
  const rows = await db
    .selectFrom('erp_outbox')
    .select(['state', (e) => e.fn.countAll<number>().as('n')])
    .where('state', 'in', openStates)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

import type { Updateable } from 'kysely'
import type { JunctionRecording } from '../../contract/junctions.ts'
import type { Capture, CutCrimpRecording, RecordedPart } from '../../contract/recordings.ts'
import { crimpsOf, nameKey } from '../../domain/acts/recordings.ts'
import type { PlantMoment } from '../../domain/plant/plant-time.ts'
import type { OrderSpec } from '../../domain/quality/sampling.ts'
import {
  addCrimps,
  addCrimpsToCycle,
  type CountedCrimps,
  ensureUnit,
  restoreCrimps,
  takeBackCrimps,
} from './applicators.ts'
import { correctRows } from './containment-corrections.ts'
import { settleCopy } from './copies.ts'
import { addProduction } from './daily-production.ts'
import { compiled, compiledChange, insertRows, type Place } from './db/compiled.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'
import type { LedgerReason, Operation, RecordingState, ResentFrom, Tables } from './db/tables.ts'
import { changesOfRecording, noteChanges } from './live-changes.ts'
import { countOwnMeasurements } from './measurements.ts'

/** A receipt, stored until the ERP has it. */
export type StoredReceipt = { filial: string; codigoBarras: string; OPERADOR: string; momento: PlantMoment }

/** The body of the ERP call, in the contract's names. */
export type Payload = CutCrimpRecording | JunctionRecording | StoredReceipt

export type Recording<P extends Payload = Payload> = {
  id: string
  contentHash: string
  part: RecordedPart
  branch: string
  /** Empty for a junction, which has a position instead. */
  barcode: string
  position: string
  orderNumber: string
  pieces: number
  machine: string
  lot: string
  terminal: string
  /** Name of the mini applicator that made the crimps; null when none is counted. */
  applicator: string | null
  /** Wire gauge, mm² in thousandths, from the copy; null where it says no number. Not given: nobody has looked. */
  gaugeMilli?: number | null
  /** Limits of the order, from the copy. Not given: nobody has looked. */
  orderSpec?: OrderSpec
  /** Terminal of the end that was worked, from the copy. Not given: nobody has looked. */
  itemTerminal?: string
  /**
   * How it reaches the ERP. Recordings with one `naturalKey` are delivered in order. `raises`: by how much the ERP's measure
   * rises.
   */
  delivery: { operation: Operation; naturalKey: string; raises: number }
  payload: P
  capture: Capture | null
  userId: number
  operator: string
  recordedAt: number
  receivedAt: number
  productionDay: string
}

const standing = compiled((db, value: Place<{ id: string }>) =>
  db
    .selectFrom('recordings')
    .select(['id', 'content_hash as contentHash', 'state', 'promised', 'branch', 'barcode'])
    .select('erp_message as erpMessage')
    .where('id', '=', value('id')),
)

export async function findRecording(db: Reader, id: string) {
  const [row] = await standing(db, { id })
  return row ? { ...row, promised: row.promised === 1 } : null
}

export type StoredRecording = NonNullable<Awaited<ReturnType<typeof findRecording>>>

export async function getRecording(db: Reader, id: string): Promise<StoredRecording> {
  const recording = await findRecording(db, id)
  if (!recording) throw new Error(`recording ${id} is gone`)
  return recording
}

/** The tablet's facts beside the ERP's payload; null where there is no such recording, or the tablet said nothing. */
export async function findCapture(db: Reader, id: string): Promise<Capture | null> {
  const row = await db.selectFrom('recordings').select('capture_json').where('id', '=', id).executeTakeFirst()
  return row?.capture_json ? (JSON.parse(row.capture_json) as Capture) : null
}

/** The first state of a recording. */
export type Beginning = {
  state: 'waiting' | 'parked' | 'uncertain'
  /** A promise was given: nothing may undo the recording silently. */
  promised: boolean
  /** Why a person must look at it. */
  reason: string | null
  /** False: neither the tool's counter nor the roll-up has it, nor any report, until it is taken (`countRecording`). */
  counted?: boolean
  /** Cycle of the tool's counter; where not given, the one that is open. */
  cycle?: number | undefined
}

/**
 * The recording, the wear of its tool and the day's roll-up, which receipts are no part of. Throws a unique violation when the id is
 * stored already. Resolves to since when the tool that it counts for is declared unsafe.
 */
export async function insertRecording(tx: Tx, recording: Recording, beginning: Beginning): Promise<number | null> {
  const unitKey = recording.applicator === null ? null : nameKey(recording.applicator)
  const { counted = true } = beginning
  const row = {
    id: recording.id,
    content_hash: recording.contentHash,
    state: beginning.state,
    promised: beginning.promised ? 1 : 0,
    counted: counted ? 1 : 0,
    part: recording.part,
    branch: recording.branch,
    barcode: recording.barcode,
    position: recording.position,
    order_number: recording.orderNumber,
    pieces: recording.pieces,
    machine: recording.machine,
    lot: recording.lot.trim(),
    terminal: recording.terminal,
    unit_key: unitKey,
    payload_json: JSON.stringify(recording.payload),
    capture_json: recording.capture === null ? null : JSON.stringify(recording.capture),
    user_id: recording.userId,
    operator: recording.operator,
    erp_message: beginning.reason,
    recorded_at: recording.recordedAt,
    received_at: recording.receivedAt,
    production_day: recording.productionDay,
    gauge_milli: recording.gaugeMilli ?? null,
  }
  await insertRows(tx, 'recordings', [row])
  if (!counted) return null
  let unsafeSince: number | null = null
  if (recording.applicator !== null && unitKey !== null) {
    const at = recording.receivedAt
    await ensureUnit(tx, { name: recording.applicator, at })
    const line = { recordingId: recording.id, reason: 'recorded' as const, unitKey, crimps: recording.pieces, at }
    const { cycle } = beginning
    if (cycle === undefined) unsafeSince = await addCrimps(tx, line)
    else await addCrimpsToCycle(tx, { ...line, cycle })
  }
  if (recording.part === 'recebimento') return null
  await addProduction(tx, { ...recording, unitKey: unitKey ?? '' }, { pieces: recording.pieces, recordings: 1 })
  return unsafeSince
}

/** False when the recording is not as `from` says, any more or already: then nothing was changed. */
export const changeRecording = (
  tx: Tx,
  from: Pick<Tables['recordings'], 'id'> & Partial<Pick<Tables['recordings'], 'state' | 'promised' | 'counted'>>,
  change: Updateable<Tables['recordings']>,
): Promise<boolean> =>
  tx
    .updateTable('recordings')
    .set(change)
    .where((e) => e.and(from))
    .$call(changesOne)

const promise = compiledChange((tx, value: Place<{ id: string }>) =>
  tx.updateTable('recordings').set({ promised: 1 }).where('id', '=', value('id')).where('state', '=', 'waiting'),
)

/** Notes the promise ('salvo'). False when the ERP's answer came first: answer that instead. */
export const promiseRecording = async (tx: Tx, id: string): Promise<boolean> => (await promise(tx, { id })) === 1

export const getPieces = async (tx: Tx, id: string) =>
  await tx
    .selectFrom('recordings')
    .select(['part', 'branch', 'barcode', 'order_number as orderNumber', 'position', 'pieces'])
    .select(['machine', 'operator', 'unit_key', 'terminal', 'production_day'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function addToProduction(tx: Tx, row: Awaited<ReturnType<typeof getPieces>>, sign: 1 | -1): Promise<void> {
  if (row.part === 'recebimento') return
  const day = { ...row, unitKey: row.unit_key ?? '', productionDay: row.production_day }
  await addProduction(tx, day, { pieces: sign * row.pieces, recordings: sign })
}

/**
 * Counts a recording that was stored uncounted, its crimps in the cycle that is open. Returns the tool whose counter
 * moves.
 */
export async function countRecording(tx: Tx, id: string, at: number): Promise<string | null> {
  if (!(await changeRecording(tx, { id, counted: 0 }, { counted: 1 }))) return null
  const row = await getPieces(tx, id)
  const { unit_key: unitKey, pieces } = row
  if (unitKey !== null) {
    // only what was cut or crimped has a tool
    const { payload_json } = await tx
      .selectFrom('recordings')
      .select('payload_json')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const name = crimpsOf(JSON.parse(payload_json) as CutCrimpRecording)?.applicator ?? unitKey
    await ensureUnit(tx, { name, at })
    await addCrimps(tx, { recordingId: id, reason: 'recorded', unitKey, crimps: pieces, at })
  }
  await addToProduction(tx, row, 1)
  await countOwnMeasurements(tx, id, 1, at)
  await correctRows(tx, id, pieces, at)
  return unitKey
}

/**
 * Takes a recording out of counter, roll-up and charts, and returns where its crimps were counted. All writers lock in one
 * order (recording, item, tool, day), so two that meet wait and seldom deadlock.
 */
export async function uncountRecording(
  tx: Tx,
  id: string,
  entry: { reason: LedgerReason; at: number },
): Promise<CountedCrimps | null> {
  if (!(await changeRecording(tx, { id, counted: 1 }, { counted: 0 }))) return null
  const counted = await takeBackCrimps(tx, { ...entry, recordingId: id })
  await addToProduction(tx, await getPieces(tx, id), -1)
  await countOwnMeasurements(tx, id, 0, entry.at)
  await correctRows(tx, id, 0, entry.at)
  return counted
}

/** Moves a waiting recording to a state that waits no more. False when it was not waiting. */
const leaveWaiting = (tx: Tx, id: string, state: RecordingState, erpMessage: string | null): Promise<boolean> =>
  changeRecording(tx, { id, state: 'waiting' }, { state, erp_message: erpMessage })

/**
 * Marks it delivered. `read`: the copy that was read includes it, because the ERP had it before anything was sent from here.
 */
export async function deliverRecording(
  tx: Tx,
  id: string,
  { message, read, snapshot, at }: { message: string; read: boolean; snapshot: number | null; at: number },
): Promise<void> {
  if (!(await leaveWaiting(tx, id, 'delivered', message))) return
  const pieces = await getPieces(tx, id)
  await settleCopy(tx, pieces, { delivered: !read, snapshot, at })
  await noteChanges(tx, changesOfRecording({ ...pieces, id, unit: null }), at)
}

/**
 * Handles a refusal. Without a promise the recording is undone as if it had never been; after a promise it stays counted and
 * waits for a person.
 */
export async function refuseRecording(tx: Tx, id: string, erpMessage: string, at: number): Promise<void> {
  const refused = { state: 'refused', erp_message: erpMessage } as const
  const isUndone = await changeRecording(tx, { id, state: 'waiting', promised: 0 }, refused)
  if (!isUndone && !(await leaveWaiting(tx, id, 'parked', erpMessage))) return
  const pieces = await getPieces(tx, id)
  await settleCopy(tx, pieces, { delivered: false, snapshot: null, at })
  if (isUndone) await uncountRecording(tx, id, { reason: 'refused', at })
  await noteChanges(tx, changesOfRecording({ ...pieces, id, unit: isUndone ? pieces.unit_key : null }), at)
}

/**
 * Counts a recording again that a refusal had undone, when the tablet turns out to have promised it. It waits for a person.
 */
export async function restoreRecording(tx: Tx, id: string, at: number): Promise<void> {
  const restored = { state: 'parked', counted: 1, promised: 1 } as const
  if (!(await changeRecording(tx, { id, state: 'refused' }, restored))) return
  await restoreCrimps(tx, { recordingId: id, reason: 'restored', at })
  const pieces = await getPieces(tx, id)
  await addToProduction(tx, pieces, 1)
  await countOwnMeasurements(tx, id, 1, at)
  await correctRows(tx, id, pieces.pieces, at)
  await noteChanges(tx, changesOfRecording({ ...pieces, id, unit: pieces.unit_key }), at)
}

type Returned = { from: ResentFrom; reason: string; at: number }

/** Marks it uncertain: it stays counted and on its way until a person decides. */
export async function leaveUncertain(tx: Tx, id: string, reason: string, at: number): Promise<void> {
  if (!(await leaveWaiting(tx, id, 'uncertain', reason))) return
  await noteChanges(tx, [{ topic: 'pending-recordings', key: id }], at)
}

/** Returns a resent recording to its former state: its outcome stayed unknown. */
export async function returnResent(tx: Tx, id: string, { from, reason, at }: Returned): Promise<void> {
  if (from === 'uncertain') return await leaveUncertain(tx, id, reason, at)
  const { erpMessage } = await getRecording(tx, id)
  if (!(await leaveWaiting(tx, id, 'parked', erpMessage))) return
  const pieces = await getPieces(tx, id)
  await settleCopy(tx, pieces, { delivered: false, snapshot: null, at })
  await noteChanges(tx, changesOfRecording({ ...pieces, id, unit: null }), at)
}

export const pendingStates = ['waiting', 'parked', 'uncertain'] as const satisfies RecordingState[]

/** Recordings that the ERP has not confirmed, by state; a state without any is left out. */
export async function countPendingByState(db: Reader): Promise<Partial<Record<RecordingState, number>>> {
  const rows = await db
    .selectFrom('recordings')
    .select(['state', (e) => e.fn.countAll<number>().as('n')])
    .where('state', 'in', pendingStates)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))
}

/** Number of recordings that the ERP has not confirmed, and of those that need a person. */
export async function countPending(db: Reader): Promise<{ pending: number; needPerson: number }> {
  const { waiting = 0, parked = 0, uncertain = 0 } = await countPendingByState(db)
  return { pending: waiting + parked + uncertain, needPerson: parked + uncertain }
}

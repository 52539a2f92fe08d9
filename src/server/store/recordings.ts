import type { Part } from '../../contract/items.ts'
import type { Capture, CutCrimpRecording } from '../../contract/recordings.ts'
import { nameKey } from '../../domain/recordings.ts'
import { addCrimps, ensureUnit, takeBackCrimps } from './applicators.ts'
import { compileOnce } from './compiled.ts'
import { addProduction } from './daily-production.ts'
import type { Reader, Tx } from './db.ts'
import { settlePieces } from './items.ts'
import type { RecordingState, Tables } from './tables.ts'

export type Recording = {
  id: string
  contentHash: string
  part: Part
  branch: string
  barcode: string
  orderNumber: string
  pieces: number
  machine: string
  lot: string
  terminal: string
  /** Name of the mini applicator that made the crimps; null when none is counted. */
  applicator: string | null
  payload: CutCrimpRecording
  capture: Capture | null
  userId: number
  operator: string
  recordedAt: number
  receivedAt: number
  productionDay: string
}

export type StoredRecording = {
  id: string
  contentHash: string
  state: RecordingState
  promised: boolean
  branch: string
  barcode: string
  erpMessage: string | null
}

const recordingById = compileOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('recordings')
    .select(['id', 'content_hash', 'state', 'promised', 'branch', 'barcode', 'erp_message'])
    .where('id', '=', id),
)

export async function findRecording(db: Reader, id: string): Promise<StoredRecording | null> {
  const {
    rows: [row],
  } = await recordingById(db, { id })
  return row
    ? {
        id: row.id,
        contentHash: row.content_hash,
        state: row.state,
        promised: row.promised === 1,
        branch: row.branch,
        barcode: row.barcode,
        erpMessage: row.erp_message,
      }
    : null
}

export async function getRecording(db: Reader, id: string): Promise<StoredRecording> {
  const recording = await findRecording(db, id)
  if (!recording) throw new Error(`recording ${id} is gone`)
  return recording
}

const insertRow = compileOnce((tx, row: Tables['recordings']) => tx.insertInto('recordings').values(row))

/** The recording, the wear of its tool and the day's roll-up. Throws a unique violation when the id is stored already. */
export async function insertRecording(tx: Tx, recording: Recording): Promise<void> {
  const unitKey = recording.applicator === null ? null : nameKey(recording.applicator)
  await insertRow(tx, {
    id: recording.id,
    content_hash: recording.contentHash,
    state: 'waiting',
    promised: 0,
    part: recording.part,
    branch: recording.branch,
    barcode: recording.barcode,
    order_number: recording.orderNumber,
    pieces: recording.pieces,
    machine: recording.machine,
    lot: recording.lot,
    terminal: recording.terminal,
    unit_key: unitKey,
    payload_json: JSON.stringify(recording.payload),
    capture_json: recording.capture === null ? null : JSON.stringify(recording.capture),
    user_id: recording.userId,
    operator: recording.operator,
    erp_message: null,
    recorded_at: recording.recordedAt,
    received_at: recording.receivedAt,
    production_day: recording.productionDay,
  })
  if (recording.applicator !== null && unitKey !== null) {
    await ensureUnit(tx, { name: recording.applicator, at: recording.receivedAt })
    await addCrimps(tx, {
      recordingId: recording.id,
      reason: 'recorded',
      unitKey,
      crimps: recording.pieces,
      at: recording.receivedAt,
    })
  }
  await addProduction(tx, { ...recording, unitKey: unitKey ?? '' }, { pieces: recording.pieces, recordings: 1 })
}

const setPromised = compileOnce((tx, { id }: { id: string }) =>
  tx.updateTable('recordings').set({ promised: 1 }).where('id', '=', id).where('state', '=', 'waiting'),
)

/**
 * Notes that the operator is being told 'salvo'. False when the ERP's answer came first: then that is the answer to
 * give.
 */
export async function promiseRecording(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await setPromised(tx, { id })
  return numAffectedRows === 1n
}

const piecesOf = async (tx: Tx, id: string) =>
  await tx
    .selectFrom('recordings')
    .select(['branch', 'barcode', 'part', 'pieces', 'machine', 'operator', 'unit_key', 'terminal', 'production_day'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Moves a waiting recording to a state that waits no more. False when it was not waiting. */
async function leaveWaiting(tx: Tx, id: string, state: RecordingState, erpMessage: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recordings')
    .set({ state, erp_message: erpMessage })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deliverRecording(tx: Tx, id: string, erpMessage: string, at: number): Promise<void> {
  if (!(await leaveWaiting(tx, id, 'delivered', erpMessage))) return
  await settlePieces(tx, { ...(await piecesOf(tx, id)), delivered: true, at })
}

/**
 * The ERP said no. Before anybody was told 'salvo' the recording is undone as if it had never been; after that it
 * stays, counted, and waits for a person.
 */
export async function refuseRecording(tx: Tx, id: string, erpMessage: string, at: number): Promise<void> {
  const row = await piecesOf(tx, id)
  const undone = await tx
    .updateTable('recordings')
    .set({ state: 'refused', erp_message: erpMessage })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('promised', '=', 0)
    .executeTakeFirst()
  if (undone.numUpdatedRows === 1n) {
    await takeBackCrimps(tx, { recordingId: id, reason: 'refused', at })
    await addProduction(
      tx,
      { ...row, unitKey: row.unit_key ?? '', productionDay: row.production_day },
      { pieces: -row.pieces, recordings: -1 },
    )
  } else if (!(await leaveWaiting(tx, id, 'parked', erpMessage))) return
  await settlePieces(tx, { ...row, delivered: false, at })
}

/** Nobody can tell whether the ERP has it: it stays counted and on its way until a person decides. */
export async function leaveUncertain(tx: Tx, id: string, reason: string): Promise<void> {
  await leaveWaiting(tx, id, 'uncertain', reason)
}

/** What the ERP has not confirmed and what needs a person. */
export async function countPending(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('recordings')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('state', 'in', ['waiting', 'parked', 'uncertain'])
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

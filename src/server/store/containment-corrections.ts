import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Certainty, ContainmentKind } from '../../contract/containments.ts'
import { nameKey } from '../../domain/acts/recordings.ts'
import { type Balance, containmentNumber, totalsOf, undecidedText } from '../../domain/containments/balances.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { machineKey } from '../../domain/quality/control-plans.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import { insertAuditEntry } from './audit-entries.ts'
import {
  type BalancedRow,
  insertSteps,
  lockContainment,
  type NewStep,
  raiseRow,
  setState,
  withSteps,
} from './containment-steps.ts'
import type { Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { noteChanges } from './live-changes.ts'
import { PANEL } from './spc.ts'

type Found = Pick<Selectable<Tables['containments']>, 'id' | 'number' | 'state'>
type Event = { reason: string; at: number }

const isDecided = (balance: Balance): boolean => undecidedText(totalsOf([balance])) === null

/** By what the panel itself has found not all is decided any more. Its version has been raised. */
async function reopen(tx: Tx, { id, number, state }: Found, { reason, at }: Event): Promise<void> {
  if (state === 'aberta') return
  await setState(tx, id, null)
  await insertAuditEntry(tx, {
    ...{ at, userId: 0, userName: PANEL, action: 'containment_reopened', reason },
    subject: { kind: 'containment', id },
    details: { name: containmentNumber(number) },
  })
}

/** Pieces that the panel knows of a recording: what it has corrected last, else those that the row joined with. */
export const knownPieces = ({ pieces, steps }: Pick<BalancedRow, 'pieces' | 'steps'>): number =>
  steps.findLast(({ kind, user_id }) => kind === 'corrigir' && user_id === null)?.pieces ?? pieces

type Corrected = { rowId: number; containmentId: string; pieces: number; at: number }

/** Sets the pieces of a row to those that its recording counts with. Where not all is decided then, the containment is open. */
export async function correctRow(tx: Tx, { rowId, containmentId, pieces, at }: Corrected): Promise<void> {
  const containment = await lockContainment(tx, containmentId)
  const row = await tx.selectFrom('containment_rows').selectAll().where('id', '=', rowId).executeTakeFirstOrThrow()
  const [before] = await withSteps(tx, [row])
  if (!containment || !before || knownPieces(before) === pieces) return
  await raiseRow(tx, row)
  const step: NewStep = {
    ...{ press_id: randomUUID(), content_hash: '', containment_id: containmentId, row_id: rowId, kind: 'corrigir' },
    ...{ pieces, reason: '', decided_by: PANEL, user_id: null, at, decided_day: toInstant(at).slice(0, 10) },
  }
  await insertSteps(tx, [step])
  const [after] = await withSteps(tx, [row])
  const reason = `Apontamento corrigido: ${piecesText(pieces)}.`
  if (after && !isDecided(after.balance)) await reopen(tx, containment, { reason, at })
  await noteChanges(tx, [{ topic: 'containments', key: containmentId }], at)
}

/** A recording counts with other pieces than before, or not at all: its rows follow in the commit that says so. */
export async function correctRows(tx: Tx, recordingId: string, pieces: number, at: number): Promise<void> {
  const rows = await tx
    .selectFrom('containment_rows')
    .select(['id', 'containment_id'])
    .where('recording_id', '=', recordingId)
    .orderBy('containment_id')
    .execute()
  for (const { id, containment_id } of rows) {
    await correctRow(tx, { rowId: id, containmentId: containment_id, pieces, at })
  }
}

type Joining = { containmentId: string; recordingId: string; certainty: Certainty; pieces: number }

/** False: it had joined before. What joins is suspect, so its containment is open. */
export async function joinRow(tx: Tx, { containmentId, ...joining }: Joining, event: Event): Promise<boolean> {
  const containment = await lockContainment(tx, containmentId)
  const isThere = await tx
    .selectFrom('containment_rows')
    .select('id')
    .where((e) => e.and({ containment_id: containmentId, recording_id: joining.recordingId }))
    .executeTakeFirst()
  if (!containment || isThere) return false
  const { recordingId: recording_id, certainty, pieces } = joining
  await tx
    .insertInto('containment_rows')
    .values({ containment_id: containmentId, recording_id, certainty, pieces, version: 1 })
    .execute()
  await reopen(tx, containment, event)
  await noteChanges(tx, [{ topic: 'containments', key: containmentId }], event.at)
  return true
}

type Made = Pick<Selectable<Tables['recordings']>, 'unit_key' | 'terminal' | 'gauge_milli' | 'machine' | 'lot' | 'part'>

const isSameEnd = (one: Made, other: Made): boolean =>
  (one.part === 'juncao') === (other.part === 'juncao') &&
  one.unit_key === other.unit_key &&
  nameKey(one.terminal) === nameKey(other.terminal) &&
  one.gauge_milli === other.gauge_milli &&
  machineKey(one.machine) === machineKey(other.machine)

/** Whether a correction leaves a recording where its containment looks for suspect pieces. */
const staysSuspect: Record<ContainmentKind, (one: Made, other: Made) => boolean> = {
  medicao: isSameEnd,
  instrumento: isSameEnd,
  lote: (one, other) => one.lot === other.lot,
  ferramenta: (one, other) => one.unit_key === other.unit_key,
  maquina: (one, other) => machineKey(one.machine) === machineKey(other.machine),
}

const findMade = async (tx: Tx, id: string) =>
  await tx
    .selectFrom('recordings')
    .select(['unit_key', 'terminal', 'gauge_milli', 'machine', 'lot', 'part', 'pieces'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** What takes the place of a recording is as suspect as that was, unless the correction says that it was made elsewhere. */
export async function joinCorrection(tx: Tx, originalId: string, correctionId: string, at: number): Promise<void> {
  const rows = await tx
    .selectFrom('containment_rows as r')
    .innerJoin('containments as c', 'c.id', 'r.containment_id')
    .select(['r.containment_id as containmentId', 'r.certainty', 'c.kind'])
    .where('r.recording_id', '=', originalId)
    .orderBy('r.containment_id')
    .execute()
  if (rows.length === 0) return
  const [was, is] = [await findMade(tx, originalId), await findMade(tx, correctionId)]
  const joining = { recordingId: correctionId, pieces: is.pieces }
  const event = { reason: `Apontamento corrigido: ${piecesText(is.pieces)}.`, at }
  for (const { containmentId, certainty, kind } of rows) {
    if (staysSuspect[kind](was, is)) await joinRow(tx, { ...joining, containmentId, certainty }, event)
  }
}

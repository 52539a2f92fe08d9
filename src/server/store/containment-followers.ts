import type { Certainty } from '../../contract/containments.ts'
import { containmentNumber } from '../../domain/containments/balances.ts'
import type { SuspectRecording, SuspectWindow } from '../../domain/quality/suspect-windows.ts'
import { piecesText } from '../../domain/text/numbers.ts'
import { insertAuditEntry } from './audit-entries.ts'
import { joinRow, knownPieces } from './containment-corrections.ts'
import { lockContainment, withSteps } from './containment-steps.ts'
import type { ContainmentRecord } from './containments.ts'
import type { Reader, Tx } from './db/db.ts'
import { noteChanges } from './live-changes.ts'
import { findSetting, keepSetting, replaceSetting } from './settings.ts'
import { slicesOf } from './slices.ts'
import { PANEL } from './spc.ts'

const LEASE = 'containments-followed-until'
const RECORDINGS_AT_ONCE = 500

/** Of all servers one follows them at a time. An instant too far ahead is that of a clock that was wrong. */
export async function takeLease(tx: Tx, now: number, leaseMs: number): Promise<boolean> {
  const until = String(now + leaseMs)
  const value = await findSetting(tx, LEASE)
  if (value === null) return (await keepSetting(tx, LEASE, until)) === until
  if (Number(value) > now && Number(value) <= now + leaseMs) return false
  return await replaceSetting(tx, LEASE, value, until)
}

/** Those that are open, and those closed since. */
export const listFollowed = (db: Reader, closedSince: number | null): Promise<ContainmentRecord[]> =>
  db
    .selectFrom('containments')
    .selectAll()
    .where((e) =>
      e.or([
        e('state', '=', 'aberta'),
        ...(closedSince === null ? [] : [e.and([e('state', '=', 'encerrada'), e('closed_at', '>', closedSince)])]),
      ]),
    )
    .orderBy('number')
    .execute()

/** Said to hold no suspect pieces: closed as it was opened. */
const isEmptied = ({ closed_at, opened_at }: ContainmentRecord) => closed_at === opened_at

/** How a recording joins that the window has found later. Null: somebody has left it out. */
function joiningCertainty(
  containment: ContainmentRecord,
  { at, certainty }: SuspectRecording,
  receivedAt: number,
): Certainty | null {
  // a close ends the window of what it closed: what is made afterwards is another matter
  if (containment.closed_at !== null && at > containment.closed_at) return null
  const cameLater = receivedAt > containment.opened_at
  if (!cameLater && (certainty !== 'certo' || isEmptied(containment))) return null
  return certainty === 'certo' && at <= containment.opened_at ? 'novo' : certainty
}

/** Recordings of a window that are no rows of its containment, as they join. */
export async function listJoining(db: Reader, containment: ContainmentRecord, suspects: readonly SuspectRecording[]) {
  const rows = await db
    .selectFrom('containment_rows')
    .select('recording_id')
    .where('containment_id', '=', containment.id)
    .execute()
  const known = new Set(rows.map(({ recording_id }) => recording_id))
  const missing = suspects.filter(({ id }) => !known.has(id))
  const joining: { recordingId: string; pieces: number; certainty: Certainty }[] = []
  for (const some of slicesOf(missing, RECORDINGS_AT_ONCE)) {
    const page = new Map(some.map((one) => [one.id, one]))
    const received = await db
      .selectFrom('recordings')
      .select(['id', 'received_at'])
      .where('id', 'in', [...page.keys()])
      .execute()
    for (const { id, received_at } of received) {
      const suspect = page.get(id)
      const certainty = suspect ? joiningCertainty(containment, suspect, received_at) : null
      if (suspect && certainty) joining.push({ recordingId: id, pieces: suspect.pieces, certainty })
    }
  }
  return joining
}

type Joining = Awaited<ReturnType<typeof listJoining>>

/** Recordings that came late, in one commit; a closed containment is open then. */
export async function joinLate(tx: Tx, { id, number }: ContainmentRecord, all: Joining, at: number): Promise<void> {
  let [recordings, pieces] = [0, 0]
  for (const one of all) {
    const reason = `Apontamento recebido depois: ${piecesText(one.pieces)}.`
    if (!(await joinRow(tx, { ...one, containmentId: id }, { reason, at }))) continue
    recordings += 1
    pieces += one.pieces
  }
  if (recordings === 0) return
  await insertAuditEntry(tx, {
    ...{ at, userId: 0, userName: PANEL, action: 'containment_followed', reason: null },
    subject: { kind: 'containment', id },
    details: { name: containmentNumber(number), containedRecordings: recordings, pieces },
  })
}

/** An open window has the ends that were measured since; a good reading after it ends it. */
export async function followEnds(tx: Tx, { id }: ContainmentRecord, window: SuspectWindow, at: number): Promise<void> {
  if (!(await lockContainment(tx, id))) return
  const { startAt: start_at, endAt: end_at, basis } = window
  await tx
    .updateTable('containments')
    .set({ start_at, end_at, basis, is_open_ended: end_at === null ? 1 : 0 })
    .where('id', '=', id)
    .execute()
  await noteChanges(tx, [{ topic: 'containments', key: id }], at)
}

/** Rows whose recording counts with other pieces than the panel knows there, as a server of the version before leaves them. */
export async function listUncorrected(db: Reader, containmentId: string) {
  const rows = await db
    .selectFrom('containment_rows as r')
    .innerJoin('recordings as a', 'a.id', 'r.recording_id')
    .selectAll('r')
    .select(['a.pieces as made', 'a.counted'])
    .where('r.containment_id', '=', containmentId)
    .where((e) =>
      e.or([
        e('a.counted', '=', 0),
        e('a.pieces', '<>', e.ref('r.pieces')),
        // a step may have said something else
        e('r.version', '>', 1),
      ]),
    )
    .execute()
  const counts = new Map(rows.map(({ id, made, counted }) => [id, counted === 1 ? made : 0]))
  return (await withSteps(db, rows)).flatMap((row) => {
    const pieces = counts.get(row.id) ?? 0
    return knownPieces(row) === pieces ? [] : [{ rowId: row.id, containmentId, pieces }]
  })
}

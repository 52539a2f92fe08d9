import type { Finding, Occasion, Verdict } from '../../contract/measurements.ts'
import { PLAN_FINDINGS_LISTED_MAX, type PlanFinding } from '../../contract/releases.ts'
import type { PlanMode } from '../../contract/settings.ts'
import { toInstant } from '../../domain/plant-time.ts'
import type { Sample } from '../../domain/sampling.ts'
import { changesOne, type Reader, type Tx } from './db/db.ts'

/** Enough of one order for the newest sample of each of its presses, tools and lots. */
const SAMPLES_READ_MAX = 50

/** A characteristic of a sample; what was measured together has one `act`. */
export type PlaceSample = Sample & { act: string; verdict: Verdict; isPlanned: boolean }

/**
 * Of one order what counts, of its terminal and gauge, measured until then, or named by who asks, the newest first. One read,
 * by an index.
 */
export async function listSamplesOfOrder(
  db: Reader,
  of: {
    branch: string
    orderNumber: string
    terminalKey: string
    gaugeMilli: number
    until: number
    /** Acts: a tablet knows the time to half a second, and may learn it anew between a sample and its recording. */
    named: readonly string[]
  },
): Promise<PlaceSample[]> {
  const rows = await db
    .selectFrom('measurements')
    .select(['act_id', 'order_number', 'machine', 'unit', 'lot', 'shift', 'ordered_at', 'verdict', 'plan_id'])
    .where('branch', '=', of.branch)
    .where('order_number', '=', of.orderNumber)
    .where('terminal_key', '=', of.terminalKey)
    .where('gauge_milli', '=', of.gaugeMilli)
    .where('counted', '=', 1)
    .where('invalid_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('ordered_at', '<=', of.until), ...(of.named.length > 0 ? [eb('act_id', 'in', of.named)] : [])]),
    )
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SAMPLES_READ_MAX)
    .execute()
  return rows.map((row) => ({
    act: row.act_id,
    order: row.order_number,
    machine: row.machine,
    unit: row.unit,
    lot: row.lot,
    // what the tool's counter says now would be one more read: its tablet asks for that
    cycle: null,
    shift: row.shift,
    measuredAt: row.ordered_at,
    verdict: row.verdict,
    isPlanned: row.plan_id !== null,
  }))
}

export type NewFinding = {
  recordingId: string
  finding: Finding
  mode: PlanMode
  reason: string
  releaseId: string | null
  details: { due: readonly Occasion[]; verdict: Verdict | null }
  at: number
}

export async function insertFinding(tx: Tx, { recordingId, releaseId, details, ...row }: NewFinding): Promise<void> {
  const stored = { ...row, recording_id: recordingId, release_id: releaseId, details_json: JSON.stringify(details) }
  await tx.insertInto('recording_findings').values(stored).execute()
}

const findingsSince = (db: Reader, since: number, finding: Finding | undefined) => {
  const all = db.selectFrom('recording_findings as f').where('f.at', '>=', since)
  return finding === undefined ? all : all.where('f.finding', '=', finding)
}

export async function countFindings(db: Reader, since: number, finding?: Finding): Promise<number> {
  const { n } = await findingsSince(db, since, finding)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The newest first. What a refusal of the ERP undid is in it: it was registered outside the plan all the same. */
export async function listFindings(db: Reader, since: number, finding?: Finding): Promise<PlanFinding[]> {
  const rows = await findingsSince(db, since, finding)
    .innerJoin('recordings as r', 'r.id', 'f.recording_id')
    .leftJoin('releases as l', 'l.id', 'f.release_id')
    .select(['f.id', 'f.at', 'f.finding', 'f.mode', 'f.reason', 'f.recording_id', 'l.given_by'])
    .select(['r.branch', 'r.order_number', 'r.barcode', 'r.position', 'r.part', 'r.terminal'])
    .select(['r.pieces', 'r.machine', 'r.operator'])
    .orderBy('f.id', 'desc')
    .limit(PLAN_FINDINGS_LISTED_MAX)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    em: toInstant(row.at),
    achado: row.finding,
    modo: row.mode,
    motivo: row.reason,
    liberadoPor: row.given_by ?? '',
    apontamento: row.recording_id,
    filial: row.branch,
    ordem: row.order_number,
    codigoBarras: row.barcode,
    posicao: row.position,
    parte: row.part,
    terminal: row.terminal,
    pecas: row.pieces,
    maquina: row.machine,
    operador: row.operator,
  }))
}

/** Where and on which day of the plant a release is good. */
export type ReleasePlace = { branch: string; subject: string; day: string }

/** Which place of work of its plant: an end of an item, or a junction of an order. */
export const releaseSubject = (of: { barcode: string; orderNumber: string; position: string; part: string }): string =>
  of.part === 'juncao' ? `${of.orderNumber}|${of.position}` : `${of.barcode}|${of.part}`

export type NewRelease = ReleasePlace & { id: string; reason: string; userId: number; givenBy: string; at: number }

export async function insertRelease(tx: Tx, { userId, givenBy, ...row }: NewRelease): Promise<void> {
  await tx
    .insertInto('releases')
    .values({ ...row, user_id: userId, given_by: givenBy, recording_id: null })
    .execute()
}

/** False where it is another place's or day's, or has let something through before. */
export const spendRelease = (tx: Tx, id: string, place: ReleasePlace, recordingId: string): Promise<boolean> =>
  tx
    .updateTable('releases')
    .set({ recording_id: recordingId })
    .where((e) => e.and({ id, ...place }))
    .where('recording_id', 'is', null)
    .$call(changesOne)

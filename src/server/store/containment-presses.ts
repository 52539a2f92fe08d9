import { hash } from 'node:crypto'
import type { CutCrimpRecording } from '../../contract/recordings.ts'
import { SCRAP_NOTE_LENGTH_MAX } from '../../contract/scraps.ts'
import { crimpsOf, nameKey } from '../../domain/acts/recordings.ts'
import type { BalancedRow, NewStep } from './containment-steps.ts'
import type { Reader, Tx } from './db/db.ts'
import type { NewScrap } from './scraps.ts'

type StoredRow = Omit<BalancedRow, 'steps' | 'balance'>

/** As `raiseRow`, of all. */
export async function raiseRows(tx: Tx, containmentId: string): Promise<void> {
  await tx
    .updateTable('containment_rows')
    .set((e) => ({ version: e('version', '+', 1) }))
    .where('containment_id', '=', containmentId)
    .execute()
}

/** Those of them that a containment has, in the order in which all lock them. */
export const listRowsOf = async (db: Reader, containmentId: string, ids: readonly number[]): Promise<StoredRow[]> =>
  await db
    .selectFrom('containment_rows')
    .selectAll()
    .where('containment_id', '=', containmentId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()

/** Null: nobody has pressed that yet. */
export const findPress = async (db: Reader, pressId: string) =>
  (await db
    .selectFrom('containment_steps')
    .select(['content_hash', 'containment_id'])
    .where('press_id', '=', pressId)
    .limit(1)
    .executeTakeFirst()) ?? null

/** The id (RFC 9562, version 8) of the scrap that a press decides about a row: it never writes a second one. */
export function scrapIdOf(pressId: string, rowId: number): string {
  const hex = hash('sha256', `${pressId}.${rowId}`, 'hex')
  const [time, middle, low, rest] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(20, 32)]
  return `${time}-${middle}-8${low}-8${hex.slice(17, 20)}-${rest}`
}

/** The scraps that steps write, at the places of the recordings of their rows. */
export async function listScrapped(
  db: Reader,
  rows: readonly BalancedRow[],
  steps: readonly NewStep[],
): Promise<NewScrap[]> {
  const recordings = await db
    .selectFrom('recordings')
    .select(['id', 'part', 'branch', 'barcode', 'position', 'order_number', 'machine', 'lot', 'terminal'])
    .select(['gauge_milli', 'unit_key', 'payload_json'])
    .where(
      'id',
      'in',
      rows.map(({ recording_id }) => recording_id),
    )
    .execute()
  const byId = new Map(recordings.map((recording) => [recording.id, recording]))
  const recordingOf = new Map(rows.map(({ id, recording_id }) => [id, byId.get(recording_id)]))
  return steps.flatMap((step): NewScrap[] => {
    const found = recordingOf.get(step.row_id)
    if (!found || found.part === 'recebimento') return []
    const { unit_key, payload_json, terminal, part, id: _, ...place } = found
    // only what was cut or crimped has a tool
    const unit =
      unit_key === null ? '' : (crimpsOf(JSON.parse(payload_json) as CutCrimpRecording)?.applicator ?? unit_key)
    return [
      {
        ...{ ...place, part, terminal, terminal_key: nameKey(terminal), unit, unit_key: unit_key ?? '' },
        ...{ id: scrapIdOf(step.press_id, step.row_id), content_hash: step.content_hash, pieces: step.pieces },
        ...{ reason_code: step.scrap_reason ?? '', note: step.reason.slice(0, SCRAP_NOTE_LENGTH_MAX).toWellFormed() },
        ...{ is_rework: 0, origin: 'contencao', trusted: 1, operator: step.decided_by, user_id: step.user_id ?? 0 },
        ...{ recorded_at: step.at, received_at: step.at, production_day: step.decided_day },
      },
    ]
  })
}

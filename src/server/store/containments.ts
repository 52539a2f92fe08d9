import type { Selectable } from 'kysely'
import { CONTAINED_ITEMS_MAX, CONTAINMENTS_LISTED_MAX } from '../../contract/containments.ts'
import { openingBalance, type Totals, totalsOf } from '../../domain/containments/balances.ts'
import { type SuspectRecording, widenedWindow } from '../../domain/quality/suspect-windows.ts'
import { balanceOfRow } from './containment-steps.ts'
import { insertRows } from './db/compiled.ts'
import { changeVersion, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { findAct } from './measurements.ts'
import { slicesOf } from './slices.ts'
import { readingOf } from './suspect-recordings.ts'
import type { Subject } from './suspect-subjects.ts'
import { findWindow } from './suspect-windows.ts'

export type ContainmentRecord = Selectable<Tables['containments']>
export type RowRecord = Selectable<Tables['containment_rows']>

export const findContainment = async (
  db: Reader,
  by: { id: string; version?: number } | { number: number } | { origin_key: string },
): Promise<ContainmentRecord | null> =>
  (await db
    .selectFrom('containments')
    .selectAll()
    .where((e) => e.and(by))
    .executeTakeFirst()) ?? null

type Listed = { branches: readonly string[]; from: number; before: number }

/** The open ones, the newest first; then those closed in the span. */
export async function listContainments(db: Reader, { branches, from, before }: Listed): Promise<ContainmentRecord[]> {
  const ofPlants = db.selectFrom('containments').selectAll().where('branch', 'in', branches).orderBy('number', 'desc')
  const open = await ofPlants.where('state', '=', 'aberta').limit(CONTAINMENTS_LISTED_MAX).execute()
  const closed = await ofPlants
    .where('state', '=', 'encerrada')
    .where('closed_at', '>=', from)
    .where('closed_at', '<', before)
    .limit(Math.max(0, CONTAINMENTS_LISTED_MAX - open.length))
    .execute()
  return [...open, ...closed]
}

async function takeNumber(tx: Tx): Promise<number> {
  await tx
    .updateTable('containment_numbers')
    .set((e) => ({ last_number: e('last_number', '+', 1) }))
    .where('id', '=', 1)
    .execute()
  const row = await tx
    .selectFrom('containment_numbers')
    .select('last_number')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.last_number
}

const ROWS_AT_ONCE = 500

/** Rows only join: those that are there already are none of `suspects`. */
export async function insertSuspects(
  tx: Tx,
  containmentId: string,
  suspects: readonly SuspectRecording[],
): Promise<void> {
  for (const some of slicesOf(suspects, ROWS_AT_ONCE)) {
    const rows = some.map(({ id, pieces, certainty }) => ({
      ...{ containment_id: containmentId, recording_id: id, certainty, pieces, version: 1 },
    }))
    await insertRows(tx, 'containment_rows', rows)
  }
}

export type NewContainment = Omit<ContainmentRecord, 'number'>

/** Throws a unique violation when it, or one of the same reading, is there already. */
export async function insertContainment(
  tx: Tx,
  containment: NewContainment,
  suspects: readonly SuspectRecording[],
): Promise<ContainmentRecord> {
  const row = { ...containment, number: await takeNumber(tx) }
  await tx.insertInto('containments').values(row).execute()
  await insertSuspects(tx, containment.id, suspects)
  return row
}

/** False when somebody else has changed it since; null takes any version. */
export const updateContainment = (
  tx: Tx,
  id: string,
  change: Partial<Omit<ContainmentRecord, 'id' | 'version'>>,
  versionSeen: number | null,
): Promise<boolean> => changeVersion(tx, 'containments', { id, versionSeen }, change)

/** In the order in which they joined; `after`: id of the last that was read. */
export const listRows = (
  db: Reader,
  containmentId: string,
  { after, max }: { after: number; max: number },
): Promise<RowRecord[]> =>
  db
    .selectFrom('containment_rows')
    .selectAll()
    .where('containment_id', '=', containmentId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(max)
    .execute()

/** Rows with a step, and how they stand. */
async function listSteppedRows(db: Reader, containmentIds: readonly string[]) {
  const steps = await db
    .selectFrom('containment_rows as r')
    .innerJoin('containment_steps as s', 's.row_id', 'r.id')
    .select(['r.id as row_id', 'r.containment_id', 'r.recording_id', 'r.pieces as row_pieces'])
    .select(['s.id', 's.kind', 's.pieces', 's.of_step'])
    .where('r.containment_id', 'in', containmentIds)
    .orderBy('s.id')
    .execute()
  return [...Map.groupBy(steps, ({ row_id }) => row_id).values()].flatMap((ofRow) => {
    const [first] = ofRow
    if (!first) return []
    const { row_id: id, containment_id: containmentId, recording_id: recordingId, row_pieces: pieces } = first
    return { id, containmentId, recordingId, pieces, balance: balanceOfRow(pieces, ofRow) }
  })
}

/** How the pieces of containments stand. */
export async function listTotals(db: Reader, ids: readonly string[]): Promise<Map<string, Totals>> {
  if (ids.length === 0) return new Map()
  const sums = await db
    .selectFrom('containment_rows')
    .select((e) => ['containment_id', e.fn.countAll<number>().as('rows'), e.fn.sum<number>('pieces').as('pieces')])
    .where('containment_id', 'in', ids)
    .groupBy('containment_id')
    .execute()
  const stepped = Map.groupBy(await listSteppedRows(db, ids), ({ containmentId }) => containmentId)
  const known = new Map(sums.map((sum) => [sum.containment_id, sum]))
  return new Map(
    ids.map((id) => {
      const rows = stepped.get(id) ?? []
      const totals = totalsOf(rows.map(({ balance }) => balance))
      const untouched = Number(known.get(id)?.pieces ?? 0) - rows.reduce((sum, { pieces }) => sum + pieces, 0)
      return [
        id,
        {
          ...totals,
          ...{ pieces: totals.pieces + untouched, suspect: totals.suspect + untouched },
          rows: Number(known.get(id)?.rows ?? 0),
        },
      ]
    }),
  )
}

export const getTotals = async (db: Reader, id: string): Promise<Totals> =>
  (await listTotals(db, [id])).get(id) ?? totalsOf([])

/** Stages of items and junctions with pieces that are suspect or in rework, of the open containments of a plant. */
export async function listContained(db: Reader, branch: string) {
  const open = await db
    .selectFrom('containments')
    .select(['id', 'number', 'kind', 'lot', 'unit'])
    .where((e) => e.and({ state: 'aberta', branch }))
    .orderBy('number', 'desc')
    .limit(CONTAINMENTS_LISTED_MAX)
    .execute()
  const ids = open.map(({ id }) => id)
  return { open, stages: ids.length === 0 ? [] : await listStages(db, ids) }
}

/** One for all recordings of a stage, the newest first. */
async function listStages(db: Reader, ids: readonly string[]) {
  const stepped = new Map((await listSteppedRows(db, ids)).map(({ id, balance }) => [id, balance]))
  const stages = new Map<string, ContainedRow & { left: number }>()
  for (let before = Number.MAX_SAFE_INTEGER; stages.size < CONTAINED_ITEMS_MAX; ) {
    const rows = await listContainedRows(db, ids, before)
    for (const row of rows) {
      const { suspect, rework } = stepped.get(row.id) ?? openingBalance(row.pieces)
      if (suspect + rework === 0) continue
      const key = JSON.stringify([row.containment_id, row.barcode || [row.order_number, row.position], row.part])
      stages.set(key, { ...row, left: (stages.get(key)?.left ?? 0) + suspect + rework })
    }
    if (rows.length < CONTAINED_ITEMS_MAX) break
    before = rows.at(-1)?.id ?? 0
  }
  return [...stages.values()].slice(0, CONTAINED_ITEMS_MAX)
}

type ContainedRow = Awaited<ReturnType<typeof listContainedRows>>[number]

const listContainedRows = (db: Reader, ids: readonly string[], before: number) =>
  db
    .selectFrom('containment_rows as r')
    .innerJoin('recordings as a', 'a.id', 'r.recording_id')
    .select(['r.id', 'r.containment_id', 'r.pieces', 'a.barcode', 'a.order_number', 'a.position', 'a.part'])
    .where('r.containment_id', 'in', ids)
    .where('r.id', '<', before)
    .orderBy('r.id', 'desc')
    .limit(CONTAINED_ITEMS_MAX)
    .execute()

/** Takes out rows that nobody has decided anything about; the others stay. */
export async function deleteUntouchedRows(tx: Tx, rowIds: readonly number[]): Promise<void> {
  for (const some of slicesOf(rowIds, ROWS_AT_ONCE)) {
    await tx.deleteFrom('containment_rows').where('id', 'in', some).where('version', '=', 1).execute()
  }
}

/** What it is about, with its ends as they are now: those of an open window follow what was measured since. Null: its act is gone. */
export async function subjectOfContainment(db: Reader, containment: ContainmentRecord): Promise<Subject | null> {
  const { kind, branch, start_at: startAt, end_at: endAt, basis } = containment
  if (kind !== 'medicao') {
    const terms = { ferramenta: containment.unit, lote: containment.lot, maquina: containment.machine }
    return { kind, branch, term: kind === 'instrumento' ? containment.instrument : terms[kind], startAt, endAt }
  }
  const act = containment.act_id === null ? null : await findAct(db, containment.act_id)
  const row = act?.rows.find(({ characteristic }) => characteristic === containment.characteristic)
  const reading = row ? readingOf(row) : null
  if (!reading) return null
  if (containment.is_open_ended === 0) return { kind, reading, window: { startAt, basis, endAt, endAct: null } }
  const window = await findWindow(db, reading)
  return { kind, reading, window: basis === 'mao' ? widenedWindow(window, { startAt: startAt ?? undefined }) : window }
}

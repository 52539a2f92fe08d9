import type { Insertable, Selectable } from 'kysely'
import { type Balance, balanceOf } from '../../domain/containments/balances.ts'
import { insertRows } from './db/compiled.ts'
import { changesOne, ofVersion, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { slicesOf } from './slices.ts'

type Row = Selectable<Tables['containment_rows']>
/** `reason_text`: the scrap's reason in the plant's words. */
type Step = Selectable<Tables['containment_steps']> & { reason_text: string | null }

/** One statement names no more rows. */
const ROWS_AT_ONCE = 500

/** By row, in their order. */
async function listSteps(db: Reader, rowIds: readonly number[]): Promise<Map<number, Step[]>> {
  const steps: Step[] = []
  for (const page of slicesOf(rowIds, ROWS_AT_ONCE)) {
    const found = db
      .selectFrom('containment_steps as s')
      .leftJoin('scrap_reasons as r', 'r.code', 's.scrap_reason')
      .selectAll('s')
      .select('r.text as reason_text')
      .where('s.row_id', 'in', page)
      .orderBy('s.id')
    steps.push(...(await found.execute()))
  }
  return Map.groupBy(steps, ({ row_id }) => row_id)
}

type Stepped = Pick<Step, 'id' | 'kind' | 'pieces' | 'of_step'>

export const stepsOf = (steps: readonly Stepped[]) =>
  steps.map(({ id, kind, pieces, of_step: of }) => ({ id, kind, pieces, of }))

/** `pieces`: those that the row joined with. */
export const balanceOfRow = (pieces: number, steps: readonly Stepped[]): Balance => balanceOf(pieces, stepsOf(steps))

export type BalancedRow = Row & { steps: Step[]; balance: Balance }

export async function withSteps(db: Reader, rows: readonly Row[]): Promise<BalancedRow[]> {
  const steps = await listSteps(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const own = steps.get(row.id) ?? []
    return { ...row, steps: own, balance: balanceOfRow(row.pieces, own) }
  })
}

/** All rows of a containment, which are 20,000 at most. */
export const listAllRows = async (db: Reader, containmentId: string): Promise<BalancedRow[]> =>
  await withSteps(
    db,
    await db
      .selectFrom('containment_rows')
      .selectAll()
      .where('containment_id', '=', containmentId)
      .orderBy('id')
      .execute(),
  )

/** Raises its version, which lines up all that change it, and answers how it stands then. Null: there is none of that version. */
export async function lockContainment(
  tx: Tx,
  id: string,
  versionSeen: number | null = null,
  state?: Tables['containments']['state'],
) {
  const isThere = await tx
    .updateTable('containments')
    .set((e) => ({ version: e('version', '+', 1) }))
    .where((e) => e.and({ id, ...ofVersion(versionSeen), ...(state === undefined ? {} : { state }) }))
    .$call(changesOne)
  if (!isThere) return null
  return await tx.selectFrom('containments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** False: it is not of the version that somebody saw, or no row of this containment. */
export const raiseRow = (tx: Tx, row: Pick<Row, 'id' | 'containment_id' | 'version'>): Promise<boolean> =>
  tx
    .updateTable('containment_rows')
    .set({ version: row.version + 1 })
    .where((e) => e.and({ id: row.id, containment_id: row.containment_id, version: row.version }))
    .$call(changesOne)

export type NewStep = Insertable<Tables['containment_steps']>

export async function insertSteps(tx: Tx, steps: readonly NewStep[]): Promise<void> {
  for (const page of slicesOf(steps, ROWS_AT_ONCE)) await insertRows(tx, 'containment_steps', page)
}

type Closing = { at: number; by: string; userId: number; reason: string }

/** Null opens it again. */
export async function setState(tx: Tx, id: string, closing: Closing | null): Promise<void> {
  await tx
    .updateTable('containments')
    .set({
      state: closing ? 'encerrada' : 'aberta',
      ...{ close_reason: closing?.reason ?? null, closed_at: closing?.at ?? null },
      ...{ closed_by: closing?.by ?? null, closed_user_id: closing?.userId ?? null },
    })
    .where('id', '=', id)
    .execute()
}

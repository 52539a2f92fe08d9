import { dayStartMs, MINUTE_MS, plantDay } from '../../domain/plant/plant-time.ts'
import type { Reader, Tx } from './db/db.ts'
import { listInstants, SOON_MS } from './instants.ts'

/**
 * Moves instants beyond their furthest future to now: a delivery due in a year, a copy that nothing newer could replace, a sample
 * that would be the newest one for a month. Never earlier than now, so no write looks older than it is. Resolves to the rows of each column.
 */
export async function bringFutureBack(
  tx: Tx,
  { now, timeZone, writeTimeoutMs }: { now: number; timeZone: string; writeTimeoutMs: number },
): Promise<Record<string, number>> {
  const changed: Record<string, number> = {}
  const note = (column: string, rows: bigint) => {
    if (rows > 0n) changed[column] = Number(rows)
  }
  const today = plantDay(now, timeZone)
  // before the instant that shows it is brought back: a later run of the task is the newer one
  const { numUpdatedRows: runs } = await tx
    .updateTable('task_runs')
    .set({ ordered_day: today })
    .where('recorded_at', '>', now + SOON_MS)
    .where('done_day', '>', today)
    .where('ordered_day', 'is', null)
    .executeTakeFirst()
  note('task_runs.ordered_day', runs)
  for (const { table, column, treatment } of listInstants()) {
    if (treatment === 'day') note(`${table}.${column}`, await bringPlansBack(tx, column, { now, timeZone }))
    const limitMs = treatment === 'lease' ? writeTimeoutMs + 2 * MINUTE_MS : treatment
    if (typeof limitMs === 'string') continue
    let update = tx
      .updateTable(table as 'erp_outbox')
      .set({ [column]: now })
      .where(column as 'due_at', '>', now + limitMs)
    // settled rows are skipped: nothing reads their times, and there may be millions
    if (table === 'erp_outbox') update = update.where('state', 'in', ['new', 'sending', 'unknown'])
    const { numUpdatedRows } = await update.executeTakeFirst()
    note(`${table}.${column}`, numUpdatedRows)
  }
  return changed
}

/**
 * Brings plans back whose instant is no beginning of a day: planned ones begin and end with a day, any other instant was
 * the clock's.
 */
async function bringPlansBack(tx: Tx, column: string, { now, timeZone }: { now: number; timeZone: string }) {
  const ahead = await tx
    .selectFrom('control_plans')
    .select(`${column} as at` as 'valid_from as at')
    .distinct()
    .where(column as 'valid_from', '>', now + SOON_MS)
    .execute()
  let changed = 0n
  for (const { at } of ahead) {
    if (dayStartMs(plantDay(at, timeZone), timeZone) === at) continue
    const { numUpdatedRows } = await tx
      .updateTable('control_plans')
      .set({ [column]: now })
      .where(column as 'valid_from', '=', at)
      .executeTakeFirst()
    changed += numUpdatedRows
  }
  return changed
}

/** The newest work in this database; null when there is none. */
export async function findLastWorkAt(db: Reader): Promise<number | null> {
  const newest = await db
    .selectFrom('erp_outbox')
    .select('created_at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { usedAt } = await db
    .selectFrom('sessions')
    .select((e) => e.fn.max('last_used_at').as('usedAt'))
    .executeTakeFirstOrThrow()
  const last = Math.max(newest?.created_at ?? 0, Number(usedAt ?? 0))
  return last === 0 ? null : last
}

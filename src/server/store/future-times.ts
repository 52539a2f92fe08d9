import { actKinds } from './act-kinds.ts'
import type { Reader, Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'

const MINUTE_MS = 60_000

/** The furthest future of a column. A later instant was written by a clock that ran ahead. */
type Limit = { [Table in keyof Tables]: readonly [Table, keyof Tables[Table] & string, limitMs: number] }[keyof Tables]

const limits = (writeTimeoutMs: number): readonly Limit[] => {
  const leaseMs = writeTimeoutMs + 2 * MINUTE_MS
  return [
    ['erp_outbox', 'due_at', 20 * MINUTE_MS],
    ['erp_outbox', 'lease_until', leaseMs],
    ['erp_outbox', 'sent_at', 5 * MINUTE_MS],
    ['erp_outbox', 'unchanged_at', 5 * MINUTE_MS],
    ['erp_outbox', 'created_at', 5 * MINUTE_MS],
    ['erp_slots', 'lease_until', leaseMs],
    ['erp_items', 'fetched_at', 5 * MINUTE_MS],
    ['erp_items', 'settled_at', 5 * MINUTE_MS],
    ['erp_junctions', 'fetched_at', 5 * MINUTE_MS],
    ['erp_junctions', 'settled_at', 5 * MINUTE_MS],
    ['erp_junction_details', 'fetched_at', 5 * MINUTE_MS],
    ['erp_machines', 'fetched_at', 5 * MINUTE_MS],
    ['server_reports', 'reported_at', 5 * MINUTE_MS],
    ['alarm_states', 'begun_at', 5 * MINUTE_MS],
    ['alarm_states', 'said_at', 5 * MINUTE_MS],
    ['alarm_states', 'lease_until', 5 * MINUTE_MS],
    ['alarm_subjects', 'begun_at', 5 * MINUTE_MS],
    ['alarm_subjects', 'said_at', 5 * MINUTE_MS],
    ['alarm_subjects', 'named_at', 5 * MINUTE_MS],
    ['login_throttles', 'next_at', 16 * MINUTE_MS],
    ['epoch_witnesses', 'seen_at', 5 * MINUTE_MS],
    ...actKinds.map(({ table, receivedAt }) => [table, receivedAt, 5 * MINUTE_MS] as unknown as Limit),
  ]
}

/**
 * Moves instants beyond their furthest future to now: a delivery due in a year, a copy that nothing newer could replace.
 * Never earlier than now, so no write looks older than it is. Resolves to the rows of each column.
 */
export async function bringFutureBack(
  tx: Tx,
  { now, writeTimeoutMs }: { now: number; writeTimeoutMs: number },
): Promise<Record<string, number>> {
  const changed: Record<string, number> = {}
  for (const [table, column, limitMs] of limits(writeTimeoutMs)) {
    // settled rows are skipped: nothing reads their times, and there may be millions
    const isOpen = table === 'erp_outbox'
    let update = tx
      .updateTable(table as 'erp_outbox')
      .set({ [column]: now })
      .where(column as 'due_at', '>', now + limitMs)
    if (isOpen) update = update.where('state', 'in', ['new', 'sending', 'unknown'])
    const { numUpdatedRows } = await update.executeTakeFirst()
    if (numUpdatedRows > 0n) changed[`${table}.${column}`] = Number(numUpdatedRows)
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

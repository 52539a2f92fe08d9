import type { LiveChange } from '../../contract/live-changes.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import { insertRows } from './db/compiled.ts'
import type { Reader, Tx } from './db/db.ts'

/** Tells every server what this commit changes. One row, however much it is; the last thing that a transaction does. */
export async function noteChanges(tx: Tx, changes: readonly LiveChange[], at: number): Promise<void> {
  await insertRows(tx, 'live_changes', [{ changes_json: JSON.stringify(changes), at }])
}

/** `unit` is the tool whose counter moves; null when none does. */
export const changesOfRecording = (recording: {
  id: string
  part: RecordedPart
  barcode: string
  orderNumber: string
  unit: string | null
}): LiveChange[] => [
  recording.part === 'juncao'
    ? { topic: 'junctions', key: recording.orderNumber }
    : { topic: 'items', key: recording.barcode },
  { topic: 'pending-recordings', key: recording.id },
  ...(recording.unit === null ? [] : [{ topic: 'crimp-counters' as const, key: recording.unit }]),
]

/** A page shows those of a tool, or of what was measured: an item, or the order of a junction. Of the rows of one act. */
export const changesOfAct = (rows: readonly { unit: string; barcode: string; order_number: string }[]): LiveChange[] =>
  rows
    .slice(0, 1)
    .flatMap(({ unit, barcode, order_number }) => [unit, barcode || order_number])
    .filter((key) => key !== '')
    .map((key) => ({ topic: 'measurements', key }))

type NotedChanges = { id: number; changes: LiveChange[] }

/** From `id` on, in the order of their ids, which is not the order in which MariaDB commits them. */
export async function listChangesFrom(db: Reader, id: number): Promise<NotedChanges[]> {
  const rows = await db
    .selectFrom('live_changes')
    .select(['id', 'changes_json'])
    .where('id', '>=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, changes: JSON.parse(row.changes_json) as LiveChange[] }))
}

/** Changes noted at `since` or later, each once. */
export async function listChangesSince(db: Reader, since: number): Promise<LiveChange[]> {
  const rows = await db
    .selectFrom('live_changes')
    .select('changes_json')
    .where('at', '>=', since)
    .orderBy('id')
    .execute()
  const changes = rows.flatMap((row) => JSON.parse(row.changes_json) as LiveChange[])
  return [...new Map(changes.map((change) => [`${change.topic} ${change.key}`, change])).values()]
}

/** 0 when nothing has been noted yet. */
export async function findNewestChangeId(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('live_changes')
    .select((e) => e.fn.max<number | null>('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Never deletes the newest row: readers recognise the database by it. */
export async function deleteOldChanges(tx: Tx, notedBefore: number): Promise<void> {
  const newestId = await findNewestChangeId(tx)
  await tx.deleteFrom('live_changes').where('at', '<', notedBefore).where('id', '<', newestId).execute()
}

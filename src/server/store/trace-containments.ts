import type { TraceLine } from '../../contract/traces.ts'
import { containmentNumber, standingText } from '../../domain/containments/balances.ts'
import { withSteps } from './containment-steps.ts'
import type { Reader } from './db/db.ts'

/** By recording, the oldest first: in which containments it is, and how its pieces stand there. */
export async function listTraceContainments(
  db: Reader,
  recordingIds: readonly string[],
): Promise<Map<string, NonNullable<TraceLine['contencoes']>>> {
  if (recordingIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('containment_rows')
    .selectAll()
    .where('recording_id', 'in', recordingIds)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map(({ containment_id }) => containment_id))]
  const found = await db.selectFrom('containments').select(['id', 'number']).where('id', 'in', ids).execute()
  const numbers = new Map(found.map(({ id, number }) => [id, containmentNumber(number)]))
  const standing = (await withSteps(db, rows)).map(({ recording_id, containment_id, balance }) => ({
    recording: recording_id,
    text: { numero: numbers.get(containment_id) ?? '', situacao: standingText(balance) },
  }))
  return new Map(
    [...Map.groupBy(standing, ({ recording }) => recording)].map(([id, all]) => [id, all.map(({ text }) => text)]),
  )
}

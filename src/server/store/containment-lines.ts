import type { ContainmentLine } from '../../domain/containments/sheets.ts'
import { type BalancedRow, withSteps } from './containment-steps.ts'
import { listRows } from './containments.ts'
import type { Reader } from './db/db.ts'
import { lineColumns, toLines } from './traces.ts'

/** The rows of a containment that follow one, in their order, with their recordings as traces tell them. */
export async function listContainmentLines(
  db: Reader,
  containmentId: string,
  place: { after: number; max: number },
): Promise<(ContainmentLine & { id: number })[]> {
  const rows = await listRows(db, containmentId, place)
  if (rows.length === 0) return []
  const recordings = await db
    .selectFrom('recordings')
    .select(lineColumns)
    .where(
      'id',
      'in',
      rows.map(({ recording_id }) => recording_id),
    )
    .execute()
  const lines = new Map((await toLines(db, recordings)).map((line) => [line.id, line]))
  return (await withSteps(db, rows)).flatMap((row) => lineOf(row, lines.get(row.recording_id)))
}

const lineOf = ({ id, certainty, balance }: BalancedRow, line: ContainmentLine['line'] | undefined) =>
  line ? [{ id, line: { ...line, pecas: balance.pieces }, certainty, balance }] : []

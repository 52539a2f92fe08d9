import type { Tx } from '../store/db/db.ts'
import { insertFinding } from '../store/recording-findings.ts'
import type { Recording } from '../store/recordings.ts'

/** Work is done all the same, and nobody is asked anything: it is noted, of pieces that were made since then. */
export async function noteUnsafeTool(
  tx: Tx,
  { id, recordedAt, receivedAt: at }: Recording,
  unsafeSince: number | null,
): Promise<void> {
  if (unsafeSince === null || recordedAt < unsafeSince) return
  const finding = 'ferramenta-insegura'
  await insertFinding(tx, { recordingId: id, finding, mode: 'observar', reason: '', releaseId: null, at })
}

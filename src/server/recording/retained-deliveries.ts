import type { Capture } from '../../contract/recordings.ts'
import { RETAINED_MESSAGE } from '../../contract/retained-deliveries.ts'
import type { Retention } from '../http/caller.ts'
import { limits } from '../http/limits.ts'
import { Answer, Refused } from '../http/refused.ts'
import { againWhenStored } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { findRecording, type Recording } from '../store/recordings.ts'
import { countRetained, findRetained, insertRetained } from '../store/retained-deliveries.ts'
import type { Call } from './work.ts'

const RETRY_AFTER_S = 600

export type RetainedAnswer = { message: string; status: 'pendente'; retido: true; item: null }

/**
 * Stores what came as it is, once, and nothing else: no counter, no report and no ERP sees it until an admin decides. Null
 * where it has been recorded meanwhile.
 */
export async function retain(
  recording: Recording,
  { why, sessionId, device, deviceName }: Retention,
  { db, request, caller }: Call,
): Promise<Answer<RetainedAnswer> | null> {
  const { id, contentHash, part, recordedAt, receivedAt } = recording
  const isKnown = await againWhenStored(() =>
    db.transaction(async (tx) => {
      if (await findRecording(tx, id)) return true
      const earlier = await findRetained(tx, id)
      if (earlier && earlier.contentHash !== contentHash) throw new Refused('idempotency_key_reused')
      if (earlier) return false
      if ((await countRetained(tx, device)) >= limits.retainedOfDevice.max)
        throw new Refused('too_many_retained', { headers: { 'retry-after': String(RETRY_AFTER_S) } })
      const named = (recording.capture as Capture | null)?.dispositivo || deviceName
      const { userId, username, fullName } = caller
      const author = { userId, username, fullName, sessionId, device, deviceName: named }
      await insertRetained(tx, { id, part, body: request.body, contentHash, ...author, why, recordedAt, receivedAt })
      await noteChanges(tx, [{ topic: 'pending-recordings', key: id }], receivedAt)
      return false
    }),
  )
  if (isKnown) return null
  return new Answer(202, { message: RETAINED_MESSAGE, status: 'pendente', retido: true, item: null })
}

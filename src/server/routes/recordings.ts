import type { FastifyInstance } from 'fastify'
import { refusalText } from '../../contract/errors.ts'
import { type Capture, recordings } from '../../contract/recordings.ts'
import { naturalKey, type RecordingRefusal } from '../../domain/recordings.ts'
import type { Context } from '../context.ts'
import { readItems, requirePlant } from '../erp-reads.ts'
import { bind, type Call } from '../http.ts'
import { answerFor, reasonIn, requireCopy, reserve, toRecording } from '../recordings.ts'
import { Refused } from '../refused.ts'
import { againWhenStored, type Tx } from '../store/db.ts'
import { findItem, reserveBeyondBalance } from '../store/items.ts'
import { changesOfRecording, noteChanges } from '../store/live-changes.ts'
import { enqueueDelivery } from '../store/outbox.ts'
import {
  findRecording,
  getRecording,
  insertRecording,
  promiseRecording,
  type Recording,
  restoreRecording,
} from '../store/recordings.ts'

/** What the operator has been told before this call: nothing, that it is saved, or an earlier server's final answer. */
type Told = 'nothing' | 'saved' | 'answered'

const toldBy = (capture: Capture | undefined): Told => {
  if (capture?.respondidoAntes) return 'answered'
  return capture?.salvoNoDispositivo ? 'saved' : 'nothing'
}

export function recordingRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, recordings.createCutCrimp, async ({ body }, call) => {
    const told = toldBy(body.captura)
    if (call.caller.lostAccess !== null && told === 'nothing') throw new Refused('session_missing')
    const recording = toRecording(body, call)
    const isKnown = (await findRecording(call.db.read, recording.id)) !== null
    const objection = isKnown ? null : await prepare(recording, told, call)
    // of two calls with one id at the same instant one stores it, the other then finds it stored
    await againWhenStored(() => call.db.transaction((tx) => accept(tx, recording, { told, objection })))
    const { state } = await getRecording(call.db.read, recording.id)
    // the delivery goes on by itself when this stops waiting for it
    if (state === 'waiting') await call.outbox.deliver(recording.id, AbortSignal.timeout(call.answerWaitMs))
    return await answerFor(recording, call)
  })
}

/**
 * Gathers what the rules need. What was called saved is never sent back for a reason that lies in itself: that reason is
 * returned. Everything else is thrown, and the tablet keeps the recording.
 */
async function prepare(recording: Recording, told: Told, call: Call): Promise<string | null> {
  if (call.caller.lostAccess !== null) return call.caller.lostAccess
  try {
    requirePlant(recording.branch, call)
    if (told === 'answered') await refreshCopy(recording, call)
    else await requireCopy(recording, call)
    return null
  } catch (error) {
    const reason = told === 'nothing' ? null : reasonIn(error)
    if (reason === null) throw error
    return reason
  }
}

/** What the ERP may have already must be in the copy too, or it would count twice; an old copy is better than none. */
async function refreshCopy({ branch, barcode }: Recording, call: Call): Promise<void> {
  try {
    await readItems(branch, barcode, 'APONTAMENTO', call)
  } catch (error) {
    if (!(await findItem(call.db.read, branch, barcode))) throw error
  }
}

async function reserveAsAnswered(tx: Tx, recording: Recording): Promise<RecordingRefusal | null> {
  return (await reserveBeyondBalance(tx, recording)) ? null : { refused: 'item_not_found' }
}

/** One commit: the recording, the wear of the tool, the roll-up, the reserved pieces and the promise to tell the ERP. */
async function accept(
  tx: Tx,
  recording: Recording,
  { told, objection }: { told: Told; objection: string | null },
): Promise<void> {
  const { id, branch, barcode, part, payload, receivedAt } = recording
  const earlier = await findRecording(tx, id)
  if (earlier && earlier.contentHash !== recording.contentHash) throw new Refused('idempotency_key_reused')
  if (earlier) {
    if (told === 'nothing') return
    if (earlier.state === 'refused') await restoreRecording(tx, id, receivedAt)
    else await promiseRecording(tx, id)
    return
  }
  const refusal =
    objection !== null
      ? null
      : told === 'answered'
        ? await reserveAsAnswered(tx, recording)
        : await reserve(tx, recording)
  if (refusal && told === 'nothing') {
    // the same act, fired twice at the same instant, may itself have taken the last pieces
    if (await findRecording(tx, id)) return await accept(tx, recording, { told, objection })
    throw new Refused(refusal.refused, { values: refusal.values })
  }
  const promised = told !== 'nothing'
  const reason = refusal ? refusalText(refusal.refused, refusal.values) : objection
  await insertRecording(tx, recording, { state: reason === null ? 'waiting' : 'parked', promised, reason })
  if (reason === null) {
    await enqueueDelivery(tx, {
      id,
      branch,
      naturalKey: naturalKey(branch, barcode, part),
      payload,
      state: told === 'answered' ? 'unknown' : 'new',
      at: receivedAt,
    })
  }
  await noteChanges(tx, changesOfRecording({ id, barcode, unit: recording.applicator }), receivedAt)
}

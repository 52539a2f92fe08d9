import type { FastifyInstance } from 'fastify'
import { refusalText } from '../../contract/errors.ts'
import { type Capture, recordings } from '../../contract/recordings.ts'
import { naturalKey } from '../../domain/recordings.ts'
import type { Context } from '../context.ts'
import { ErpFailure } from '../erp/gateway.ts'
import { readItems, requirePlant } from '../erp-reads.ts'
import { bind, type Call } from '../http.ts'
import { answerFor, reasonIn, requireCopy, reserve, toRecording } from '../recordings.ts'
import { Refused } from '../refused.ts'
import { againWhenStored, type Tx } from '../store/db.ts'
import { findItem, reserveBeyondBalance } from '../store/items.ts'
import { changesOfRecording, noteChanges } from '../store/live-changes.ts'
import { enqueueDelivery } from '../store/outbox.ts'
import {
  type Beginning,
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
    // nobody stands before a delivery from a tablet's queue, and the next one waits for its answer
    if (told !== 'nothing') call.outbox.lookSoon()
    // the delivery goes on by itself when this stops waiting for it
    else if (state === 'waiting') await call.outbox.deliver(recording.id, AbortSignal.timeout(call.answerWaitMs))
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
    if (told === 'nothing') throw error
    const reason = reasonIn(error)
    if (reason !== null) return reason
    // under its own status the tablet would take it for the last word
    if (error instanceof ErpFailure && error.kind === 'refused') throw new Refused('erp_unavailable')
    throw error
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

const MAY_BE_THERE = 'O ERP pode já ter este apontamento.'

/** How a recording that this server meets for the first time begins. */
async function begin(tx: Tx, recording: Recording, told: Told, objection: string | null): Promise<Beginning | Refused> {
  if (told === 'answered') {
    // without a copy of its item no pieces are on their way, so that nobody may find some there later
    const isReserved = await reserveBeyondBalance(tx, recording)
    const reason = objection ?? (isReserved ? null : refusalText('item_not_found'))
    if (reason === null) return { state: 'waiting', promised: true, reason }
    return { state: isReserved ? 'uncertain' : 'parked', promised: true, reason: `${MAY_BE_THERE} ${reason}` }
  }
  if (objection !== null) return { state: 'parked', promised: true, reason: objection }
  const refusal = await reserve(tx, recording)
  if (refusal === null) return { state: 'waiting', promised: told === 'saved', reason: null }
  const { refused, values } = refusal
  return told === 'saved'
    ? { state: 'parked', promised: true, reason: refusalText(refused, values) }
    : new Refused(refused, { values })
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
  const beginning = await begin(tx, recording, told, objection)
  if (beginning instanceof Refused) {
    // the same act, fired twice at the same instant, may itself have taken the last pieces
    if (await findRecording(tx, id)) return await accept(tx, recording, { told, objection })
    throw beginning
  }
  await insertRecording(tx, recording, beginning)
  if (beginning.state === 'waiting') {
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

import { refusalText } from '../../contract/errors.ts'
import { type Capture, DISCARDED_MESSAGE } from '../../contract/recordings.ts'
import { RETAINED_MESSAGE } from '../../contract/retained-deliveries.ts'
import { withoutBadges } from '../../domain/text/badge-texts.ts'
import { ErpFailure } from '../erp/gateway.ts'
import type { DeliveryReceipt, Retention } from '../http/caller.ts'
import { limits } from '../http/limits.ts'
import { Answer, Refused } from '../http/refused.ts'
import { againWhenStored, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { enqueueDelivery } from '../store/outbox.ts'
import {
  type Beginning,
  findRecording,
  getRecording,
  type Payload,
  promiseRecording,
  type Recording,
  restoreRecording,
  type StoredRecording,
} from '../store/recordings.ts'
import {
  closeRetained,
  countRetained,
  findRetained,
  insertRetained,
  type Retained,
} from '../store/retained-deliveries.ts'
import { findSetting } from '../store/settings.ts'
import { acceptAct, type Step, type Storing } from './accept-act.ts'
import { requirePlant } from './erp-copies.ts'
import { insertWork } from './inserting.ts'
import { entryRefusal } from './lots.ts'
import { type Replaced, replaceRefused } from './replacing.ts'
import {
  type Call,
  COPY_AGE_MS_MAX,
  type DoneBefore,
  type Judging,
  type Recorded,
  reasonIn,
  requireCopy,
  standingOf,
  type Work,
} from './work.ts'

const RETRY_AFTER_S = 600

type RetainedAnswer = { message: string; status: 'pendente'; retido: true; item: null }

/**
 * Stores what came as it is, once, and nothing else: no counter, no report and no ERP sees it until an admin decides. Null
 * where it has been recorded meanwhile.
 */
async function retain(
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
      const isFull =
        (await countRetained(tx, { device })) >= limits.retainedOfDevice.max ||
        (await countRetained(tx, { username: caller.username })) >= limits.retainedOfPerson.max
      if (isFull) throw new Refused('too_many_retained', { headers: { 'retry-after': String(RETRY_AFTER_S) } })
      const named = (recording.capture as Capture | null)?.dispositivo || deviceName
      const { userId, username, fullName } = caller
      const author = { userId, username, fullName, sessionId, device, deviceName: named }
      await insertRetained(tx, {
        id,
        part,
        body: withoutBadges(request.body),
        contentHash,
        ...author,
        why,
        recordedAt,
        receivedAt,
      })
      await noteChanges(tx, [{ topic: 'pending-recordings', key: id }], receivedAt)
      return false
    }),
  )
  if (isKnown) return null
  return new Answer(202, { message: RETAINED_MESSAGE, status: 'pendente', retido: true, item: null })
}

/**
 * The promise that the operator was given before this call: none, 'salvo', the same after an attempt that another
 * database may have sent to the ERP, or an earlier server's final answer.
 */
type Claim = 'nothing' | 'saved' | 'tried' | 'answered'

/** A claim makes the server more careful, never less: an earlier answer is believed by its receipt alone. */
async function claimOf({ capture }: Recording, receipt: DeliveryReceipt | null, { db, caller }: Call): Promise<Claim> {
  if (receipt !== null && receipt.epoch !== (await findSetting(db.read, 'epoch'))) return 'answered'
  if (capture?.respondidoAntes || caller.receipt !== null || caller.isForgotten) return 'tried'
  // sent in this epoch, it would be known
  if (capture?.tentadoAntes && capture.tentadoAntes.epoca !== (await findSetting(db.read, 'epoch'))) return 'tried'
  return capture?.salvoNoDispositivo ? 'saved' : 'nothing'
}

/** A write in the commit that stores a recording. */
type Alongside = (tx: Tx) => Promise<unknown>

/** Takes one recording of any kind of work. What was retained under the same id is retained no more. */
export const acceptRecording = <P extends Payload, Subject>(
  work: Work<P, Subject>,
  recording: Recording<P>,
  call: Call,
  alongside: Alongside = (tx) => closeRetained(tx, recording.id, { state: 'arrived', at: recording.receivedAt }),
): Promise<Answer<Recorded<Subject> | RetainedAnswer>> => {
  const answerBy = call.answerWait()
  return acceptAct(recording, call, (receipt) => open(work, recording, receipt, { call, alongside, answerBy }), {
    judgesPlant: true,
  })
}

/** How a recording is stored, or its answer where it is not. */
async function open<P extends Payload, Subject>(
  work: Work<P, Subject>,
  posted: Recording<P>,
  receipt: DeliveryReceipt | null,
  { call, alongside, answerBy }: { call: Call; alongside: Alongside } & Pick<Judging, 'answerBy'>,
): Promise<
  Storing<StoredRecording, DoneBefore | null, Recorded<Subject>> | Answer<Recorded<Subject> | RetainedAnswer>
> {
  const { db, outbox, caller } = call
  const known = await work.asWritten(db.read, posted)
  const claimed = await claimOf(known, receipt, call)
  const isKnown = (await findRecording(db.read, known.id)) !== null
  const retained = isKnown ? null : await findRetained(db.read, known.id)
  if (retained?.state === 'discarded') return await answerDiscarded(work, known, call, retained)
  const retainedAnswer = caller.retention !== null && !isKnown ? await retain(known, caller.retention, call) : null
  if (retainedAnswer) return retainedAnswer
  const { objection, isCopySame } = isKnown ? asKnown : await prepare(work, known, claimed, { ...call, answerBy })
  // without one before, or with another since, its copy has come only now
  const recording = isCopySame && known !== posted ? known : await work.asWritten(db.read, known)
  // quantity rules do not apply to what the ERP has
  const claim = !isKnown && claimed === 'tried' && (await isAtErp(recording, call)) ? 'answered' : claimed
  return {
    find: (tx) => findRecording(tx, recording.id),
    async again(tx, { state }) {
      await alongside(tx)
      if (claim !== 'nothing') await promiseAgain(tx, recording, state)
      return { stored: null, changes: [] }
    },
    insert: (tx, lookAgain) => store(work, tx, recording, { claim, objection, alongside, call, lookAgain }),
    async answer(before) {
      if (before) {
        const item = await work.find(db.read, recording)
        return { code: 200, body: { message: before.done, status: before.status, item }, isReceipted: false }
      }
      const { state } = await getRecording(db.read, recording.id)
      // nobody stands before a delivery from a tablet's queue, and the next one waits for its answer
      if (claim !== 'nothing') outbox.lookSoon()
      // the delivery goes on by itself when this stops waiting for it
      else if (state === 'waiting') await outbox.deliver(recording.id, answerBy)
      return await standingOf(work, recording, call)
    },
  }
}

/** A recording that was called saved is not undone by a refusal. */
const promiseAgain = (tx: Tx, { id, receivedAt }: Recording, state: StoredRecording['state']) =>
  state === 'refused' ? restoreRecording(tx, id, receivedAt) : promiseRecording(tx, id)

async function answerDiscarded<P extends Payload, Subject>(
  work: Work<P, Subject>,
  recording: Recording<P>,
  { db }: Pick<Call, 'db'>,
  { contentHash }: Retained,
): Promise<Answer<Recorded<Subject>>> {
  if (contentHash !== recording.contentHash) throw new Refused('idempotency_key_reused')
  const item = await work.find(db.read, recording)
  return new Answer(202, { message: DISCARDED_MESSAGE, status: 'pendente', item })
}

/** `objection`: a reason that lies in the recording itself, stored with it. `isCopySame`: what it was judged by was read here before. */
type Prepared = { objection: string | null; isCopySame: boolean }

const asKnown: Prepared = { objection: null, isCopySame: true }

/**
 * Reads what the rules need. If the recording was called saved, an objection to it is returned. Any other failure is thrown, and
 * the tablet keeps the recording.
 */
async function prepare<P extends Payload, Subject>(
  work: Work<P, Subject>,
  recording: Recording<P>,
  claim: Claim,
  call: Call & Pick<Judging, 'answerBy'>,
): Promise<Prepared> {
  try {
    requirePlant(recording.branch, call)
    // what the ERP may have already must be in the copy too, or it would count twice
    if (claim === 'answered' || claim === 'tried') {
      await work.readCopy(recording, call).catch(async (error: unknown) => {
        // an old one is better than none
        if (!(await work.find(call.db.read, recording))) throw error
      })
      return { objection: null, isCopySame: false }
    }
    const copyAgeMsMax = claim === 'nothing' ? COPY_AGE_MS_MAX : Infinity
    return { objection: null, isCopySame: await requireCopy(work, recording, { ...call, copyAgeMsMax }) }
  } catch (error) {
    if (claim === 'nothing') throw error
    const objection = reasonIn(error)
    if (objection !== null) return { objection, isCopySame: false }
    // under its own status the tablet would take it for the last word
    if (error instanceof ErpFailure && error.kind === 'refused') throw new Refused('erp_unavailable')
    throw error
  }
}

/** False also where the ERP does not say: what is stored is asked about until it does. */
async function isAtErp({ id: integrationId, branch }: Recording, { erp, log }: Call): Promise<boolean> {
  try {
    const found = await erp.findByIntegrationId({ branch, integrationId })
    return found !== null && found !== 'unsupported' && found.status === 'done'
  } catch (error) {
    log.warn(
      { err: error, repeats: integrationId, recording: integrationId },
      'the ERP could not be asked about what was sent before',
    )
    return false
  }
}

const MAY_BE_THERE = 'O ERP pode já ter este apontamento.'

type How = { claim: Claim; objection: string | null; call: Pick<Call, 'config'> }
type Begun<P extends Payload> = { as: Beginning; recording: Recording<P> } | DoneBefore | Refused

/** How a recording that this server meets for the first time begins. */
async function begin<P extends Payload, Subject>(
  work: Work<P, Subject>,
  tx: Tx,
  recording: Recording<P>,
  { claim, objection, replaced, call }: How & { replaced: Replaced | null },
): Promise<Begun<P>> {
  // more than ordered is a typing error: not counted until an admin takes it
  const counted =
    claim === 'nothing' || recording.pieces <= ((await work.production?.orderedPieces(tx, recording)) ?? Infinity)
  if (claim === 'answered' && counted) {
    // without a copy nothing is reserved: parked, so that settling it later subtracts nothing
    const reserved = await work.reserveBeyondBalance(tx, recording)
    if ('done' in reserved) return reserved
    if ('refused' in reserved) {
      const reason = `${MAY_BE_THERE} ${objection ?? refusalText(reserved.refused, reserved.values)}`
      return { as: { state: 'parked', promised: true, reason }, recording }
    }
    const state = objection === null ? 'waiting' : 'uncertain'
    const reason = objection && `${MAY_BE_THERE} ${objection}`
    return { as: { state, promised: true, reason }, recording: reserved }
  }
  const doubt = claim === 'tried' || claim === 'answered' ? `${MAY_BE_THERE} ` : ''
  const parked = (reason: string) => ({
    as: { state: 'parked' as const, promised: true, reason: `${doubt}${reason}`, counted },
    recording,
  })
  if (objection !== null) return parked(objection)
  const reserved = (await entryRefusal(tx, recording, call)) ?? (await work.reserve(tx, recording))
  if ('done' in reserved) return reserved
  if ('refused' in reserved) {
    const { refused, values } = reserved
    return claim === 'nothing' ? new Refused(refused, { values }) : parked(refusalText(refused, values))
  }
  // what it replaces had been seen as saved
  const promised = claim !== 'nothing' || replaced !== null
  return { as: { state: 'waiting', promised, reason: null }, recording: reserved }
}

/** Registered in place of a recording that is settled by now: refused in front of its operator, else counted once a person says so. */
function unplaced<P extends Payload>(why: Refused, recording: Recording<P>, { claim }: Pick<How, 'claim'>): Begun<P> {
  if (claim === 'nothing') return why
  const reason = `${claim === 'tried' ? `${MAY_BE_THERE} ` : ''}${refusalText(why.code)}`
  return { as: { state: 'parked', promised: true, reason, counted: false }, recording }
}

/**
 * One commit: the recording, what was measured of it, the wear of the tool, the roll-up, the reserved pieces and the promise
 * to tell the ERP. Stores null, or what is said when there is nothing to record.
 */
async function store<P extends Payload, Subject>(
  work: Work<P, Subject>,
  tx: Tx,
  posted: Recording<P>,
  how: { claim: Claim; objection: string | null; alongside: Alongside; call: Call } & {
    lookAgain: () => Promise<Step<DoneBefore | null> | null>
  },
): Promise<Step<DoneBefore | null>> {
  const place = await replaceRefused(tx, posted, how.call.caller)
  const { recording, replaced } = place instanceof Refused ? { recording: posted, replaced: null } : place
  const begun =
    // the ERP has it, whatever became of what it replaced
    place instanceof Refused && how.claim !== 'answered'
      ? unplaced(place, posted, how)
      : await begin(work, tx, recording, { ...how, replaced })
  if (begun instanceof Refused || 'done' in begun) {
    // the same act, fired twice at the same instant, may itself have taken the last pieces
    const meanwhile = await how.lookAgain()
    if (meanwhile) return meanwhile
    if (begun instanceof Refused) throw begun
    await how.alongside(tx)
    return { stored: begun, changes: [] }
  }
  // the ERP or a receipt says that it was taken before; MariaDB may repeat this, which costs its author another one
  if (begun.as.state === 'parked' && how.claim !== 'answered')
    how.call.budgets.take('parkedOfPerson', how.call.caller.username)
  await how.alongside(tx)
  const mayBeThere = how.claim === 'answered' || how.claim === 'tried'
  const changes = await insertWork(work, tx, begun.recording, {
    ...{ as: begun.as, replaced, samples: recording.capture?.medicoes ?? [] },
    ...{ way: how.claim === 'nothing' ? 'online' : 'promised', call: how.call },
  })
  if (begun.as.state === 'waiting') {
    await enqueueDelivery(tx, begun.recording, mayBeThere ? 'unknown' : 'new')
  } else {
    // not sent by itself; an admin may want that, and what an earlier life may have sent is asked about first
    await enqueueDelivery(tx, begun.recording, 'refused', mayBeThere)
  }
  return { stored: null, changes }
}

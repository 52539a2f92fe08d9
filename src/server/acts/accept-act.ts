import type { LiveChange } from '../../contract/live-changes.ts'
import { UNCONFIRMED_MESSAGE } from '../../contract/retained-deliveries.ts'
import type { DeliveryReceipt } from '../http/caller.ts'
import { readOwnReceipt } from '../http/delivery-receipts.ts'
import { Answer, Refused } from '../http/refused.ts'
import { againWhenStored, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import type { Recording } from '../store/recordings.ts'
import { requirePlant } from './erp-copies.ts'
import { type Answered, answerOf, type Call, type Said } from './work.ts'

/** The fields that an act of any kind has. */
type Act = Pick<Recording, 'id' | 'contentHash' | 'branch' | 'userId' | 'receivedAt'>

/** The outcome of one transaction, and the live changes that it commits with. */
export type Step<Stored> = { stored: Stored; changes: LiveChange[] }

/** How one act of a kind is stored. */
export type Storing<Found extends { contentHash: string }, Stored, Body extends Answered> = {
  find(tx: Tx): Promise<Found | null>
  /** The same content was stored before. Under a trusted session a doubt about its author ends here. */
  again(tx: Tx, found: Found, isTrusted: boolean): Promise<Step<Stored>>
  /** `lookAgain`: the same act, fired twice at the same instant, may be stored by the time that a guarded statement has run. */
  insert(tx: Tx, lookAgain: () => Promise<Step<Stored> | null>): Promise<Step<Stored>>
  /** Tells stored acts that do not count yet, because the session they came under is not trusted. */
  isDoubted?(stored: Stored): boolean
  answer(stored: Stored): Promise<Said<Body>>
}

/**
 * Takes one act of any kind: stores it once, however often it comes, and answers what became of it. `prepare` reads what
 * storing needs, or ends it with an answer of its own. `judgesPlant`: it parks what names an unknown plant.
 */
export async function acceptAct<Found extends { contentHash: string }, Stored, Body extends Answered, Early = never>(
  act: Act,
  call: Pick<Call, 'db' | 'caller' | 'request' | 'keys' | 'config'>,
  prepare: (receipt: DeliveryReceipt | null) => Promise<Storing<Found, Stored, Body> | Answer<Early>>,
  { judgesPlant = false } = {},
): Promise<Answer<Body | Early>> {
  const receipt = readOwnReceipt(act, call)
  if (!judgesPlant) requirePlant(act.branch, call)
  const storing = await prepare(receipt)
  if (storing instanceof Answer) return storing
  const look = async (tx: Tx): Promise<Step<Stored> | null> => {
    const found = await storing.find(tx)
    if (found && found.contentHash !== act.contentHash) throw new Refused('idempotency_key_reused')
    return found && (await storing.again(tx, found, call.caller.retention === null))
  }
  // of two calls with one id at the same instant one stores it, the other then finds it stored
  const stored = await againWhenStored(() =>
    call.db.transaction(async (tx) => {
      const step = (await look(tx)) ?? (await storing.insert(tx, () => look(tx)))
      if (step.changes.length > 0) await noteChanges(tx, step.changes, act.receivedAt)
      return step.stored
    }),
  )
  const said = await storing.answer(stored)
  const doubted = storing.isDoubted?.(stored) ? { message: UNCONFIRMED_MESSAGE, retido: true as const } : {}
  return await answerOf(act, { ...said, body: { ...said.body, ...doubted } }, call)
}

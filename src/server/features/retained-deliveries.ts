import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { JunctionRecording } from '../../contract/junctions.ts'
import { Receipt } from '../../contract/receipts.ts'
import { CutCrimpRecording } from '../../contract/recordings.ts'
import { RETAINED_COUNT_MAX, type RetainedDelivery, retainedDeliveries } from '../../contract/retained-deliveries.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { withoutBadges } from '../../domain/text/badge-texts.ts'
import { acceptRecording } from '../acts/acceptance.ts'
import { cutCrimp, toCutCrimp } from '../acts/cut-crimp.ts'
import { joining, toJunction } from '../acts/junctions.ts'
import { receipt, toReceipt } from '../acts/receipts.ts'
import type { Work } from '../acts/work.ts'
import { bind } from '../http/bind.ts'
import { TRUSTED } from '../http/caller.ts'
import { NO_BUDGETS } from '../http/limits.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import type { Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import type { Payload, Recording } from '../store/recordings.ts'
import {
  closeRetained,
  countRetained,
  findRetained,
  listRetained,
  type Retained,
} from '../store/retained-deliveries.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'

/** An answer that takes longer than this leaves the rest for another try. */
const DECIDE_MS_MAX = 20_000

export function retainedDeliveryRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, retainedDeliveries.list, async (_, { db }) => {
    const rows = await listRetained(db.read, RETAINED_COUNT_MAX)
    return { retidos: rows.map(toReply), total: await countRetained(db.read) }
  })

  bind(app, context, retainedDeliveries.decide, async ({ body: { ids, decisao, motivo } }, call) => {
    const isTaken = decisao === 'aceitar'
    const unique = [...new Set(ids.map((id) => id.toLowerCase()))]
    const decididos = await decideEach(
      unique,
      (id) => (isTaken ? take(id, motivo, call) : discard(id, motivo, call)),
      call,
    )
    return { message: decidedText(decididos, isTaken), decididos, mantidos: unique.length - decididos }
  })
}

const decidedText = (count: number, isTaken: boolean): string => {
  const done = isTaken ? 'aceito' : 'descartado'
  return count === 1 ? `1 apontamento ${done}.` : `${count} apontamentos ${done}s.`
}

/** Decides them in the order of their acts. An obstacle such as an absent ERP is thrown only when none was decided. */
async function decideEach(ids: readonly string[], decide: (id: string) => Promise<boolean>, { elapsedMs, log }: Call) {
  const begunMs = elapsedMs()
  let decided = 0
  for (const id of ids) {
    if (elapsedMs() - begunMs > DECIDE_MS_MAX) break
    try {
      if (await decide(id)) decided++
    } catch (error) {
      if (decided === 0) throw error
      log.warn({ err: error, repeats: id, recording: id }, 'what was retained could not be decided about')
      break
    }
  }
  return decided
}

/** A hash, because the id of the device must not leave the server. */
const groupOf = ({ username, device }: Retained): string =>
  createHash('sha256').update(`${username}|${device}`).digest('hex').slice(0, 16)

function toReply(retained: Retained): RetainedDelivery {
  const { id, fullName, username, deviceName, why, recordedAt, receivedAt, part, body } = retained
  const common = {
    id,
    autor: fullName || username,
    dispositivo: deviceName,
    grupo: groupOf(retained),
    motivo: why,
    registradoEm: toInstant(recordedAt),
    desde: toInstant(receivedAt),
  }
  if (part === 'juncao') return { ...common, tipo: 'juncao', apontamento: body as JunctionRecording }
  if (part === 'recebimento') return { ...common, tipo: 'recebimento', apontamento: body as Receipt }
  return { ...common, tipo: 'corte-crimpagem', apontamento: body as CutCrimpRecording }
}

type Decision = { action: 'retained_taken' | 'retained_discarded'; state: 'taken' | 'discarded'; reason: string }

/** Another admin decided first: there is nothing left to decide. */
class DecidedMeanwhile extends Error {}

async function decideIn(tx: Tx, retained: Retained, { action, state, reason }: Decision, call: Call): Promise<void> {
  const { id, username, deviceName, why } = retained
  const at = call.now()
  if (!(await closeRetained(tx, id, { state, at }))) throw new DecidedMeanwhile()
  const details = { author: username, device: deviceName, because: why }
  await recordAuditEvent(tx, { caller: call.caller, now: () => at }, { action, kind: 'recording', id, reason, details })
  await noteChanges(tx, [{ topic: 'pending-recordings', key: id }], at)
}

/** False where there is nothing to decide. */
async function decideOpen(
  id: string,
  { db }: Call,
  decide: (retained: Retained) => Promise<boolean>,
): Promise<boolean> {
  const retained = await findRetained(db.read, id)
  if (retained?.state !== 'open') return false
  try {
    return await decide(retained)
  } catch (error) {
    if (error instanceof DecidedMeanwhile) return false
    throw error
  }
}

const discard = (id: string, reason: string, call: Call) =>
  decideOpen(id, call, (retained) =>
    call.db.transaction((tx) =>
      decideIn(tx, retained, { action: 'retained_discarded', state: 'discarded', reason }, call).then(() => true),
    ),
  )

/** In its author's name, as what a tablet had called saved; by the day on which it came. */
const take = (id: string, reason: string, call: Call) =>
  decideOpen(id, call, async (retained) => {
    const { userId, username, fullName, part, body, contentHash } = retained
    const author = {
      userId,
      username,
      fullName,
      role: 'operador',
      sessionId: null,
      expiresAt: call.now(),
      ...TRUSTED,
    } as const
    const acting = { ...call, caller: author, idempotencyKey: id, contentHash, now: () => retained.receivedAt }
    const decision = { action: 'retained_taken', state: 'taken', reason } as const
    const acceptAs = async <P extends Payload, Subject>(work: Work<P, Subject>, recording: Recording<P>) => {
      const capture = { ...recording.capture, salvoNoDispositivo: true }
      // what somebody discarded meanwhile is answered, and not taken
      let isTaken = false
      const decided = { ...call, caller: author, budgets: NO_BUDGETS }
      await acceptRecording(work, { ...recording, capture, receivedAt: call.now() }, decided, async (tx) => {
        await decideIn(tx, retained, decision, call)
        isTaken = true
      })
      return isTaken
    }
    if (part === 'juncao') return await acceptAs(joining, toJunction(readAgain(JunctionRecording, body), acting))
    if (part === 'recebimento') return await acceptAs(receipt, toReceipt(readAgain(Receipt, body), acting))
    return await acceptAs(cutCrimp, toCutCrimp(readAgain(CutCrimpRecording, body), acting))
  })

type Readable<Body> = { safeParse(body: unknown): { success: true; data: Body } | { success: false } }

/** Reads a stored body, which was good when it came; a later version may be stricter. */
function readAgain<Body>(schema: Readable<Body>, body: unknown): Body {
  const read = schema.safeParse(body)
  if (!read.success) throw new Refused('input_invalid')
  return withoutBadges(read.data)
}

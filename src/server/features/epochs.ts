import type { FastifyInstance } from 'fastify'
import { type EpochDecision, type EpochState, epochs } from '../../contract/epochs.ts'
import { epochCauseTexts, isMark, UNDECIDED_MS } from '../../domain/plant/epochs.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { bind } from '../http/bind.ts'
import { Refused } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import {
  dismissWitnesses,
  findDoubtedAt,
  findReached,
  listUndecided,
  type SeenWitness,
} from '../store/epoch-witnesses.ts'
import { beginYoungerEpoch, findEpochBegin } from '../store/epochs.ts'
import { findSetting } from '../store/settings.ts'
import { findUserById } from '../store/users.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'

export function epochRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, epochs.get, (_, call) => readState(call))

  bind(app, context, epochs.decide, async ({ body: { decisao, motivo } }, call) => {
    await decide(decisao, motivo.trim(), call)
    return await readState(call)
  })
}

async function readState({ db: { read } }: Call): Promise<EpochState> {
  const begun = await findEpochBegin(read)
  const witnesses = await listUndecided(read)
  const reached = await findReached(read)
  const missing = await Promise.all(
    witnesses.map(async (witness) => ({
      kind: witness.kind,
      count: isMark(witness) ? Math.max(0, Number(witness.subject) - reached[witness.kind]) : null,
      actId: isMark(witness) ? null : witness.subject,
      fullName: (await findUserById(read, witness.userId))?.fullName ?? '',
      seenAt: toInstant(witness.seenAt),
    })),
  )
  return {
    begun: begun && { at: toInstant(begun.at), why: epochCauseTexts[begun.why] },
    doubt: doubtOf(witnesses, missing),
  }
}

type Doubt = NonNullable<EpochState['doubt']>

function doubtOf([first]: readonly SeenWitness[], missing: Doubt['missing']): Doubt | null {
  if (!first) return null
  return { since: toInstant(first.seenAt), decideFrom: toInstant(first.seenAt + UNDECIDED_MS), missing }
}

/** Until then a second device may say the same, and a person need not know. */
async function decide(decision: EpochDecision, reason: string, call: Call): Promise<void> {
  const { db, now, caller, log } = call
  const at = now()
  const epoch = (await findSetting(db.read, 'epoch')) ?? ''
  const isDone = await db.transaction(async (tx) => {
    const doubtedAt = await findDoubtedAt(tx)
    if (doubtedAt === null || at < doubtedAt + UNDECIDED_MS) return false
    if (decision === 'comecar') {
      const by = { userId: caller.userId, userName: caller.username, reason }
      return await beginYoungerEpoch(tx, epoch, { at, why: 'admin', by })
    }
    if (!(await dismissWitnesses(tx, epoch))) return false
    await recordAuditEvent(tx, call, { action: 'epoch_doubt_dismissed', kind: 'settings', id: 'epoch', reason })
    return true
  })
  if (!isDone) throw new Refused('epoch_not_decidable')
  if (decision === 'comecar') log.warn({ epoch }, 'an administrator has begun a new epoch')
}

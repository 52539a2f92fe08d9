import type { FastifyReply } from 'fastify'
import { Refused } from './refused.ts'
import type { Caller } from './session.ts'
import { insertAuditEntry } from './store/audit-entries.ts'
import { isUniqueViolation, type Tx } from './store/db.ts'
import type { PairAction, PairKind } from './store/tables.ts'

/** A row that people manage, with its version as the `ETag` that the next change may carry. Throws when it is gone. */
export function withVersion<Row extends { version: number }>(row: Row | null, reply: FastifyReply): Row {
  if (!row) throw new Refused('not_found')
  reply.header('etag', `"${row.version}"`)
  return row
}

/** Why a change met no row of the version that it was meant for; `row` is what is there instead. */
export function refuseOutdated(row: object | null): never {
  throw new Refused(row ? 'changed_meanwhile' : 'not_found')
}

/** Writes down who registered, changed or deleted a pair: everybody may. */
export async function noteDeed(
  tx: Tx,
  { caller, now }: { caller: Caller; now: () => number },
  deed: { action: PairAction; kind: PairKind; id: number; was?: object | null; is?: object },
): Promise<void> {
  const { action, kind, id, ...details } = deed
  const { userId, username: userName } = caller
  const subject = { kind, id: String(id) }
  await insertAuditEntry(tx, { at: now(), userId, userName, action, subject, reason: null, details })
}

/** Runs what stores a pair, and says so when there is one like it. */
export async function refusingTwins<T>(store: () => Promise<T>): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refused('pair_exists')
    throw error
  }
}

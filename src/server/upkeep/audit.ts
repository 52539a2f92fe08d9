import type { FastifyReply } from 'fastify'
import type { AuditAction, AuditSubject, PageExport } from '../../contract/audit-entries.ts'
import type { RefusalCode } from '../../contract/errors.ts'
import { pageExportTexts } from '../../domain/people/audit-entries.ts'
import type { Asking, Caller } from '../http/caller.ts'
import { Refused } from '../http/refused.ts'
import { insertAuditEntry } from '../store/audit-entries.ts'
import { type Db, isUniqueViolation, type Tx } from '../store/db/db.ts'

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

/** Stores what may be there once; refuses it where somebody else has stored the same. */
export async function refusingTwins<T>(
  code: RefusalCode,
  store: () => Promise<T>,
  values?: Record<string, string>,
): Promise<T> {
  try {
    return await store()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refused(code, { values })
    throw error
  }
}

/** The actor of an audit event; the command line has no session. */
export type Actor = { caller: Pick<Caller, 'userId' | 'username'>; now: () => number }

/** Author and instant of a change, as its row keeps them. */
export const signed = ({ caller, now }: Pick<Asking, 'caller'> & Pick<Actor, 'now'>) => ({
  by: caller.fullName || caller.username,
  userId: caller.userId,
  at: now(),
})

/** An audited action and its subject. `name`: its name for people, where `id` is not. */
export type AuditEvent = {
  action: AuditAction
  kind: AuditSubject
  id: number | string
  reason?: string | null
  name?: string
  was?: object | null
  is?: object
  /** Whatever else there is to say. */
  details?: object
}

const SUBJECT_ID_LENGTH_MAX = 64

/** Records an audit event in the transaction of the change. */
export async function recordAuditEvent(tx: Tx, { caller, now }: Actor, event: AuditEvent): Promise<void> {
  const { action, kind, id, reason = null, details, ...change } = event
  const { userId, username: userName } = caller
  const subject = { kind, id: String(id).slice(0, SUBJECT_ID_LENGTH_MAX).toWellFormed() }
  await insertAuditEntry(tx, {
    at: now(),
    userId,
    userName,
    action,
    subject,
    reason,
    details: { ...change, ...details },
  })
}

/** Records an export, whether it completes or not, and names its file to the browser. */
export async function beginExport({ db, reply, ...actor }: Actor & { db: Db; reply: FastifyReply }, name: string) {
  await db.transaction((tx) => recordAuditEvent(tx, actor, { action: 'exported', kind: 'file', id: '', name }))
  reply.header('content-disposition', `attachment; filename="${name}"`)
}

/** The page reports it: see the contract. */
export const notePageExport = ({ db, ...actor }: Actor & { db: Db }, kind: PageExport, count: number): Promise<void> =>
  db.transaction((tx) =>
    recordAuditEvent(tx, actor, {
      action: 'page_exported',
      kind: 'file',
      id: kind,
      name: pageExportTexts[kind],
      // as many files of one kind within a minute
      details: count > 1 ? { exports: count } : {},
    }),
  )

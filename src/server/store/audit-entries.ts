import type { Selectable } from 'kysely'
import type { AuditAction, AuditEntry, AuditSubject } from '../../contract/audit-entries.ts'
import { toInstant } from '../../domain/plant/plant-time.ts'
import { countsRows, findsAny, type Reader, type Tx } from './db/db.ts'
import type { Tables } from './db/tables.ts'
import { foldNoise } from './noise.ts'
import { pagesOf } from './slices.ts'

export type NewAuditEntry = {
  /** Epoch milliseconds. */
  at: number
  /** 0: no user of this plant. */
  userId: number
  userName: string
  action: AuditAction
  subject: { kind: AuditSubject; id: string }
  reason: string | null
  details: object
}

const columnsOf = (entry: NewAuditEntry) => ({
  at: entry.at,
  user_id: entry.userId,
  user_name: entry.userName,
  action: entry.action,
  subject_kind: entry.subject.kind,
  subject_id: entry.subject.id,
  reason: entry.reason,
  details_json: JSON.stringify(entry.details),
})

/** Audit events, written in the transaction of the change. Later only names that are too old change. */
export async function insertAuditEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await tx.insertInto('audit_entries').values(columnsOf(entry)).execute()
}

export async function insertAccess(tx: Tx, access: NewAuditEntry): Promise<void> {
  await tx.insertInto('accesses').values(columnsOf(access)).execute()
}

/** Whether the same was written since then. */
export async function isAccessNoted(db: Reader, access: NewAuditEntry, from: number): Promise<boolean> {
  const { user_id, action, subject_id, details_json } = columnsOf(access)
  return await db
    .selectFrom('accesses')
    .select('id')
    .where('at', '>=', from)
    .where((e) => e.and({ user_id, action, subject_id, details_json }))
    .limit(1)
    .$call(findsAny)
}

/** Whether this decision was written already by a commit whose answer was lost. */
export const isDecided = (
  tx: Tx,
  { at, userId, action, recordingId }: { at: number; userId: number; action: AuditAction; recordingId: string },
): Promise<boolean> =>
  tx
    .selectFrom('audit_entries')
    .select('id')
    .where((e) => e.and({ subject_kind: 'recording', subject_id: recordingId, action, user_id: userId, at }))
    .$call(findsAny)

export const countDeeds = (
  db: Reader,
  { userId, action, from }: { userId: number; action: AuditAction; from: number },
): Promise<number> =>
  db
    .selectFrom('audit_entries')
    .where('user_id', '=', userId)
    .where('at', '>=', from)
    .where('action', '=', action)
    .$call(countsRows)

export type AuditFilter = {
  table: 'audit_entries' | 'accesses'
  /** Empty: all but what pages say of themselves, under which the rest would drown. */
  actions: readonly AuditAction[]
  /** Epoch milliseconds, both within the period. */
  from: number
  to: number
  /** Anywhere in an entry, whatever the case of its letters. */
  text: string
}

const ROWS_AT_ONCE = 1000

type Row = Selectable<Tables['audit_entries']>

const toEntry = (row: Row): AuditEntry => ({
  id: row.id,
  at: toInstant(row.at),
  userName: row.user_name,
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  reason: row.reason,
  details: row.details_json,
})

/** Page by page, newest first. Databases differ in which letters are equal, so the text is matched here. */
export async function* readAuditEntries(db: Reader, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  const { table, actions, from, to } = filter
  const text = filter.text.trim().toLowerCase()
  const isMeant = (row: Row) =>
    text === '' || [row.user_name, row.subject_id, row.reason, row.details_json].join('\n').toLowerCase().includes(text)
  const pages = pagesOf(ROWS_AT_ONCE, (last?: Row) => {
    const query = db
      .selectFrom(table as 'audit_entries')
      .selectAll()
      .where('id', '<', last?.id ?? Number.MAX_SAFE_INTEGER)
      .where('at', '>=', from)
      .where('at', '<=', to)
    const selection =
      actions.length > 0 ? query.where('action', 'in', actions) : query.where('action', '!=', 'page_exported')
    return selection.orderBy('id', 'desc').limit(ROWS_AT_ONCE).execute()
  })
  for await (const rows of pages) yield rows.filter(isMeant).map(toEntry)
}

export async function listAuditEntries(db: Reader, filter: AuditFilter, countMax: number): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  for await (const page of readAuditEntries(db, filter)) {
    found.push(...page.slice(0, countMax - found.length))
    if (found.length === countMax) break
  }
  return found
}

/** So that years of guessing fill no disk. */
const ACCESSES_MAX = 500_000

/**
 * Deletes lines that are too old; then, where there is no room for the rest, those that one person or many strangers
 * repeat all day.
 */
export async function deleteOldAccesses(tx: Tx, writtenBefore: number, max = ACCESSES_MAX): Promise<void> {
  await tx.deleteFrom('accesses').where('at', '<', writtenBefore).execute()
  const sameAs = ['action', 'user_id', 'user_name']
  await foldNoise(tx, { table: 'accesses', within: {}, sameAs, mixed: 'subject_id', max })
}

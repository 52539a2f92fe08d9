import { setImmediate } from 'node:timers/promises'
import type { AuditAction } from '../../contract/audit-entries.ts'
import type { RecordedPart } from '../../contract/recordings.ts'
import type { Reader } from './db/db.ts'

const ROWS_AT_ONCE = 1000

/** One thing that is known of a person, with when it was (epoch ms). */
export type PersonLine = { at: number } & (
  | { kind: 'session'; device: string; agent: string; address: string; lastUsedAt: number }
  | { kind: 'recording'; part: RecordedPart; order: string; item: string; machine: string; pieces: number }
  | { kind: 'retained'; part: RecordedPart; device: string }
  | { kind: 'audit'; action: AuditAction; subject: string }
  | { kind: 'access'; action: AuditAction; address: string }
)

/** All that is stored under a user, kind by kind. Nothing finds the recordings of a person but reading them all. */
export async function* listPersonLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()
  for (const { created_at: at, device_name: device, last_used_at: lastUsedAt, agent, address } of sessions) {
    yield { at, kind: 'session', device, agent: agent ?? '', address: address ?? '', lastUsedAt }
  }
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('recordings')
      .select(['id', 'user_id', 'recorded_at', 'part', 'order_number', 'barcode', 'position', 'machine', 'pieces'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { recorded_at: at, part, order_number: order, barcode, position, machine, pieces, ...row } of page) {
      if (row.user_id !== userId) continue
      yield { at, kind: 'recording', part, order, item: barcode || position, machine, pieces }
    }
    if (page.length < ROWS_AT_ONCE) break
    after = page.at(-1)?.id ?? ''
    await setImmediate()
  }
  const retained = await db.selectFrom('retained_deliveries').selectAll().where('user_id', '=', userId).execute()
  for (const { recorded_at: at, part, device_name: device } of retained) yield { at, kind: 'retained', part, device }
  const audit = await db.selectFrom('audit_entries').selectAll().where('user_id', '=', userId).execute()
  for (const { at, action, subject_kind, subject_id } of audit) {
    yield { at, kind: 'audit', action, subject: `${subject_kind} ${subject_id}` }
  }
  const accesses = await db.selectFrom('accesses').selectAll().where('user_id', '=', userId).execute()
  for (const { at, action, subject_id: address } of accesses) yield { at, kind: 'access', action, address }
}

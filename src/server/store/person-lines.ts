import type { AuditAction } from '../../contract/audit-entries.ts'
import type { PartKind } from '../../contract/crimp-counters.ts'
import type { Measurement } from '../../contract/measurements.ts'
import type { Capture, RecordedPart } from '../../contract/recordings.ts'
import { type ActTable, actKinds } from './act-kinds.ts'
import type { Reader } from './db/db.ts'
import { persons } from './persons.ts'
import { pagesOf } from './slices.ts'

const ROWS_AT_ONCE = 1000

/** One thing that is known of a person, with when it was (epoch ms). */
export type PersonLine = { at: number } & (
  | { kind: 'session'; device: string; agent: string; address: string; lastUsedAt: number }
  | {
      kind: 'recording'
      part: RecordedPart
      order: string
      item: string
      machine: string
      pieces: number
      device: string
      texts: string[]
    }
  | { kind: 'call'; act: 'opened' | 'joined' | 'acknowledged' | 'settled'; number: number; machine: string }
  | ({ kind: 'sample'; order: string; item: string; machine: string } & Pick<Measurement, 'caracteristica' | 'valores'>)
  | {
      kind: 'scrapped'
      act: 'saved' | 'undone'
      order: string
      item: string
      machine: string
      pieces: number
      isRework: boolean
      reason: string
      texts: string[]
    }
  | { kind: 'retained'; part: RecordedPart; device: string }
  | { kind: 'audit'; action: AuditAction; subject: string; reason: string; details: string }
  | { kind: 'named'; said: string; texts: string[] }
  | { kind: 'part'; act: 'mounted' | 'removed'; unit: string; part: { kind: PartKind; code: string } }
  | { kind: 'release'; place: string; reason: string }
  | { kind: 'task'; unit: string; task: string; day: string; note: string }
  | { kind: 'access'; action: AuditAction; address: string; device: string }
)

type Person = { id: number; username: string; fullName: string }

/** All that is stored under a user, kind by kind. */
export async function* listPersonLines(db: Reader, person: Person): AsyncGenerator<PersonLine> {
  const userId = person.id
  const sessions = await db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()
  for (const { created_at: at, device_name: device, last_used_at: lastUsedAt, agent, address } of sessions) {
    yield { at, kind: 'session', device, agent: agent ?? '', address: address ?? '', lastUsedAt }
  }
  for (const { table } of actKinds) yield* actLines[table](db, userId)
  const retained = await db.selectFrom('retained_deliveries').selectAll().where('user_id', '=', userId).execute()
  for (const { recorded_at: at, part, device_name: device } of retained) yield { at, kind: 'retained', part, device }
  yield* listCareLines(db, userId)
  const releases = await db.selectFrom('releases').selectAll().where('user_id', '=', userId).execute()
  for (const { at, subject: place, reason } of releases) yield { at, kind: 'release', place, reason }
  const audit = await db.selectFrom('audit_entries').selectAll().where('user_id', '=', userId).execute()
  for (const { at, action, subject_kind, subject_id, reason, details_json: details } of audit) {
    yield { at, kind: 'audit', action, subject: `${subject_kind} ${subject_id}`, reason: reason ?? '', details }
  }
  yield* listNamedLines(db, person)
  const accesses = await db.selectFrom('accesses').selectAll().where('user_id', '=', userId).execute()
  for (const { at, action, subject_id: address, details_json: json } of accesses) {
    const { deviceName = '' } = JSON.parse(json) as { deviceName?: string }
    yield { at, kind: 'access', action, address, device: deviceName }
  }
}

/** On which device it was recorded, and what was written beside it. */
function captured(json: string | null): { device: string; texts: string[] } {
  const capture = json === null ? null : (JSON.parse(json) as Capture)
  const reasons = [capture?.motivoForaDoLimite, capture?.motivoForaDoPlano].map((reason) => reason?.texto ?? '')
  return { device: capture?.dispositivo ?? '', texts: reasons.filter((text) => text !== '') }
}

/** Nothing finds the recordings of a person but reading them all. */
async function* listRecordingLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const rows = db
    .selectFrom('recordings')
    .select(['id', 'user_id', 'recorded_at', 'part', 'order_number', 'barcode', 'position', 'machine', 'pieces'])
    .select('capture_json')
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
  const pages = pagesOf(ROWS_AT_ONCE, (last?: { id: string }) => rows.where('id', '>', last?.id ?? '').execute())
  for await (const page of pages) {
    for (const { recorded_at: at, part, order_number: order, barcode, position, machine, pieces, ...row } of page) {
      if (row.user_id !== userId) continue
      const what = { part, order, item: barcode || position, machine, pieces }
      yield { at, kind: 'recording', ...what, ...captured(row.capture_json) }
    }
  }
}

async function* listCallLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const rows = await db
    .selectFrom('maintenance_calls')
    .select(['call_number as number', 'machine', 'opened_at', 'opened_user_id'])
    .select(['acknowledged_at', 'acknowledged_user_id', 'settled_at', 'settled_user_id'])
    .where((e) =>
      e.or([
        e('opened_user_id', '=', userId),
        e('acknowledged_user_id', '=', userId),
        e('settled_user_id', '=', userId),
      ]),
    )
    .orderBy('opened_at')
    .execute()
  for (const { number, machine, ...row } of rows) {
    const about = { kind: 'call' as const, number, machine }
    if (row.opened_user_id === userId) yield { ...about, at: row.opened_at, act: 'opened' }
    if (row.acknowledged_user_id === userId) yield { ...about, at: row.acknowledged_at ?? 0, act: 'acknowledged' }
    if (row.settled_user_id === userId) yield { ...about, at: row.settled_at ?? 0, act: 'settled' }
  }
}

async function* listJoinLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const joins = await db
    .selectFrom('maintenance_call_joins as j')
    .innerJoin('maintenance_calls as c', 'c.id', 'j.call_id')
    .select(['c.call_number as number', 'c.machine as machine', 'j.joined_at as at'])
    .where('j.user_id', '=', userId)
    .execute()
  for (const joined of joins) yield { ...joined, kind: 'call', act: 'joined' }
}

/** Rows of other tables that name her, with what she wrote there: by her user, or by her name where there is none. */
async function* listNamedLines(db: Reader, { id, username, fullName }: Person): AsyncGenerator<PersonLine> {
  for (const { table, key = 'id', at, names, texts, said, isAct } of persons) {
    const [author] = names
    if (said === null || !author) continue
    const [name, userId] = author
    const query = db
      .selectFrom(table as 'audit_entries')
      .select(texts as unknown as 'reason'[])
      .$if(userId !== null, (own) => own.where(userId as 'user_id', '=', id))
      .$if(userId === null, (own) => own.where(name as 'user_name', 'in', [fullName, username]))
    const rows =
      at === 'of the history'
        ? await query
            .innerJoin('crimp_history as h', 'h.id', `${table}.${key}` as 'h.id')
            .select('h.at as at')
            .execute()
        : await query.select(`${at} as at` as 'at').execute()
    for (const row of rows as Record<string, string | number | null>[]) {
      const written = texts.map((column) => writtenText(column, row[column])).filter((text) => text !== '')
      // the act itself has a line
      if (written.length === 0 && isAct) continue
      yield { kind: 'named', at: Number(row.at), said, texts: written }
    }
  }
}

const writtenText = (column: string, value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (!column.endsWith('_json')) return String(value)
  const fields = Object.values(JSON.parse(String(value)) as object)
  return fields.filter((field) => typeof field === 'string' && field !== '').join('; ')
}

/** Page by page: nothing finds those of a person but reading them all. */
async function* listMeasurementLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const rows = db
    .selectFrom('measurements')
    .select(['id', 'user_id', 'measured_at', 'order_number', 'barcode', 'position', 'machine'])
    .select(['characteristic', 'readings_json'])
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
  const pages = pagesOf(ROWS_AT_ONCE, (last?: { id: number }) => rows.where('id', '>', last?.id ?? 0).execute())
  for await (const page of pages) {
    for (const { measured_at: at, order_number: order, barcode, position, machine, ...row } of page) {
      if (row.user_id !== userId) continue
      const measured = { caracteristica: row.characteristic, valores: JSON.parse(row.readings_json) as number[] }
      yield { at, kind: 'sample', order, item: barcode || position, machine, ...measured }
    }
  }
}

async function* listScrapLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const rows = await db
    .selectFrom('scraps as s')
    .leftJoin('scrap_reasons as r', 'r.code', 's.reason_code')
    .selectAll('s')
    .select('r.text as reason')
    .where((e) => e.or([e('s.user_id', '=', userId), e('s.undone_user_id', '=', userId)]))
    .execute()
  for (const { order_number: order, barcode, position, machine, pieces, ...row } of rows) {
    const reason = row.reason ?? row.reason_code
    const about = { kind: 'scrapped', order, item: barcode || position, machine, pieces, reason } as const
    const isRework = row.is_rework === 1
    const texts = (text: string | null) => (text ? [text] : [])
    if (row.user_id === userId) yield { ...about, isRework, at: row.recorded_at, act: 'saved', texts: texts(row.note) }
    if (row.undone_at !== null && row.undone_user_id === userId)
      yield { ...about, isRework, at: row.undone_at, act: 'undone', texts: texts(row.undone_reason) }
  }
}

const actLines: Record<ActTable, (db: Reader, userId: number) => AsyncGenerator<PersonLine>> = {
  recordings: listRecordingLines,
  measurements: listMeasurementLines,
  scraps: listScrapLines,
  maintenance_calls: listCallLines,
  maintenance_call_joins: listJoinLines,
}

/** Parts and tasks of tools. */
async function* listCareLines(db: Reader, userId: number): AsyncGenerator<PersonLine> {
  const parts = await db
    .selectFrom('wear_parts')
    .selectAll()
    .where((e) => e.or({ mounted_by_id: userId, removed_by_id: userId }))
    .execute()
  for (const { unit_key: unit, kind, code, ...row } of parts) {
    const part = { kind, code }
    if (row.mounted_by_id === userId) yield { at: row.mounted_at, kind: 'part', act: 'mounted', unit, part }
    if (row.removed_at === null || row.removed_by_id !== userId) continue
    yield { at: row.removed_at, kind: 'part', act: 'removed', unit, part }
  }
  const runs = await db
    .selectFrom('task_runs as r')
    .innerJoin('maintenance_tasks as t', 't.id', 'r.task_id')
    .select(['r.recorded_at as at', 'r.unit_key as unit', 't.name as task', 'r.done_day as day', 'r.note'])
    .where('r.user_id', '=', userId)
    .execute()
  for (const run of runs) yield { kind: 'task', ...run }
}

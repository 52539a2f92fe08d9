import type { AlarmState, KindState, SubjectState } from '../../domain/plant/alarm-states.ts'
import type { AlarmKind, ServerFacts } from '../../domain/plant/alarms.ts'
import { changesOne, insertsNew, type Reader, type Tx } from './db/db.ts'

const REPORTED_MS_MAX = 24 * 3_600_000

/** Saves this server's report for the other servers of its plant, and deletes those of servers that are gone. */
export async function saveReport(tx: Tx, facts: ServerFacts): Promise<void> {
  const { server, readAt } = facts
  await tx
    .deleteFrom('server_reports')
    .where((e) => e.or([e('server', '=', server), e('reported_at', '<', readAt - REPORTED_MS_MAX)]))
    .execute()
  await tx
    .insertInto('server_reports')
    .values({ server, reported_at: readAt, facts_json: JSON.stringify(facts) })
    .execute()
}

export async function listReports(db: Reader, reportedFrom: number): Promise<ServerFacts[]> {
  const rows = await db
    .selectFrom('server_reports')
    .select('facts_json')
    .where('reported_at', '>=', reportedFrom)
    .orderBy('server')
    .execute()
  return rows.map((row) => JSON.parse(row.facts_json))
}

const SERVERS_SEEN_MS = 3 * 60_000

/** Reports of the other servers that work on this database just now. */
export const listOtherReports = async (db: Reader, own: string, now: number): Promise<ServerFacts[]> =>
  (await listReports(db, now - SERVERS_SEEN_MS)).filter(({ server }) => server !== own)

type AlarmOfChannel = { kind: AlarmKind; channel: string }

const alarmStates = (db: Reader) =>
  db.selectFrom('alarm_states').select(['kind', 'channel', 'begun_at', 'is_said', 'said_at'])

const alarmSubjects = (db: Reader) =>
  db.selectFrom('alarm_subjects').select(['kind', 'channel', 'subject', 'begun_at', 'is_said', 'said_at', 'named_at'])

type Row = { begun_at: number | null; is_said: number; said_at: number | null }

const toState = ({ begun_at, is_said, said_at }: Row): AlarmState => ({
  begunAt: begun_at,
  isSaid: is_said === 1,
  saidAt: said_at,
})
const toRow = ({ begunAt, isSaid, saidAt }: AlarmState): Row => ({
  begun_at: begunAt,
  is_said: isSaid ? 1 : 0,
  said_at: saidAt,
})
const toSubject = ({ subject, named_at, ...row }: Row & { subject: string; named_at: number }): SubjectState => ({
  subject,
  namedAt: named_at,
  ...toState(row),
})

export async function listAlarms(db: Reader): Promise<(AlarmOfChannel & KindState)[]> {
  const subjects = await alarmSubjects(db).execute()
  const rows = await alarmStates(db).execute()
  return rows.map(({ kind, channel, ...row }) => ({
    kind: kind as AlarmKind,
    channel,
    sum: toState(row),
    subjects: subjects.filter((one) => one.kind === kind && one.channel === channel).map(toSubject),
  }))
}

/** Leases an alarm until `leaseUntil`: one of several servers gets it, the others null. */
export async function leaseAlarm(
  tx: Tx,
  key: AlarmOfChannel,
  { owner, now, leaseUntil }: { owner: string; now: number; leaseUntil: number },
): Promise<KindState | null> {
  const row = { ...key, begun_at: null, is_said: 0, said_at: null, lease_owner: null, lease_until: 0 }
  const isThere = await alarmStates(tx)
    .where((e) => e.and(key))
    .executeTakeFirst()
  if (!isThere) await tx.insertInto('alarm_states').values(row).$call(insertsNew)
  const isLeased = await tx
    .updateTable('alarm_states')
    .set({ lease_owner: owner, lease_until: leaseUntil })
    .where((e) => e.and(key))
    .where('lease_until', '<=', now)
    .$call(changesOne)
  if (!isLeased) return null
  const leased = await alarmStates(tx)
    .where((e) => e.and(key))
    .executeTakeFirstOrThrow()
  const subjects = await alarmSubjects(tx)
    .where((e) => e.and(key))
    .execute()
  return { sum: toState(leased), subjects: subjects.map(toSubject) }
}

/** Gives the lease back; nothing when another server has it by now. */
export async function saveAlarm(tx: Tx, key: AlarmOfChannel, owner: string, { sum, subjects }: KindState) {
  const isOurs = await tx
    .updateTable('alarm_states')
    .set({ ...toRow(sum), lease_until: 0 })
    .where((e) => e.and(key))
    .where('lease_owner', '=', owner)
    .$call(changesOne)
  if (!isOurs) return
  await tx
    .deleteFrom('alarm_subjects')
    .where((e) => e.and(key))
    .execute()
  if (subjects.length === 0) return
  const rows = subjects.map((one) => ({ ...key, ...toRow(one), subject: one.subject, named_at: one.namedAt }))
  await tx.insertInto('alarm_subjects').values(rows).execute()
}

import { roleByBadge } from '../../domain/people/badges.ts'
import { compiled, type Place } from './db/compiled.ts'
import { changesOne, findsAny, type Reader, type Tx } from './db/db.ts'
import type { EndedWhy } from './db/tables-access.ts'

/** Ends that cast doubt on who had the session: work frozen under it is retained. */
const doubtfulEnds = ['admin', 'other_device', 'admin_password', 'deactivated', 'secret_reused'] as const
type DoubtfulEnd = (typeof doubtfulEnds)[number]

export const isDoubtful = (why: EndedWhy | null): why is DoubtfulEnd =>
  doubtfulEnds.some((doubtful) => doubtful === why)

type SecretKind = 'token' | 'cookie'

const secretsOf = compiled((db, value: Place<{ one: string; other: string }>) =>
  db
    .selectFrom('session_secrets as k')
    .innerJoin('sessions as s', 's.id', 'k.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['k.kind', 'k.generation', 'k.valid_until as validUntil', 's.id as sessionId', 's.user_id as userId'])
    .select(['s.browser', 's.expires_at as expiresAt', 's.last_used_at as lastUsedAt', 's.revoked_at as revokedAt'])
    .select(['s.password_at', 's.device', 's.touched_at as touchedAt'])
    .select(['u.username', 'u.full_name as fullName', 'u.role', 'u.active as userActive', 's.by_badge', 's.board'])
    .select('u.directory')
    .where('k.hash', 'in', [value('one'), value('other')]),
)

/** Looks one or two presented secrets up at once. Unknown hashes are simply not in the answer. */
export async function listSecrets(db: Reader, one: string, other: string = one) {
  const rows = await secretsOf(db, { one, other })
  return rows.map(({ by_badge, password_at, board, directory, ...row }) => {
    const byBadge = by_badge === 1 && password_at === null
    const role = byBadge ? roleByBadge(row.role) : row.role
    const isBoard = board === 1
    const isFromDirectory = directory !== null
    const known = { role, byBadge, isBoard, isFromDirectory }
    return { ...row, ...known, browser: row.browser === 1, userActive: row.userActive === 1 }
  })
}

/** A secret that was presented, with the session and the user behind it. */
export type PresentedSecret = Awaited<ReturnType<typeof listSecrets>>[number]

export async function insertSession(
  tx: Tx,
  session: {
    id: string
    userId: number
    browser: boolean
    deviceName: string
    /** By what its browser is known. */
    device: string | null
    byBadge?: boolean
    isBoard?: boolean
    createdAt: number
    expiresAt: number
    agent?: string
    address?: string
  },
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      browser: session.browser ? 1 : 0,
      device_name: session.deviceName,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      last_used_at: session.createdAt,
      device: session.device,
      by_badge: session.byBadge ? 1 : null,
      board: session.isBoard ? 1 : null,
      agent: session.agent ?? null,
      address: session.address ?? null,
    })
    .execute()
}

export async function insertSecrets(
  tx: Tx,
  sessionId: string,
  generation: number,
  hashes: Partial<Record<SecretKind, string>>,
): Promise<void> {
  await tx
    .insertInto('session_secrets')
    .values(
      Object.entries(hashes).map(([kind, hash]) => ({
        hash,
        session_id: sessionId,
        kind: kind as SecretKind,
        generation,
        valid_until: null,
      })),
    )
    .execute()
}

/**
 * The generation of the next pair. While the youngest pair is unused (its answer was lost, or two tabs refresh at once)
 * another one gets the same generation: whichever the browser ends up with must not outdate the other.
 */
export async function getNextGeneration(tx: Tx, sessionId: string): Promise<number> {
  const row = await tx
    .selectFrom('session_secrets')
    .select((e) => e.fn.max('generation').as('generation'))
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const youngest = Number(row.generation)
  return (await hasOlderSecretsWithoutEnd(tx, sessionId, youngest)) ? youngest : youngest + 1
}

/** The younger pair has been used: the older ones end at `validUntil`, unless an end is set already. */
export async function endOlderSecrets(
  tx: Tx,
  sessionId: string,
  generation: number,
  validUntil: number,
): Promise<void> {
  await tx
    .updateTable('session_secrets')
    .set({ valid_until: validUntil })
    .where('session_id', '=', sessionId)
    .where('generation', '<', generation)
    .where('valid_until', 'is', null)
    .execute()
}

export const hasOlderSecretsWithoutEnd = (db: Reader, sessionId: string, generation: number): Promise<boolean> =>
  db
    .selectFrom('session_secrets')
    .select('hash')
    .where('session_id', '=', sessionId)
    .where('generation', '<', generation)
    .where('valid_until', 'is', null)
    .$call(findsAny)

/** Extends to `wanted`, but no further than `ageMax` after the login. Returns the new end. */
export async function extendSession(
  tx: Tx,
  sessionId: string,
  end: { wanted: number; ageMax: number },
): Promise<number> {
  const { created_at } = await tx
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const expiresAt = Math.min(end.wanted, created_at + end.ageMax)
  await tx.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', sessionId).execute()
  return expiresAt
}

/** A page's report on its device, sent with its calls. */
export type DeviceReport = { version: string; waiting: number }

export async function touchSession(tx: Tx, sessionId: string, at: number, report: DeviceReport | null): Promise<void> {
  const said = report === null ? {} : { page_version: report.version, waiting: report.waiting }
  await tx
    .updateTable('sessions')
    .set({ last_used_at: at, ...said })
    .where('id', '=', sessionId)
    .execute()
}

/** Calls overtake each other: the latest touch counts. */
export async function noteTouched(tx: Tx, sessionId: string, touchedAt: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ touched_at: touchedAt })
    .where('id', '=', sessionId)
    .where((e) => e.or([e('touched_at', 'is', null), e('touched_at', '<', touchedAt)]))
    .execute()
}

/** The first reason for an end stays, but one that casts doubt replaces one that does not. */
export type SessionEnd = { at: number; why: EndedWhy }

/** Ends sessions that were not over yet: a caller says which. */
export const endSessions = (tx: Tx, { at, why }: SessionEnd) =>
  tx.updateTable('sessions').set({ revoked_at: at, ended_why: why }).where('revoked_at', 'is', null)

/** Resolves to whether it was not ended yet. */
export const revokeSession = (tx: Tx, sessionId: string, end: SessionEnd): Promise<boolean> =>
  endSessions(tx, end).where('id', '=', sessionId).$call(changesOne)

export const findSessionUser = async (db: Reader, id: string): Promise<{ userId: number; username: string } | null> =>
  (await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id as userId', 'u.username'])
    .where('s.id', '=', id)
    .executeTakeFirst()) ?? null

/**
 * Ends all sessions of a user but the excepted one. A doubtful reason is also written to those that had ended, since work
 * frozen under them must be retained too. Resolves to how many were live.
 */
export async function revokeSessionsOf(
  tx: Tx,
  userId: number,
  { at, why, spared }: SessionEnd & { spared: string | null },
): Promise<number> {
  const those = tx
    .updateTable('sessions')
    .where('user_id', '=', userId)
    .$if(spared !== null, (query) => query.where('id', '!=', String(spared)))
  if (isDoubtful(why)) {
    await those
      .set({ ended_why: why })
      .where((e) => e.or([e('ended_why', 'is', null), e('ended_why', 'not in', doubtfulEnds)]))
      .execute()
  }
  const ended = those.set({ revoked_at: at, ended_why: why }).where('revoked_at', 'is', null)
  const { numUpdatedRows } = await ended.where('expires_at', '>', at).executeTakeFirstOrThrow()
  // a clock that is put right may show that its time was not over
  await ended.execute()
  return Number(numUpdatedRows)
}

/** A younger session on the same device has taken the place of a person's; of everybody's where it names nobody. */
export async function replaceSessions(
  tx: Tx,
  those: { device: string } | { device: string; user_id: number },
  at: number,
): Promise<void> {
  await endSessions(tx, { at, why: 'replaced' })
    .where((e) => e.and(those))
    .execute()
}

/**
 * Stores the device of a session whose browser had lost its secret and got a new one. What a station's badge has opened
 * stays the station's: it ends with it.
 */
export async function setDevice(tx: Tx, sessionId: string, device: string): Promise<void> {
  await tx.updateTable('sessions').set({ device }).where('id', '=', sessionId).where('by_badge', 'is', null).execute()
}

/** Ends all but the newest `countMax` of a user's live sessions. */
export async function endOldestSessions(tx: Tx, userId: number, { at, countMax }: { at: number; countMax: number }) {
  const beyond = await tx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1000)
    .offset(countMax)
    .execute()
  for (const { id } of beyond) await revokeSession(tx, id, { at, why: 'limit' })
}

/** The state of the session that a grant names; null when this database does not know it. */
export async function findSessionEnd(
  db: Reader,
  id: string,
): Promise<{ userId: number; endsAt: number; why: EndedWhy | null; deviceName: string } | null> {
  const row = await db
    .selectFrom('sessions')
    .select(['user_id as userId', 'ended_why as why', 'device_name as deviceName', 'expires_at', 'revoked_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { expires_at, revoked_at, ...session } = row
  return { ...session, endsAt: Math.min(expires_at, revoked_at ?? expires_at) }
}

const liveSessions = (db: Reader, now: number) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id as userId', 'u.username', 'u.full_name as fullName', 's.device_name as deviceName'])
    .select(['s.browser', 's.created_at as createdAt', 's.last_used_at as lastUsedAt', 's.expires_at as expiresAt'])
    .select(['s.agent', 's.address', 's.page_version as page'])
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', now)
    .where('u.active', '=', 1)

/** The one used last comes first. `userId` null: of everybody. */
export async function listLiveSessions(
  db: Reader,
  { userId, now, countMax }: { userId: number | null; now: number; countMax: number },
) {
  const all = liveSessions(db, now).orderBy('s.last_used_at', 'desc').orderBy('s.id').limit(countMax)
  const rows = await (userId === null ? all : all.where('s.user_id', '=', userId)).execute()
  return rows.map((row) => ({ ...row, browser: row.browser === 1 }))
}

export type LiveSession = Awaited<ReturnType<typeof listLiveSessions>>[number]

export async function findLiveSession(db: Reader, id: string, now: number): Promise<LiveSession | null> {
  const row = await liveSessions(db, now).where('s.id', '=', id).executeTakeFirst()
  return row ? { ...row, browser: row.browser === 1 } : null
}

/** Ended sessions stay for a while so that a late secret is recognised as stolen. */
export async function deleteDeadSessions(tx: Tx, endedBefore: number): Promise<void> {
  const dead = tx.selectFrom('sessions').select('id').where('expires_at', '<', endedBefore)
  await tx.deleteFrom('session_secrets').where('session_id', 'in', dead).execute()
  await tx.deleteFrom('sessions').where('expires_at', '<', endedBefore).execute()
}

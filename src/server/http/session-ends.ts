import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { TOUCH_HEADER } from '../../contract/endpoint.ts'
import { idleMinutesOf } from '../../domain/people/idleness.ts'
import { findSessionUser, noteTouched, type PresentedSecret, revokeSession } from '../store/sessions.ts'
import { isSharedDevice } from '../store/stations.ts'
import type { Entrance } from './entrance.ts'
import { Refused } from './refused.ts'
import { type Keys, readSigned, sign } from './signatures.ts'

const Logout = z.strictObject({ session: z.string() })

/** Good for ending this session, whatever pair of secrets it has by then, and for nothing else. */
export const signLogout = (session: string, { keys }: { keys: Keys }): string => sign(keys, 'log-out', { session })

/** Resolves to whose session has ended now; null where it had before, or this database does not know it. */
export async function endByLogout(
  signed: string,
  { db, now, keys }: Pick<Entrance, 'db' | 'now' | 'keys'>,
): Promise<{ userId: number; username: string } | null> {
  const read = Logout.safeParse(readSigned(keys, 'log-out', signed))
  if (!read.success) throw new Refused('session_missing')
  const { session } = read.data
  return await db.transaction(async (tx) => {
    const isEnded = await revokeSession(tx, session, { at: now(), why: 'logout' })
    return isEnded ? await findSessionUser(tx, session) : null
  })
}

const MINUTE_MS = 60_000
/** A page says once a minute when it was touched, and leaves by itself: it is first. */
const SAID_LATE_MS = 2 * MINUTE_MS

/** The last touch that this call tells of; null: it tells of none. */
function readTouch(request: FastifyRequest, now: number): number | null {
  const [, seconds] = /^(\d{1,7})$/.exec(String(request.headers[TOUCH_HEADER])) ?? []
  return seconds === undefined ? null : now - Number(seconds) * 1000
}

/**
 * Whether nobody has touched the session's page within the idle time of the device that it was opened on. A board is
 * nobody's to touch, and a program has no page.
 */
async function isIdle(
  { browser, isBoard, device }: PresentedSecret,
  touchedAt: number,
  { db, now, config: { idleMinutes: chosen, mode } }: Entrance,
): Promise<boolean> {
  if (!browser || isBoard) return false
  const isSharedStation = await isSharedDevice(db.read, device)
  const minutes = idleMinutesOf({ chosen, mode, isSharedStation })
  return minutes > 0 && now() - touchedAt > minutes * MINUTE_MS + SAID_LATE_MS
}

/**
 * Ends a session whose page says that nobody has touched it for too long. One that says nothing may have been out of reach
 * while somebody worked: its silence ends nothing. Resolves to whether it goes on.
 */
export async function isTouched(token: PresentedSecret, request: FastifyRequest, context: Entrance): Promise<boolean> {
  const { db, now, accesses } = context
  const said = readTouch(request, now())
  if (said === null) return true
  const touchedAt = Math.max(said, token.touchedAt ?? 0)
  if (await isIdle(token, touchedAt, context)) {
    await db.transaction((tx) => revokeSession(tx, token.sessionId, { at: now(), why: 'idle' }))
    await accesses.note('session_over', request, token, { because: 'falta de uso' })
    return false
  }
  if (touchedAt !== token.touchedAt) await db.transaction((tx) => noteTouched(tx, token.sessionId, touchedAt))
  return true
}

/**
 * Like `isTouched`, for a call by its cookie alone, which has no page that says a touch: an idle session waits for the
 * next touch and is not ended.
 */
export async function isTouchKnown(
  cookie: PresentedSecret,
  request: FastifyRequest,
  context: Entrance,
): Promise<boolean> {
  const touchedAt = Math.max(readTouch(request, context.now()) ?? 0, cookie.touchedAt ?? 0)
  return touchedAt === 0 || !(await isIdle(cookie, touchedAt, context))
}

import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_HEADER, type Endpoint, LEFT_COOKIE } from '../../contract/endpoint.ts'
import type { Session } from '../../contract/sessions.ts'
import type { Permission } from '../../contract/values.ts'
import { agentText } from '../../domain/people/agents.ts'
import { dependsOnLimitRoles, isAllowed, isOpenToBoard } from '../../domain/people/permissions.ts'
import { HOUR_MS, toInstant } from '../../domain/plant/plant-time.ts'
import {
  type DeviceReport,
  endOlderSecrets,
  endOldestSessions,
  extendSession,
  getNextGeneration,
  hasOlderSecretsWithoutEnd,
  insertSecrets,
  insertSession,
  listSecrets,
  type PresentedSecret,
  replaceSessions,
  revokeSession,
  setDevice,
  touchSession,
} from '../store/sessions.ts'
import { findLimitRoles } from '../store/settings.ts'
import { isStation } from '../store/stations.ts'
import type { User } from '../store/users.ts'
import { type Caller, TRUSTED } from './caller.ts'
import { findCallerByReceipt } from './delivery-receipts.ts'
import { cookiesOf, giveDevice, hashOf, newSecret, readStation, rememberDevice, setCookie } from './devices.ts'
import type { Entrance } from './entrance.ts'
import { findCallerByGrant, signGrant } from './grants.ts'
import { limits } from './limits.ts'
import { checkPassword } from './login.ts'
import { isLoopback, isOfPage, isSameOrigin, isSecure } from './origin.ts'
import { Refused } from './refused.ts'
import { isTouched, isTouchKnown, signLogout } from './session-ends.ts'

const SESSION_MS = 12 * HOUR_MS
const SESSION_MS_MAX = 24 * HOUR_MS
/** On a wall nobody types a password each day. */
const BOARD_SESSION_MS = 30 * 24 * HOUR_MS
/** How long an older pair stays good once the younger one has been used: answers overtake each other. */
const OLD_PAIR_MS = 60_000
const TOUCH_EVERY_MS = 60_000

const HOST_COOKIE = '__Host-sid'
const PLAIN_COOKIE = 'sid'

/** The prefixed cookie can only be set by this very host; over plain HTTP on a plant network browsers refuse it. */
const cookieNameOf = (request: FastifyRequest): string => (isSecure(request) ? HOST_COOKIE : PLAIN_COOKIE)

const readCookie = (request: FastifyRequest): string | null => cookiesOf(request)[cookieNameOf(request)] || null

/** Its page has logged out, whether a server has heard of that or not. */
const hasLeft = (request: FastifyRequest): boolean => LEFT_COOKIE in cookiesOf(request)

type Authority = keyof typeof callersWithoutSession
type Presented = { scheme: 'bearer' | 'basic' | Authority; name: string | null; secret: string }

function readAuthorization(request: FastifyRequest): Presented | null {
  const [, scheme = '', value = ''] =
    /^(bearer|basic|grant|receipt) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (value === '') return null
  if (scheme.toLowerCase() !== 'basic') return { scheme: scheme.toLowerCase() as 'bearer', name: null, secret: value }
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 1 ? null : { scheme: 'basic', name: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Callers without a live session: under a grant, or under the receipt of an earlier answer. */
const callersWithoutSession = { grant: findCallerByGrant, receipt: findCallerByReceipt }

/**
 * Identifies the caller, or throws the fitting refusal. Where a grant suffices, the author may have lost access: the handler
 * decides.
 */
export async function identify(
  request: FastifyRequest,
  context: Entrance,
  endpoint: Pick<Endpoint, 'method' | 'suffices'> & { access: Permission },
): Promise<Caller> {
  const { method, access, suffices } = endpoint
  const presented = readAuthorization(request)
  if (presented && presented.scheme in callersWithoutSession) {
    const find = callersWithoutSession[presented.scheme as Authority]
    const author = suffices === 'grant' && (await find(presented.secret, request, context))
    // what was saved is not refused because its author has another role by now
    if (author) return author
    throw new Refused('session_missing')
  }
  // of a board's session its cookie alone suffices
  const isOfBoards = method === 'GET' && access === 'board'
  const caller = presented
    ? await callerOfHeader(request, presented, context)
    : (suffices === 'cookie' || isOfBoards) && (await identifyByCookie(request, context))
  if (!caller) throw new Refused('session_missing')
  if (!presented && suffices !== 'cookie' && !caller.isBoard) throw new Refused('session_missing')
  if (caller.isBoard && !isOpenToBoard(endpoint)) throw new Refused('not_allowed', { caller })
  const limitRoles = dependsOnLimitRoles(access) ? await findLimitRoles(context.db.read) : null
  if (!isAllowed(caller.role, access, limitRoles)) throw new Refused('not_allowed', { caller })
  return caller
}

/** For files, the event stream, boards and the calls the specification sends without a header: the cookie alone is enough. */
export async function identifyByCookie(request: FastifyRequest, context: Entrance): Promise<Caller | null> {
  const cookie = readCookie(request)
  if (!cookie || hasLeft(request) || !isSameOrigin(request)) return null
  const [secret] = await listSecrets(context.db.read, hashOf(cookie))
  if (secret?.kind !== 'cookie' || !(await isGood(secret, request, context))) return null
  if (!(await isTouchKnown(secret, request, context))) return null
  return callerOf(secret)
}

type SessionMarks = Pick<Caller, 'byBadge' | 'isBoard' | 'isFromDirectory'>
type Entered = Pick<Caller, 'userId' | 'username' | 'fullName' | 'role' | 'sessionId' | 'expiresAt'> & SessionMarks

function callerOf(entered: Entered): Caller {
  const { userId, username, fullName, role, sessionId, expiresAt } = entered
  const { byBadge = false, isBoard = false, isFromDirectory = false } = entered
  const who = { userId, username, fullName, role, sessionId, expiresAt }
  return { ...who, byBadge, isBoard, isFromDirectory, ...TRUSTED }
}

/** The logged-in user, as a page gets to know them. */
export const sessionUserOf = ({ username, fullName, role, expiresAt, ...marks }: Caller) => ({
  username,
  fullName,
  role,
  byBadge: marks.byBadge === true,
  isBoard: marks.isBoard === true,
  isFromDirectory: marks.isFromDirectory === true,
  expiresAt: toInstant(expiresAt),
})

/** Only a copy of a secret is used after its end, so the whole session ends, whoever has the younger pair. */
async function isGood(secret: PresentedSecret, request: FastifyRequest, context: Entrance): Promise<boolean> {
  const { db, now, log, accesses } = context
  if (secret.revokedAt !== null || secret.expiresAt <= now() || !secret.userActive) return false
  // whoever is something else by now has other sessions
  if (secret.isBoard && secret.role !== 'consulta') return false
  if (secret.validUntil === null || now() <= secret.validUntil) return true
  log.warn({ user: secret.username }, 'an outdated session secret was used again: the session is revoked')
  await db.transaction((tx) => revokeSession(tx, secret.sessionId, { at: now(), why: 'secret_reused' }))
  await accesses.note('session_over', request, secret, { because: 'acesso antigo usado de novo' })
  return false
}

async function callerOfHeader(
  request: FastifyRequest,
  presented: Presented,
  context: Entrance,
): Promise<Caller | null> {
  // a browser that was once told it sends it by itself, whatever page asks
  if (presented.scheme === 'basic' && isOfPage(request) && !isSameOrigin(request)) throw new Refused('cross_origin')
  const cookie = readCookie(request)
  const secrets = await listSecrets(context.db.read, hashOf(presented.secret), cookie ? hashOf(cookie) : undefined)
  const token = secrets.find((secret) => secret.kind === 'token')
  if (!token) {
    const mayBePassword = presented.scheme === 'basic' && context.config.authBasicPassword
    return mayBePassword ? await callerOfPassword(request, presented, context) : null
  }
  if (presented.name !== null && presented.name !== token.username) return null
  if (!(await isGood(token, request, context))) return null
  const partner = secrets.find((secret) => secret.kind === 'cookie' && secret.sessionId === token.sessionId)
  if (token.browser) {
    if (!partner || !(await isGood(partner, request, context))) return null
    if (!isSameOrigin(request)) throw new Refused('cross_origin', { caller: callerOf(token) })
    if (!(await isTouched(token, request, context))) return null
  }
  await noteUse(token, { cookie: token.browser ? partner : undefined, report: readReport(request) }, context)
  return callerOf(token)
}

/** Null where the page is of a version that says nothing of its device. */
function readReport({ headers: { [DEVICE_HEADER]: said } }: FastifyRequest): DeviceReport | null {
  const [, version, waiting] = /^([\w.-]{1,16});(\d{1,6})$/.exec(String(said)) ?? []
  return version === undefined ? null : { version, waiting: Number(waiting) }
}

async function noteUse(
  token: PresentedSecret,
  { cookie, report }: { cookie: PresentedSecret | undefined; report: DeviceReport | null },
  { db, now }: Entrance,
): Promise<void> {
  const wholePair = cookie === undefined || cookie.generation === token.generation
  if (
    token.generation > 1 &&
    wholePair &&
    (await hasOlderSecretsWithoutEnd(db.read, token.sessionId, token.generation))
  ) {
    await db.transaction((tx) => endOlderSecrets(tx, token.sessionId, token.generation, now() + OLD_PAIR_MS))
  }
  if (now() - token.lastUsedAt > TOUCH_EVERY_MS) {
    await db.transaction((tx) => touchSession(tx, token.sessionId, now(), report))
  }
}

async function callerOfPassword(request: FastifyRequest, presented: Presented, context: Entrance): Promise<Caller> {
  const user = await checkPassword({ username: presented.name ?? '', password: presented.secret }, request, context)
  await context.accesses.notePasswordUse(request, { ...user, userId: user.id })
  return callerOf({ ...user, userId: user.id, sessionId: null, expiresAt: context.now() + SESSION_MS })
}

/** `device`: of a browser; only a browser has a queue. */
function sessionReply(
  caller: Caller & { sessionId: string },
  { token, device }: { token: string; device: string | null },
  context: Entrance,
): Session {
  // who delivers under a grant is not asked for a role again
  const mayRecord = isAllowed(caller.role, 'record')
  return {
    token,
    ...sessionUserOf(caller),
    deliveryGrant: mayRecord && device !== null ? signGrant({ ...caller, device }, context) : null,
    logoutSecret: device === null ? null : signLogout(caller.sessionId, context),
  }
}

/** Opens a session for a user whose password was right, and sets its cookie when a browser asked. */
export async function openSession(
  user: User,
  deviceName: string,
  call: Entrance & { request: FastifyRequest; reply: FastifyReply; byBadge?: boolean },
): Promise<Session> {
  const { request, reply, db, now, accesses, byBadge = false } = call
  const browser = isOfPage(request)
  const device = browser ? giveDevice(request, reply) : null
  const session = {
    id: randomUUID(),
    userId: user.id,
    browser,
    deviceName,
    device,
    byBadge,
    createdAt: now(),
    agent: agentText(request.headers['user-agent'] ?? ''),
    address: request.ip,
  }
  const token = newSecret()
  const cookie = newSecret()
  const opened = await db.transaction(async (tx) => {
    const isBoard = user.role === 'consulta' && (await isStation(tx, readStation(request), 'board'))
    const timed = { ...session, isBoard, expiresAt: now() + (isBoard ? BOARD_SESSION_MS : SESSION_MS) }
    // where badges open sessions somebody else works from now on
    if (device !== null) await replaceSessions(tx, byBadge ? { device } : { device, user_id: user.id }, now())
    await insertSession(tx, timed)
    await endOldestSessions(tx, user.id, { at: now(), countMax: limits.sessionsOfUser.max })
    await insertSecrets(tx, session.id, 1, { token: hashOf(token), ...(browser ? { cookie: hashOf(cookie) } : {}) })
    return timed
  })
  if (device !== null) {
    setCookie(call, cookieNameOf(request), cookie, (opened.isBoard ? BOARD_SESSION_MS : SESSION_MS_MAX) / 1000)
    await rememberDevice(user, device, call)
  }
  const who = { userId: user.id, username: user.username }
  await accesses.note('logged_in', request, who, { deviceName, ...(byBadge && { badge: true }) })
  const caller = callerOf({ ...user, ...opened, sessionId: session.id, isFromDirectory: user.directory !== null })
  return sessionReply({ ...caller, sessionId: session.id }, { token, device }, call)
}

/** Rotates both secrets. The old ones stay valid until the new ones are first used, so a lost answer locks nobody out. */
export async function rotateSession(
  caller: Caller,
  call: Entrance & { request: FastifyRequest; reply: FastifyReply },
): Promise<Session> {
  const { request, reply, db, now } = call
  const { sessionId } = caller
  if (sessionId === null) throw new Refused('session_missing')
  const token = newSecret()
  const cookie = newSecret()
  const cookieSent = readCookie(request) !== null
  const device = cookieSent ? giveDevice(request, reply) : null
  const expiresAt = await db.transaction(async (tx) => {
    const generation = await getNextGeneration(tx, sessionId)
    const until = await extendSession(tx, sessionId, { wanted: now() + SESSION_MS, ageMax: SESSION_MS_MAX })
    await insertSecrets(tx, sessionId, generation, {
      token: hashOf(token),
      ...(cookieSent ? { cookie: hashOf(cookie) } : {}),
    })
    if (device !== null) await setDevice(tx, sessionId, device)
    return until
  })
  if (cookieSent) setCookie(call, cookieNameOf(request), cookie, SESSION_MS_MAX / 1000)
  return sessionReply({ ...caller, expiresAt, sessionId }, { token, device }, call)
}

export async function closeSession(
  caller: Caller,
  { db, now, request, reply }: Entrance & { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const { sessionId } = caller
  if (sessionId !== null) await db.transaction((tx) => revokeSession(tx, sessionId, { at: now(), why: 'logout' }))
  if (readCookie(request) !== null) setCookie({ request, reply }, cookieNameOf(request), '', 0)
}

/** Refuses passwords over plain HTTP beyond this machine, unless `ALLOW_PLAIN_HTTP` is on. */
export function refusePlainHttp(request: FastifyRequest, { config }: Pick<Entrance, 'config'>): void {
  if (config.mode !== 'plant' || config.allowPlainHttp || request.protocol === 'https') return
  if (!isLoopback(request.ip)) throw new Refused('plain_http')
}

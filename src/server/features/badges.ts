import { createHmac, hash, randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { BADGE_LOCK_MS, BADGE_LOCKS_MAX, badges, PIN_TRIES_MAX } from '../../contract/badges.ts'
import { badgeKey, badgeOf, isWeakPin, roleByBadge } from '../../domain/badges.ts'
import { bind } from '../http/bind.ts'
import type { Asking } from '../http/caller.ts'
import { readDevice } from '../http/devices.ts'
import type { Entrance } from '../http/entrance.ts'
import { findUserByPassword } from '../http/login.ts'
import { Answer, Refused } from '../http/refused.ts'
import { openSession } from '../http/session.ts'
import type { Call, Context } from '../panel.ts'
import { type Badge, endBadgeSessions, findBadge, findBadgeOf, saveBadge } from '../store/badges.ts'
import type { Tx } from '../store/db/db.ts'
import { deleteThrottles, deleteThrottlesUnder, findThrottle, takeTry } from '../store/login-throttles.ts'
import { isStation } from '../store/stations.ts'
import { findUserById, noteUser, takeUsersTurn, type User } from '../store/users.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { getUser } from './users.ts'

const CODE_RANDOM_LENGTH = 14
const LOCKS_WITHIN_MS = 24 * 3_600_000

const codeHashOf = (code: string) => hash('sha256', badgeKey(code), 'hex')

/** What of a PIN is hashed: without the key beside the database its few digits are soon guessed. */
const pepper = (key: Buffer, userId: number, pin: string): string =>
  createHmac('sha256', key).update(`pin.${userId}.${pin}`).digest('base64url')

/** `isOld`: it was set under the key before, which will be forgotten. */
async function verifyPin(
  pin: string,
  { userId, pinHash }: Pick<Badge, 'userId' | 'pinHash'>,
  { passwords, keys }: Pick<Entrance, 'passwords' | 'keys'>,
): Promise<{ isRight: boolean; isOld: boolean }> {
  if (await passwords.verify(pepper(keys.current, userId, pin), pinHash)) return { isRight: true, isOld: false }
  const { former } = keys
  const isOld = former !== null && (await passwords.verify(pepper(former, userId, pin), pinHash))
  return { isRight: isOld, isOld }
}

const hashPin = (pin: string, userId: number, { passwords, keys }: Entrance) =>
  passwords.hash(pepper(keys.current, userId, pin))

const lockedFor = (ms: number) => {
  const minutes = Math.ceil(ms / 60_000)
  return new Refused('badge_locked', {
    values: { minutes },
    headers: { 'retry-after': String(Math.ceil(ms / 1000)) },
  })
}

/** Before the device: what wrong PINs of one badge are counted under. */
const triesOf = (userId: number) => `badge:${userId}:`

const COLLISIONS_MAX = 5

/** Counts a try before its PIN is looked at, so of many at once only five are. Resolves to how many there were, this one included. */
async function takePinTry(name: string, { db, now }: Entrance): Promise<number> {
  for (let collisions = 0; collisions < COLLISIONS_MAX; collisions++) {
    const seen = await findThrottle(db.read, name)
    const waitMs = (seen?.nextAt ?? 0) - now()
    if (waitMs > 0) throw lockedFor(waitMs)
    // after a lock one begins anew
    const failures = seen && seen.failures < PIN_TRIES_MAX ? seen.failures + 1 : 1
    const nextAt = failures === PIN_TRIES_MAX ? now() + BADGE_LOCK_MS : 0
    if (await db.transaction((tx) => takeTry(tx, name, seen, { failures, nextAt, at: now() }))) return failures
  }
  throw lockedFor(1000)
}

/** The third lock within a day is for an administrator to end. Resolves to whether this is one. */
async function noteLock(userId: number, { db, now }: Entrance): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await takeUsersTurn(tx)
    const badge = await findBadgeOf(tx, userId)
    const earlier = [badge?.lastLockAt, badge?.earlierLockAt].filter((at) => at && now() - at < LOCKS_WITHIN_MS)
    const isBlocked = earlier.length + 1 >= BADGE_LOCKS_MAX
    await saveBadge(tx, userId, {
      lastLockAt: now(),
      earlierLockAt: badge?.lastLockAt ?? null,
      ...(isBlocked ? { blockedAt: now() } : {}),
    })
    if (isBlocked) await noteUser(tx, userId, now())
    return isBlocked
  })
}

type Entering = Entrance & Pick<Asking, 'request' | 'reply'>
type Typed = { codigo: string; pin: string }

/** Whose badge and PIN these are, on a shared station. Throws Refused. */
async function checkBadge({ codigo, pin }: Typed, call: Entering): Promise<User> {
  const { db, request, accesses } = call
  const device = readDevice(request)
  if (device === null || !(await isStation(db.read, device, 'shared'))) throw new Refused('badge_elsewhere')
  const badge = await findBadge(db.read, codeHashOf(codigo))
  const owner = badge && (await findUserById(db.read, badge.userId))
  if (!badge || !owner?.active) {
    // takes as long as a wrong PIN
    await call.passwords.verify(pin, null)
    await accesses.noteRefused('login_failed', request, { userId: 0, username: 'desconhecido' }, { badge: true })
    throw new Refused('badge_wrong')
  }
  const who = { userId: owner.id, username: owner.username }
  if (badge.pinHash === null) throw new Refused('badge_without_pin')
  if (badge.blockedAt !== null) {
    await accesses.noteRefused('login_throttled', request, who, { badge: true })
    throw new Refused('badge_blocked')
  }
  const name = `${triesOf(owner.id)}${device}`
  const failures = await takePinTry(name, call).catch(async (error: unknown) => {
    if (error instanceof Refused) await accesses.noteRefused('login_throttled', request, who, { badge: true })
    throw error
  })
  const { isRight, isOld } = await verifyPin(pin, badge, call)
  if (!isRight) {
    await accesses.noteRefused('login_failed', request, who, { badge: true })
    if (failures < PIN_TRIES_MAX) throw new Refused('badge_wrong')
    throw (await noteLock(owner.id, call)) ? new Refused('badge_blocked') : lockedFor(BADGE_LOCK_MS)
  }
  if (owner.directory !== null && call.directory && !(await call.directory.isStillThere(owner))) {
    await accesses.noteRefused('login_failed', request, who, { badge: true })
    throw new Refused('badge_wrong')
  }
  const pinHash = isOld ? await hashPin(pin, owner.id, call) : null
  await db.transaction(async (tx) => {
    await deleteThrottles(tx, [name])
    if (pinHash !== null) await saveBadge(tx, owner.id, { pinHash })
  })
  return owner
}

/** Changes something about one person's badge, with its line in the trail. */
async function changeBadge(
  call: Call,
  id: number,
  action: 'badge_issued' | 'badge_revoked' | 'badge_unblocked' | 'pin_set',
  change: (tx: Tx, user: User) => Promise<void>,
): Promise<void> {
  const { db, now } = call
  await db.transaction(async (tx) => {
    await takeUsersTurn(tx)
    const user = await findUserById(tx, id)
    if (!user) throw new Refused('not_found')
    await change(tx, user)
    await recordAuditEvent(tx, call, { action, kind: 'user', id, name: user.username })
    await noteUser(tx, id, now())
  })
}

async function forgetTries(tx: Tx, userId: number): Promise<void> {
  await saveBadge(tx, userId, { lastLockAt: null, earlierLockAt: null, blockedAt: null })
  await deleteThrottlesUnder(tx, triesOf(userId))
}

/** A new one ends the old one with all that was wrong with it. */
async function issueBadge(call: Call, id: number): Promise<string> {
  const code = badgeOf(Array.from({ length: CODE_RANDOM_LENGTH }, () => randomInt(36)))
  const { now } = call
  await changeBadge(call, id, 'badge_issued', async (tx, { role }) => {
    if (roleByBadge(role) !== 'operador') throw new Refused('badge_useless')
    await saveBadge(tx, id, { codeHash: codeHashOf(code), issuedAt: now() })
    await forgetTries(tx, id)
    await endBadgeSessions(tx, id, { at: now(), why: 'admin' })
  })
  return code
}

/** Whoever saw the old one may sit at a station with it. What they would deliver there is believed: most PINs are merely forgotten. */
async function setPin(call: Call, id: number, pin: string): Promise<void> {
  if (isWeakPin(pin)) throw new Refused('pin_weak')
  const pinHash = await hashPin(pin, id, call)
  await changeBadge(call, id, 'pin_set', async (tx) => {
    await saveBadge(tx, id, { pinHash })
    await endBadgeSessions(tx, id, { at: call.now(), why: 'new_pin', spared: call.caller.sessionId })
  })
}

export function badgeRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, badges.enter, async ({ body }, call) => {
    const owner = await checkBadge(body, call)
    const user = { ...owner, role: roleByBadge(owner.role) }
    const session = await openSession(user, body.deviceName ?? '', { ...call, byBadge: true })
    const details = { deviceName: body.deviceName ?? '', badge: true }
    await call.accesses.note('logged_in', call.request, { userId: user.id, username: user.username }, details)
    return session
  })

  bind(app, context, badges.setOwnPin, async ({ body: { currentPassword, pin } }, call) => {
    const { username, userId } = call.caller
    if (isWeakPin(pin)) throw new Refused('pin_weak')
    const user = await findUserByPassword({ username, password: currentPassword }, call.request, call)
    if (!user) throw new Refused('current_password_wrong')
    await setPin(call, userId, pin)
    return { message: 'PIN definido' }
  })

  bind(app, context, badges.issue, async ({ params: { id } }, call) => {
    return new Answer(201, { codigo: await issueBadge(call, id) })
  })

  bind(app, context, badges.revoke, async ({ params: { id } }, call) => {
    await changeBadge(call, id, 'badge_revoked', async (tx) => {
      await saveBadge(tx, id, { codeHash: null, issuedAt: null })
      await endBadgeSessions(tx, id, { at: call.now(), why: 'admin' })
    })
    return await getUser(call, id)
  })

  bind(app, context, badges.unblock, async ({ params: { id } }, call) => {
    await changeBadge(call, id, 'badge_unblocked', (tx) => forgetTries(tx, id))
    return await getUser(call, id)
  })

  bind(app, context, badges.setPin, async ({ params: { id }, body: { pin } }, call) => {
    await setPin(call, id, pin)
    return await getUser(call, id)
  })
}

import { createHmac, hash, randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { BADGE_LOCK_MS, BADGE_TRIES_A_DAY_MAX, badges, PIN_TRIES_MAX } from '../../contract/badges.ts'
import type { Session } from '../../contract/sessions.ts'
import { badgeKey, badgeOf, isWeakPin, roleByBadge } from '../../domain/people/badges.ts'
import { plantDay, toInstant } from '../../domain/plant/plant-time.ts'
import { bind } from '../http/bind.ts'
import type { Asking } from '../http/caller.ts'
import { readStation } from '../http/devices.ts'
import type { Entrance } from '../http/entrance.ts'
import { type Count, findUserByPassword, lockedFor, placeOf, tryUnder } from '../http/login.ts'
import { Answer, Refused } from '../http/refused.ts'
import { openSession } from '../http/session.ts'
import type { Call, Context } from '../panel.ts'
import {
  type Badge,
  countWrongPin,
  endBadgeSessions,
  findBadge,
  replacePinHash,
  saveBadge,
  takeWrongPins,
} from '../store/badges.ts'
import type { Tx } from '../store/db/db.ts'
import { deleteThrottlesUnder } from '../store/login-throttles.ts'
import { isStation } from '../store/stations.ts'
import { findUserById, noteUser, takeUsersTurn, type User } from '../store/users.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { getUser } from './users.ts'

const CODE_RANDOM_LENGTH = 14

const codeHashOf = (code: string) => hash('sha256', badgeKey(code), 'hex')

/** Mixes the server's key into a PIN before it is hashed: without it the few digits are soon guessed from the database. */
const pepper = (key: Buffer, userId: number, pin: string): string =>
  createHmac('sha256', key).update(`pin.${userId}.${pin}`).digest('base64url')

const hashPin = (pin: string, userId: number, { passwords, keys }: Entrance) =>
  passwords.hash(pepper(keys.current, userId, pin))

type PinOf = Pick<Badge, 'userId' | 'pinHash'>
const NO_PIN: PinOf = { userId: 0, pinHash: null }

/** No PIN takes as long as a wrong one. `isOld`: it was set under the key before, which will be forgotten. */
async function verifyPin(
  pin: string,
  { userId, pinHash }: PinOf,
  { passwords, keys, place }: Entrance & { place: string },
): Promise<{ isRight: boolean; isOld: boolean }> {
  if (await passwords.verify(pepper(keys.current, userId, pin), pinHash, place)) return { isRight: true, isOld: false }
  const { former } = keys
  const isOld = former !== null && (await passwords.verify(pepper(former, userId, pin), pinHash, place))
  return { isRight: isOld, isOld }
}

/** Before the device or the day: what wrong PINs of one card are counted under, whether anybody has it or not. */
const triesOf = (codeHash: string) => `badge:${codeHash}:`

function countsOf(codeHash: string, device: string, { now, config }: Entrance): Count[] {
  const card = triesOf(codeHash)
  return [
    { name: `${card}${device}`, kind: 'badge' },
    { name: `${card}${plantDay(now(), config.timeZone)}`, kind: 'day' },
    { name: `station:${device}`, kind: 'address' },
  ]
}

type Entering = Entrance & Pick<Asking, 'request' | 'reply'>
type Typed = { codigo: string; pin: string }
type Owned = { owner: User; badge: Badge }

async function findOwned(codeHash: string, { db }: Entrance): Promise<Owned | null> {
  const badge = await findBadge(db.read, { code_hash: codeHash })
  const owner = badge && (await findUserById(db.read, badge.userId))
  return badge && owner?.active ? { owner, badge } : null
}

const whoOf = (owned: Owned | null) => ({
  userId: owned?.owner.id ?? 0,
  username: owned?.owner.username ?? 'desconhecido',
})

/** Writes each wrong PIN of a person as a line of the trail: there are few in a day. Strange cards are folded. */
async function noteWrongPin(owned: Owned | null, isBlocked: boolean, call: Entering): Promise<void> {
  const { db, now, accesses, request } = call
  const details = { badge: true }
  if (owned === null) return await accesses.noteRefused('login_failed', request, whoOf(owned), details)
  await accesses.note('login_failed', request, whoOf(owned), details)
  const { id } = owned.owner
  await db.transaction(async (tx) => {
    await countWrongPin(tx, id, now())
    if (!isBlocked) return
    await saveBadge(tx, id, { blockedAt: now() })
    await noteUser(tx, id, now())
  })
}

/** Whether it is the PIN of this card, and its owner still has access. */
async function isEntered(owned: Owned | null, pin: string, call: Entering & { place: string }): Promise<Owned | null> {
  const { isRight, isOld } = await verifyPin(pin, owned?.badge ?? NO_PIN, call)
  if (!isRight || owned === null) return null
  const { owner } = owned
  if (owner.directory !== null && call.directory && !(await call.directory.isStillThere(owner))) return null
  if (isOld) {
    const pinHash = await hashPin(pin, owner.id, call)
    // one that was set meanwhile stays
    await call.db.transaction((tx) => replacePinHash(tx, owned.badge, pinHash))
  }
  return owned
}

/** Whose badge and PIN these are, on a shared station. Throws Refused. A strange card costs and is answered as one with an owner. */
async function checkBadge({ codigo, pin }: Typed, call: Entering): Promise<User> {
  const { db, request, accesses } = call
  const shown = readStation(request)
  const { device } = shown
  if (device === null || !(await isStation(db.read, shown, 'shared'))) throw new Refused('badge_elsewhere')
  const place = placeOf(device)
  const codeHash = codeHashOf(codigo)
  const owned = await findOwned(codeHash, call)
  if (owned && owned.badge.pinHash === null) {
    await verifyPin(pin, NO_PIN, { ...call, place })
    throw new Refused('badge_without_pin')
  }
  const enter = async () => {
    if (owned && owned.badge.blockedAt !== null) throw new Refused('badge_blocked')
    const counts = countsOf(codeHash, device, call)
    return await tryUnder(counts, call, () => isEntered(owned, pin, { ...call, place }))
  }
  const { found, failures } = await enter().catch(async (error: unknown) => {
    if (error instanceof Refused) await accesses.noteRefused('login_throttled', request, whoOf(owned), { badge: true })
    throw error
  })
  if (found !== null) return found.owner
  const [there = 0, today = 0] = failures
  const isBlocked = today >= BADGE_TRIES_A_DAY_MAX
  await noteWrongPin(owned, isBlocked, call)
  if (isBlocked) throw new Refused('badge_blocked')
  throw there < PIN_TRIES_MAX ? new Refused('badge_wrong') : lockedFor(BADGE_LOCK_MS)
}

/** Tells whoever has come in, once, of wrong PINs since the log-in before. */
export async function withWrongPins(session: Session, { id }: Pick<User, 'id'>, { db }: Entrance): Promise<Session> {
  const wrong = await takeWrongPins(db, id)
  return wrong === null ? session : { ...session, wrongPins: { count: wrong.count, since: toInstant(wrong.since) } }
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

async function unblock(tx: Tx, userId: number): Promise<void> {
  const badge = await findBadge(tx, { user_id: userId })
  await saveBadge(tx, userId, { blockedAt: null })
  if (badge?.codeHash) await deleteThrottlesUnder(tx, triesOf(badge.codeHash))
}

/** A new one ends the old one with all that was wrong with it. */
async function issueBadge(call: Call, id: number): Promise<string> {
  const code = badgeOf(Array.from({ length: CODE_RANDOM_LENGTH }, () => randomInt(36)))
  const { now } = call
  await changeBadge(call, id, 'badge_issued', async (tx, { role }) => {
    if (roleByBadge(role) !== 'operador') throw new Refused('badge_useless')
    await saveBadge(tx, id, { codeHash: codeHashOf(code), issuedAt: now(), blockedAt: null })
    await endBadgeSessions(tx, id, { at: now(), why: 'admin' })
  })
  return code
}

/**
 * Ends the badge's sessions, since somebody who saw the old PIN may sit at a station with it. Deliveries from there
 * stay trusted: most PINs are merely forgotten.
 */
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
    return await withWrongPins(session, user, call)
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
    await changeBadge(call, id, 'badge_unblocked', (tx) => unblock(tx, id))
    return await getUser(call, id)
  })

  bind(app, context, badges.setPin, async ({ params: { id }, body: { pin } }, call) => {
    await setPin(call, id, pin)
    return await getUser(call, id)
  })
}

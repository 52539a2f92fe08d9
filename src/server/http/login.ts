import type { FastifyRequest } from 'fastify'
import { BADGE_LOCK_MS, BADGE_TRIES_A_DAY_MAX, PIN_TRIES_MAX } from '../../contract/badges.ts'
import { USERNAME_LENGTH_MAX } from '../../contract/sessions.ts'
import { isDeviceOf } from '../store/devices.ts'
import { deleteThrottles, findThrottle, giveBackTry, type Throttle, takeTry } from '../store/login-throttles.ts'
import { getPasswordAt, updatePasswordAt } from '../store/password-confirmations.ts'
import { findUserByName, type User, usernameKey } from '../store/users.ts'
import { noteRefusedLogin } from './accesses.ts'
import type { Asking } from './caller.ts'
import { readDevice, readFormerDevice } from './devices.ts'
import { DirectoryAway, type Entrance } from './entrance.ts'
import { networkOf } from './origin.ts'
import { PasswordsBusy } from './passwords.ts'
import { Refused, refusedFor } from './refused.ts'

/** So long a session may do, after its password was typed, what a stranger at an open tablet must not. */
const CONFIRMED_MS = 5 * 60_000

/** Refuses where the password was typed too long ago. Where it came with the call itself there is no session. */
export async function requireConfirmation({
  caller,
  db,
  now,
}: Pick<Entrance & Asking, 'caller' | 'db' | 'now'>): Promise<void> {
  if (caller.sessionId === null) return
  const sinceMs = now() - (await getPasswordAt(db.read, caller.sessionId))
  // a clock that was put back proves nothing
  if (Math.abs(sinceMs) > CONFIRMED_MS) throw new Refused('password_needed')
}

/** Takes its turn with the tries of the entrance, and is counted with them. */
export async function confirmPassword(password: string, call: Entrance & Asking): Promise<void> {
  const { username, sessionId } = call.caller
  const user = await findUserByPassword({ username, password }, call.request, call)
  if (!user) throw new Refused('current_password_wrong')
  if (sessionId !== null) await call.db.transaction((tx) => updatePasswordAt(tx, sessionId, call.now()))
}

/** Key of the count of wrong tries at one person's password. */
export const throttleOf = (username: string): string => `user:${username}`

/**
 * The keys that count an attempt. A device on which this person has logged in before has a key of its own and ignores its
 * address, so neither guesses of strangers nor neighbours behind the same address lock it out.
 */
async function throttlesOf(
  username: string,
  request: FastifyRequest,
  context: Entrance,
): Promise<{ counts: Count[]; place: string }> {
  const device = await findDeviceOf(username, request, context)
  if (device !== null) {
    return { counts: [{ name: `device:${device}:${username}`, kind: 'person' }], place: placeOf(device) }
  }
  const address: Count = { name: `address:${networkOf(request.ip)}`, kind: 'address' }
  return { counts: [{ name: throttleOf(username), kind: 'person' }, address], place: address.name }
}

/** In the queue for hashing: of a device that the server knows. Anybody can make up others. */
export const placeOf = (device: string): string => `device:${device}`

async function findDeviceOf(username: string, request: FastifyRequest, context: Entrance): Promise<string | null> {
  const device = readDevice(request)
  if (device !== null && (await isDeviceOf(context.db.read, device, username))) return device
  const former = readFormerDevice(request, context)
  return former?.users.includes(username) ? former.id : null
}

type Credentials = { username: string; password: string }

/**
 * The user with this password, or null. The attempt is counted before the hash is computed, so of ten thousand guesses at
 * once only a few reach it.
 */
export async function findUserByPassword(
  credentials: Credentials,
  request: FastifyRequest,
  context: Entrance,
): Promise<User | null> {
  const username = await accountOf(credentials.username, context)
  try {
    const user = await tryOnce(username, request, context, (place) =>
      enter({ ...credentials, username }, place, context),
    )
    if (!user) await noteRefusedLogin('login_failed', username, request, context)
    return user
  } catch (error) {
    if (error instanceof Refused) await noteRefusedLogin('login_throttled', username, request, context)
    throw error
  }
}

/** A local user wins over one of the directory, and needs no directory to come in. */
async function enter({ username, password }: Credentials, place: string, context: Entrance): Promise<User | null> {
  const { db, passwords, directory } = context
  const user = await findUserByName(db.read, username)
  if (directory !== null && (user === null || user.directory !== null)) {
    return await directory.enter({ username, password })
  }
  const isRight = await passwords.verify(password, user?.active ? user.passwordHash : null, place)
  return isRight ? user : null
}

/** One account, however its name was typed: its tries are counted together. A local user may have a name with a domain. */
export async function accountOf(typed: string, { db, directory }: Entrance): Promise<string> {
  const name = usernameKey(typed)
  const account = directory?.accountNameOf(name) ?? name
  const isLocal = account !== name && (await findUserByName(db.read, name))?.directory === null
  return (isLocal ? name : account).slice(0, USERNAME_LENGTH_MAX)
}

/** `check` after its try was counted; null is a wrong one. `name`: of what is guessed at. `place`: in the queue for hashing. */
export async function tryOnce<T>(
  name: string,
  request: FastifyRequest,
  context: Entrance,
  check: (place: string) => Promise<T | null>,
): Promise<T | null> {
  const { counts, place } = await throttlesOf(name, request, context)
  return (await tryUnder(counts, context, () => check(place))).found
}

/** As above, with a refusal that is the same for a wrong name and a wrong password. */
export async function checkPassword(
  credentials: Credentials,
  request: FastifyRequest,
  context: Entrance,
): Promise<User> {
  const user = await findUserByPassword(credentials, request, context)
  if (user) return user
  const hasDomain = context.directory?.isNameWithDomain(await accountOf(credentials.username, context))
  throw new Refused(hasDomain ? 'credentials_with_domain' : 'credentials_invalid')
}

/** Wrong tries that cost nothing: people mistype, and many tablets share one address. */
const freeTries = { person: 4, address: 30 }
const DELAY_MS_MAX = 15 * 60_000
/** Two people who log in at the same instant collide once or twice, not five times. */
const COLLISIONS_MAX = 5
const HOUR_MS = 3_600_000

/** How long after the n-th wrong try in a row the next one has to wait. */
const delayMs = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free), DELAY_MS_MAX)

const later = (waitMs: number) => refusedFor('too_many_attempts', waitMs)
export const lockedFor = (waitMs: number) => refusedFor('badge_locked', waitMs)

type Kind = {
  delayMs: (failures: number) => number
  refused: (waitMs: number) => Refused
  /** Beyond them none is taken, however long one waits. */
  max?: number
  /** With each hour that begins half is forgotten. */
  isHalved: boolean
  /** A right try forgives all that were wrong; else it takes back itself alone. */
  isForgiving: boolean
}

/** Many people share an address or a station, and a badge's owner comes in between guesses: what is right resets neither. */
const kinds = {
  person: { delayMs: (n) => delayMs(n, freeTries.person), refused: later, isHalved: false, isForgiving: true },
  address: { delayMs: (n) => delayMs(n, freeTries.address), refused: later, isHalved: true, isForgiving: false },
  /** A badge on one station. */
  badge: {
    delayMs: (n) => (n < PIN_TRIES_MAX ? 0 : BADGE_LOCK_MS),
    refused: lockedFor,
    isHalved: true,
    isForgiving: false,
  },
  /** A badge on all stations; each day has a name of its own. */
  day: {
    ...{ delayMs: () => 0, refused: () => new Refused('badge_blocked') },
    ...{ max: BADGE_TRIES_A_DAY_MAX, isHalved: false, isForgiving: false },
  },
} as const satisfies Record<string, Kind>

/** Wrong tries that are counted together. */
export type Count = { name: string; kind: keyof typeof kinds }

/** State of a count; refuses while its next try has to wait. */
async function findOpen({ name, kind }: Count, { db, now }: Entrance): Promise<Throttle | null> {
  const throttle = await findThrottle(db.read, name)
  const { refused, max = Number.POSITIVE_INFINITY }: Kind = kinds[kind]
  const waitMs = (throttle?.nextAt ?? 0) - now()
  if (waitMs > 0 || (throttle?.failures ?? 0) >= max) throw refused(waitMs)
  return throttle
}

const halved = ({ failures, updatedAt }: Throttle, now: number): number =>
  Math.floor(failures / 2 ** Math.max(0, Math.floor(now / HOUR_MS) - Math.floor(updatedAt / HOUR_MS)))

/** Counts a try under one throttle. Resolves to the tries so far, this one included. */
async function takeTryOf(count: Count, context: Entrance): Promise<number> {
  const { db, now } = context
  const kind: Kind = kinds[count.kind]
  for (let collisions = 0; collisions < COLLISIONS_MAX; collisions++) {
    const seen = await findOpen(count, context)
    const earlier = kind.isHalved && seen ? halved(seen, now()) : (seen?.failures ?? 0)
    const failures = earlier + 1
    const delay = kind.delayMs(failures)
    const next = { failures, nextAt: delay === 0 ? 0 : now() + delay, at: now() }
    if (await db.transaction((tx) => takeTry(tx, count.name, seen, next))) return failures
  }
  throw kind.refused(1000)
}

async function giveBack(counts: readonly Count[], { db }: Entrance): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { name } of counts) await giveBackTry(tx, name)
  })
}

/** Counts a try under each throttle, or under none where one of them refuses. Resolves to the tries of each, this one included. */
async function takeTries(counts: readonly Count[], context: Entrance): Promise<number[]> {
  for (const count of counts.slice(1)) await findOpen(count, context)
  const failures: number[] = []
  for (const [at, count] of counts.entries()) {
    const taken = takeTryOf(count, context).catch(async (error: unknown) => {
      await giveBack(counts.slice(0, at), context)
      throw error
    })
    failures.push(await taken)
  }
  return failures
}

type Tried<T> = { found: T; failures: null } | { found: null; failures: number[] }

/**
 * `check` after its try was counted, so of ten thousand guesses at once only a few reach it; null is a wrong one, with how many
 * there are of each count. What was not checked is not counted.
 */
export async function tryUnder<T>(
  counts: readonly Count[],
  context: Entrance,
  check: () => Promise<T | null>,
): Promise<Tried<T>> {
  const failures = await takeTries(counts, context)
  const found = await check().catch(async (error: unknown) => {
    if (error instanceof PasswordsBusy || error instanceof DirectoryAway) await giveBack(counts, context)
    throw error
  })
  if (found === null) return { found: null, failures }
  await context.db.transaction(async (tx) => {
    for (const { name, kind } of counts)
      await (kinds[kind].isForgiving ? deleteThrottles(tx, [name]) : giveBackTry(tx, name))
  })
  return { found, failures: null }
}

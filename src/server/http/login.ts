import type { FastifyRequest } from 'fastify'
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
import { Refused } from './refused.ts'

/** So long a session may do, after its password was typed, what a stranger at an open tablet must not. */
export const CONFIRMED_MS = 5 * 60_000

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

/** Wrong tries that cost nothing: people mistype, and many tablets share one address. */
const freeTries = { person: 4, address: 30 }
const DELAY_MS_MAX = 15 * 60_000
/** Two people who log in at the same instant collide once or twice, not five times. */
const COLLISIONS_MAX = 5

/** What the wrong tries at one person's password are counted under. */
export const throttleOf = (username: string): string => `user:${username}`

/** How long after the n-th wrong try in a row the next one has to wait. */
export const delayMs = (failures: number, free: number): number =>
  failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free), DELAY_MS_MAX)

/**
 * The keys that count an attempt. A device on which this person has logged in before has a key of its own and ignores its
 * address, so neither guesses of strangers nor neighbours behind the same address lock it out.
 */
async function throttlesOf(username: string, request: FastifyRequest, context: Entrance) {
  const device = await findDeviceOf(username, request, context)
  if (device !== null) return { person: `device:${device}:${username}`, address: null, place: placeOf(device) }
  const address = `address:${networkOf(request.ip)}`
  return { person: throttleOf(username), address, place: address }
}

/** In the queue for hashing: of a device that the server knows. Anybody can make up others. */
export const placeOf = (device: string): string => `device:${device}`

async function findDeviceOf(username: string, request: FastifyRequest, context: Entrance): Promise<string | null> {
  const device = readDevice(request)
  if (device !== null && (await isDeviceOf(context.db.read, device, username))) return device
  const former = readFormerDevice(request, context)
  return former?.users.includes(username) ? former.id : null
}

/** What is known of a count; refuses while its next try has to wait. */
async function findOpenThrottle(name: string, { db, now }: Entrance): Promise<Throttle | null> {
  const throttle = await findThrottle(db.read, name)
  const waitMs = (throttle?.nextAt ?? 0) - now()
  if (waitMs <= 0) return throttle
  const seconds = Math.ceil(waitMs / 1000)
  throw new Refused('too_many_attempts', { values: { seconds }, headers: { 'retry-after': String(seconds) } })
}

const HOUR_MS = 3_600_000

/** Many people share an address: of what they mistype together half is forgotten with each hour that begins. */
const halved = ({ failures, updatedAt }: Throttle, now: number): number =>
  Math.floor(failures / 2 ** Math.max(0, Math.floor(now / HOUR_MS) - Math.floor(updatedAt / HOUR_MS)))

async function takeTryOf(name: string, kind: keyof typeof freeTries, context: Entrance): Promise<void> {
  const { db, now } = context
  for (let collisions = 0; collisions < COLLISIONS_MAX; collisions++) {
    const seen = await findOpenThrottle(name, context)
    const earlier = kind === 'address' && seen ? halved(seen, now()) : (seen?.failures ?? 0)
    const failures = earlier + 1
    const next = { failures, nextAt: now() + delayMs(failures, freeTries[kind]), at: now() }
    if (await db.transaction((tx) => takeTry(tx, name, seen, next))) return
  }
  throw new Refused('too_many_attempts', { values: { seconds: 1 }, headers: { 'retry-after': '1' } })
}

/** The password was never checked, so the attempt does not count. */
async function giveBackTries(names: readonly string[], { db }: Entrance): Promise<void> {
  await db.transaction(async (tx) => {
    for (const name of names) await giveBackTry(tx, name)
  })
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
  const { db } = context
  const { person, address, place } = await throttlesOf(name, request, context)
  // a try that its person's count refuses must not count against everybody at that address, nor the other way round
  if (address !== null) await findOpenThrottle(address, context)
  await takeTryOf(person, 'person', context)
  if (address !== null) {
    await takeTryOf(address, 'address', context).catch(async (error: unknown) => {
      await giveBackTries([person], context)
      throw error
    })
  }
  const found = await check(place).catch(async (error: unknown) => {
    const isUnchecked = error instanceof PasswordsBusy || error instanceof DirectoryAway
    if (isUnchecked) await giveBackTries([person, ...(address === null ? [] : [address])], context)
    throw error
  })
  if (found === null) return null
  await db.transaction(async (tx) => {
    await deleteThrottles(tx, [person])
    if (address !== null) await giveBackTry(tx, address)
  })
  return found
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

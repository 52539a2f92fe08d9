import type { FastifyRequest } from 'fastify'
import { USERNAME_LENGTH_MAX } from '../../contract/sessions.ts'
import { isDeviceOf } from '../store/devices.ts'
import { getPasswordAt, updatePasswordAt } from '../store/password-confirmations.ts'
import { findUserByName, type User, usernameKey } from '../store/users.ts'
import { noteRefusedLogin } from './accesses.ts'
import type { Asking } from './caller.ts'
import { readDevice, readFormerDevice } from './devices.ts'
import type { Entrance } from './entrance.ts'
import { networkOf } from './origin.ts'
import { Refused } from './refused.ts'
import { type Count, tryUnder } from './tries.ts'

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

/** What the wrong tries at one person's password are counted under. */
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

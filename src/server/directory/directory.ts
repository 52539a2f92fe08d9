import { setTimeout } from 'node:timers/promises'
import { accountNameOf, isNameWithDomain } from '../../domain/people/directory.ts'
import type { Accesses } from '../http/accesses.ts'
import { type Directory, DirectoryAway } from '../http/entrance.ts'
import { PasswordsBusy } from '../http/passwords.ts'
import type { Outside } from '../outside.ts'
import type { Tx } from '../store/db/db.ts'
import { revokeSessionsOf } from '../store/sessions.ts'
import {
  findUserById,
  findUserByName,
  insertUser,
  listDirectoryUsers,
  NO_PASSWORD,
  noteUser,
  takeUsersTurn,
  type User,
  updateUser,
} from '../store/users.ts'
import { recordAuditEvent } from '../upkeep/audit.ts'
import { openServiceAccount } from './account.ts'
import { type Ldap, openLdap, type Person } from './ldap.ts'
import type { DirectorySettings } from './settings.ts'
import { openDirectoryState } from './state.ts'
import { tryOut } from './trial.ts'

/** The chore comes by each minute, so that a leaver is out within 15. */
const LOOK_EVERY_MS = 14 * 60_000
/** Somebody with a badge in hand does not wait for a directory that hangs. */
const BADGE_WAIT_MS = 3000
/** How long after a session's end its frozen work may come (decision 029). */
const GRANT_MS = 7 * 86_400_000

/** More than these do not leave within minutes: a base, a filter, a group or a right of the service account is wrong. */
const LEAVERS_WITHOUT_ANYBODY_MAX = 4
/** Log-ins at the directory at once: one that hangs must not fill this server with waiting ones. */
const ENTERING_MAX = 20

const caller = { userId: 0, username: 'diretório' }
const LEFT = 'Fora do diretório, desativado ou sem grupo'

type Given = Pick<Outside, 'db' | 'now' | 'elapsedMs' | 'log'> & { accesses: Accesses }

/** An admin has decided it here: what the directory says opens nothing. */
const isShutOut = ({ active, directory }: User): boolean => !active && directory !== 'gone'

/** As the directory knows this person by now. Null where a local user has taken the name, or an admin has shut them out meanwhile. */
async function admit(tx: Tx, { username, fullName, role }: Person, now: () => number): Promise<User | null> {
  await takeUsersTurn(tx)
  const known = await findUserByName(tx, username)
  if (known === null) return await addPerson(tx, { username, fullName, role }, now)
  if (known.directory === null || isShutOut(known)) return null
  const was = { fullName: known.fullName, role: known.role, active: known.active }
  const is = { fullName, role, active: true }
  if (JSON.stringify(was) === JSON.stringify(is)) return known
  await updateUser(tx, known.id, { ...is, directory: 'present' })
  const change = { action: 'user_changed', kind: 'user', id: known.id, name: username, was, is } as const
  await recordAuditEvent(tx, { caller, now }, change)
  await noteUser(tx, known.id, now())
  return { ...known, ...is, directory: 'present' }
}

async function addPerson(tx: Tx, { username, fullName, role }: Person, now: () => number): Promise<User> {
  const user = { username, fullName, role, passwordHash: NO_PASSWORD, directory: 'present' } as const
  const created = await insertUser(tx, { ...user, createdAt: now() })
  const { id, username: name } = created
  const is = { fullName, role }
  await recordAuditEvent(tx, { caller, now }, { action: 'user_created', kind: 'user', id, name, is })
  await noteUser(tx, id, now())
  return created
}

/** As an admin deactivates somebody. Resolves to how many live sessions it ended. */
async function dismiss(tx: Tx, id: number, now: () => number): Promise<number> {
  await takeUsersTurn(tx)
  const user = await findUserById(tx, id)
  if (!user?.active || user.directory !== 'present') return 0
  await updateUser(tx, id, { active: false, directory: 'gone' })
  const ended = await revokeSessionsOf(tx, id, { at: now(), why: 'deactivated', spared: null })
  const change = { name: user.username, was: { active: true }, is: { active: false }, details: { because: LEFT } }
  await recordAuditEvent(tx, { caller, now }, { action: 'user_changed', kind: 'user', id, ...change })
  await noteUser(tx, id, now())
  return ended
}

/** Resolves to whom it looked at: `also`, and all whose sessions or grants are good. */
async function endLeavers(ldap: Ldap, { db, now, accesses }: Given, also: number | null): Promise<number[]> {
  const users = await listDirectoryUsers(db.read, { sessionsAfter: now() - GRANT_MS, also })
  if (users.length === 0) {
    await ldap.check()
    return []
  }
  const people = await ldap.listPeople(users.map(({ username }) => username))
  if (people.length === 0 && users.length > LEAVERS_WITHOUT_ANYBODY_MAX) {
    throw new DirectoryAway('nobody', `none of ${users.length} people was found with a group of LDAP_GROUPS`)
  }
  const byName = new Map(people.map((person) => [person.username, person]))
  for (const { id, username, fullName, role } of users) {
    const person = byName.get(username)
    if (person?.fullName === fullName && person.role === role) continue
    if (person) await db.transaction((tx) => admit(tx, person, now))
    else {
      const sessions = await db.transaction((tx) => dismiss(tx, id, now))
      const who = { userId: id, username }
      if (sessions > 0) await accesses.note('session_over', { ip: '' }, who, { by: caller.username, sessions })
    }
  }
  return users.map(({ id }) => id)
}

/** The users of the company's directory, and how long each is believed. Throws ConfigError. */
export async function openDirectory(given: Given, settings: DirectorySettings): Promise<Directory> {
  const { db, now, elapsedMs, log } = given
  const account = openServiceAccount(now)
  const ldap = await openLdap(settings, account)
  const state = openDirectoryState(given)
  let lookedAtMs = Number.NEGATIVE_INFINITY
  /** When this server last heard of each user. */
  const seenAtMs = new Map<number, number>()
  let isLooking = false
  let entering = 0

  const lookAtAll = async (also: number | null): Promise<void> => {
    const beganMs = elapsedMs()
    for (const id of await state.noted(endLeavers(ldap, given, also))) seenAtMs.set(id, beganMs)
  }

  return {
    accountNameOf: (typed) => accountNameOf(typed, settings),
    isNameWithDomain: (name) => isNameWithDomain(name, settings),
    async enter({ username, password }) {
      const known = await findUserByName(db.read, username)
      if (known && isShutOut(known)) return null
      if (entering >= ENTERING_MAX) throw new PasswordsBusy('too many passwords are being checked')
      entering++
      const person = await state.noted(ldap.findByPassword(username, password)).finally(() => entering--)
      const user = person && (await db.transaction((tx) => admit(tx, person, now)))
      if (user) seenAtMs.set(user.id, elapsedMs())
      return user
    },
    async look() {
      if (isLooking || elapsedMs() - lookedAtMs < LOOK_EVERY_MS) return
      isLooking = true
      const beganMs = elapsedMs()
      try {
        await lookAtAll(null)
        lookedAtMs = beganMs
      } catch (error) {
        if (!(error instanceof DirectoryAway)) throw error
      } finally {
        isLooking = false
      }
    },
    async isStillThere({ id }) {
      if (elapsedMs() - (seenAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return true
      // all together: an answer that knows nobody of many is no answer
      const look = lookAtAll(id).catch((error: unknown) => {
        if (!(error instanceof DirectoryAway))
          log.warn({ err: error, repeats: true }, 'the directory could not be looked at')
      })
      await Promise.race([look, setTimeout(BADGE_WAIT_MS, null, { ref: false })])
      return (await findUserById(db.read, id))?.active === true
    },
    async watch() {
      await state.reached(ldap.greet()).catch((error: unknown) => {
        if (!(error instanceof DirectoryAway)) throw error
      })
    },
    facts: () => ({ ...state.read(), access: account.access() }),
    async tryOut(username) {
      const noting = { describe: (name: string) => state.noted(ldap.describe(name)) }
      const isWithDomain = isNameWithDomain(username, settings)
      return await tryOut(username, await findUserByName(db.read, username), { ldap: noting, settings, isWithDomain })
    },
  }
}

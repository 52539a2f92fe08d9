import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ADMIN_PASSWORD_LENGTH_MIN } from '../../contract/sessions.ts'
import { type User, users } from '../../contract/users.ts'
import { auditActionTexts } from '../../domain/audit-entries.ts'
import { type CsvColumns, csvCode, csvPages, csvText } from '../../domain/csv.ts'
import { isEasilyGuessed } from '../../domain/passwords.ts'
import { roleTexts } from '../../domain/permissions.ts'
import { toInstant } from '../../domain/plant-time.ts'
import { type MomentText, stepLabels } from '../../domain/traces.ts'
import type { Config } from '../config.ts'
import { noteSessionsOver } from '../http/accesses.ts'
import { bind } from '../http/bind.ts'
import { throttleOf } from '../http/login.ts'
import { isCommon, type Passwords } from '../http/passwords.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import { type Db, isUniqueViolation, type Reader, type Tx } from '../store/db/db.ts'
import { noteChanges } from '../store/live-changes.ts'
import { deleteThrottles } from '../store/login-throttles.ts'
import { listPersonLines, type PersonLine } from '../store/person-lines.ts'
import { revokeSessionsOf } from '../store/sessions.ts'
import { saveSetting } from '../store/settings.ts'
import {
  countActiveAdmins,
  findListedUser,
  findUserById,
  findUserByName,
  insertUser,
  type ListedUser,
  listUsers,
  type User as StoredUser,
  updateUser,
} from '../store/users.ts'
import { type Actor, recordAuditEvent } from '../upkeep/audit.ts'

/** What the screen and the command line both do with users. */
type Outside = Actor & { db: Db; passwords: Passwords; config: Pick<Config, 'siteName'> }

/** Serialises user changes, also between servers: two at once could remove the last two admins. */
export const takeTurn = (tx: Tx) => saveSetting(tx, 'users-turn', randomUUID())

export const noteUser = (tx: Tx, id: number, at: number) =>
  noteChanges(
    tx,
    [
      { topic: 'users', key: String(id) },
      { topic: 'sessions', key: '' },
    ],
    at,
  )

type Owner = Pick<StoredUser, 'username' | 'fullName' | 'role'>

const isLong = (password: string): boolean => password.length >= ADMIN_PASSWORD_LENGTH_MIN

async function hashOf({ passwords, config }: Outside, password: string, owner: Owner): Promise<string> {
  const { username, fullName, role } = owner
  if (role === 'admin' && !isLong(password)) throw new Refused('password_short')
  const isWeak = isCommon(password) || isEasilyGuessed(password, [username, fullName, config.siteName])
  if (isWeak) throw new Refused('password_weak')
  return await passwords.hash(password)
}

export type NewUser = Pick<StoredUser, 'username' | 'fullName' | 'role'> & { password: string }

/** Returns the id. */
export async function createUser(outside: Outside, { password, ...user }: NewUser): Promise<number> {
  const { db, now } = outside
  const passwordHash = await hashOf(outside, password, user)
  try {
    return await db.transaction(async (tx) => {
      await insertUser(tx, { ...user, passwordHash, hasLongPassword: isLong(password), createdAt: now() })
      const created = await findUserByName(tx, user.username)
      if (!created) throw new Error('the user that was just inserted is not there')
      const { id, username: name, fullName, role } = created
      await recordAuditEvent(tx, outside, { action: 'user_created', kind: 'user', id, name, is: { fullName, role } })
      await noteUser(tx, id, now())
      return id
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refused('user_exists')
    throw error
  }
}

export type UserChange = Partial<Pick<StoredUser, 'fullName' | 'role' | 'active'>>

/**
 * Revoking access ends the sessions for good: giving it back revives none. Resolves to the number of live sessions ended.
 * Throws Refused.
 */
export async function changeUser(outside: Outside, id: number, change: UserChange): Promise<number> {
  const { db, now } = outside
  return await db.transaction(async (tx) => {
    await takeTurn(tx)
    const user = await findUserById(tx, id)
    if (!user) throw new Refused('not_found')
    const { fullName, role, active } = user
    const was = { fullName, role, active }
    const is = { ...was, ...change }
    if (JSON.stringify(is) === JSON.stringify(was)) return 0
    const isAdmin = (one: typeof was) => one.role === 'admin' && one.active
    if (isAdmin(was) && !isAdmin(is) && (await countActiveAdmins(tx)) === 1) throw new Refused('last_admin')
    if (is.role === 'admin' && was.role !== 'admin' && !user.hasLongPassword) throw new Refused('promotion_short')
    await updateUser(tx, id, is)
    const ended = is.active ? 0 : await revokeSessionsOf(tx, id, { at: now(), why: 'deactivated', spared: null })
    await recordAuditEvent(tx, outside, { action: 'user_changed', kind: 'user', id, name: user.username, was, is })
    await noteUser(tx, id, now())
    return ended
  })
}

type NewPassword = {
  password: string
  /** The caller's session. */
  spared: string | null
  /** The hash of the one that its owner has shown to know. */
  replaced?: string
}

/**
 * Ends the user's sessions, because another person may know the old password. Resolves to how many were live. Throws
 * Refused.
 */
export async function setPassword(
  outside: Outside,
  id: number,
  { password, spared, replaced }: NewPassword,
): Promise<number> {
  const { db, now } = outside
  const user = await findUserById(db.read, id)
  if (!user) throw new Refused('not_found')
  const { username } = user
  const passwordHash = await hashOf(outside, password, user)
  return await db.transaction(async (tx) => {
    await takeTurn(tx)
    // a concurrent reset by an administrator wins: it may be a defence against the holder of the old password
    const isOutdated = replaced !== undefined && (await findUserById(tx, id))?.passwordHash !== replaced
    if (isOutdated) throw new Refused('current_password_wrong')
    await updateUser(tx, id, { passwordHash, hasLongPassword: isLong(password) })
    const why = replaced === undefined ? 'admin_password' : 'own_password'
    const ended = await revokeSessionsOf(tx, id, { at: now(), why, spared })
    // somebody who forgot the password has tried too often
    await deleteThrottles(tx, [throttleOf(username)])
    await recordAuditEvent(tx, outside, { action: 'password_set', kind: 'user', id, name: username })
    await noteUser(tx, id, now())
    return ended
  })
}

const replyOf = ({ createdAt, lastUsedAt, ...user }: ListedUser): User => ({
  ...user,
  createdAt: toInstant(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toInstant(lastUsedAt),
})

export async function getUser(db: Reader, id: number): Promise<User> {
  const user = await findListedUser(db, id)
  if (!user) throw new Refused('not_found')
  return replyOf(user)
}

export function userRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, users.list, async (_, { db }) => (await listUsers(db.read)).map(replyOf))

  bind(app, context, users.create, async ({ body }, call) => {
    const id = await createUser(call, { ...body, fullName: body.fullName.trim() || body.username })
    return new Answer(201, await getUser(call.db.read, id))
  })

  bind(app, context, users.change, async ({ params: { id }, body: { fullName, role, active } }, call) => {
    const ended = await changeUser(call, id, {
      ...(fullName === undefined ? {} : { fullName: fullName.trim() }),
      ...(role === undefined ? {} : { role }),
      ...(active === undefined ? {} : { active }),
    })
    const user = await getUser(call.db.read, id)
    await noteSessionsOver(call, user, ended)
    return user
  })

  bind(app, context, users.setPassword, async ({ params: { id }, body: { password } }, call) => {
    // the finder of an open session must not take over the account
    if (id === call.caller.userId) throw new Refused('own_password')
    const ended = await setPassword(call, id, { password, spared: null })
    const user = await getUser(call.db.read, id)
    await noteSessionsOver(call, user, ended)
    return user
  })
}

function cellsOf(line: PersonLine, momentText: MomentText): string[] {
  const moment = momentText(toInstant(line.at))
  if (line.kind === 'session') {
    const where = [line.device, line.agent, line.address].filter((text) => text !== '').join(' · ')
    return [moment, 'Sessão', csvText(where), '', `Último uso ${momentText(toInstant(line.lastUsedAt))}`]
  }
  if (line.kind === 'recording') {
    const what = [csvCode(line.order), csvCode(line.item)]
    return [moment, `Apontamento: ${stepLabels[line.part]}`, ...what, csvText(`${line.machine} ${line.pieces} peças`)]
  }
  if (line.kind === 'retained') {
    return [moment, `Apontamento retido: ${stepLabels[line.part]}`, csvText(line.device), '', '']
  }
  const where = line.kind === 'access' ? `Endereço ${line.address}` : line.subject
  return [moment, auditActionTexts[line.action], csvText(where), '', '']
}

/** What the panel stores under a user (LGPD, right of access), as a file that may be long. */
export const personCsv = (db: Db, user: ListedUser, momentText: MomentText): AsyncGenerator<string> =>
  csvPages(personColumns, readCells(db, user, momentText))

const personColumns: CsvColumns<string[]> = ['Quando', 'O que', 'Onde ou em que', 'Item', 'Detalhes'].map(
  (head, at) => [head, (cells) => cells[at] ?? ''],
)

async function* readCells(db: Db, user: ListedUser, momentText: MomentText): AsyncGenerator<string[][]> {
  const access = user.active ? 'ativo' : 'desativado'
  const account = [csvText(user.fullName), csvText(user.username), `${roleTexts[user.role]}, ${access}`]
  yield [[momentText(toInstant(user.createdAt)), 'Cadastro de usuário', ...account]]
  for await (const line of listPersonLines(db.read, user.id)) yield [cellsOf(line, momentText)]
}

import type { FastifyInstance } from 'fastify'
import type { Input } from '../../contract/endpoint.ts'
import { refusalText } from '../../contract/errors.ts'
import { ADMIN_PASSWORD_LENGTH_MIN } from '../../contract/sessions.ts'
import { type User, users } from '../../contract/users.ts'
import { auditActionTexts, auditDetailsText } from '../../domain/people/audit-entries.ts'
import { isEasilyGuessed } from '../../domain/people/passwords.ts'
import { roleTexts } from '../../domain/people/permissions.ts'
import { type ImportedUser, type LineFault, readUserImport } from '../../domain/people/user-imports.ts'
import { dayText, toInstant } from '../../domain/plant/plant-time.ts'
import { samplesText } from '../../domain/reports/trace-samples.ts'
import { type MomentText, stepLabels } from '../../domain/reports/traces.ts'
import { type CsvColumns, csvCode, csvPages, csvText } from '../../domain/text/csv.ts'
import { partName } from '../../domain/tools/wear-parts.ts'
import type { CommandConfig } from '../config.ts'
import { noteSessionsOver } from '../http/accesses.ts'
import { bind } from '../http/bind.ts'
import { throttleOf } from '../http/login.ts'
import { isCommon, type Passwords } from '../http/passwords.ts'
import { Answer, Refused } from '../http/refused.ts'
import type { Context } from '../panel.ts'
import type { Db, Tx } from '../store/db/db.ts'
import { deleteThrottles } from '../store/login-throttles.ts'
import { listPersonLines, type PersonLine } from '../store/person-lines.ts'
import { revokeSessionsOf } from '../store/sessions.ts'
import {
  countActiveAdmins,
  findListedUser,
  findUserById,
  insertUser,
  type ListedUser,
  listUsers,
  NO_PASSWORD,
  noteUser,
  type User as StoredUser,
  takeUsersTurn,
  updateUser,
} from '../store/users.ts'
import { type Actor, recordAuditEvent, refusingTwins } from '../upkeep/audit.ts'

/** Dependencies of what the screen and the command line both do with users. */
type Outside = Actor & { db: Db; passwords: Passwords; config: Pick<CommandConfig, 'siteName' | 'directory'> }

type Owner = Pick<StoredUser, 'username' | 'fullName' | 'role'>

const isLong = (password: string): boolean => password.length >= ADMIN_PASSWORD_LENGTH_MIN

const isWeak = (password: string, { username, fullName }: Owner, { config }: Outside): boolean =>
  isCommon(password) || isEasilyGuessed(password, [username, fullName, config.siteName])

function requireLength(password: string, { role }: Pick<Owner, 'role'>): void {
  if (role === 'admin' && !isLong(password)) throw new Refused('password_short')
}

async function hashOf(outside: Outside, password: string, owner: Owner): Promise<string> {
  requireLength(password, owner)
  if (isWeak(password, owner, outside)) throw new Refused('password_weak')
  return await outside.passwords.hash(password)
}

type NewUser = Pick<StoredUser, 'username' | 'fullName' | 'role'> & { password: string }

type Hashed = Omit<NewUser, 'password'> & { passwordHash: string; hasLongPassword: boolean }

async function insertNew(tx: Tx, outside: Outside, user: Hashed, details: object = {}): Promise<StoredUser> {
  const { now } = outside
  const created = await insertUser(tx, { ...user, createdAt: now() })
  const { id, username: name, fullName, role } = created
  const event = { action: 'user_created', kind: 'user', id, name, is: { fullName, role }, details } as const
  await recordAuditEvent(tx, outside, event)
  await noteUser(tx, id, now())
  return created
}

/** `claim`: in the same transaction before it; throws where somebody else was first. */
export async function createUser(
  outside: Outside,
  { password, ...user }: NewUser,
  claim: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<StoredUser> {
  const passwordHash = await hashOf(outside, password, user)
  const hashed = { ...user, passwordHash, hasLongPassword: isLong(password) }
  return await refusingTwins('user_exists', () =>
    outside.db.transaction(async (tx) => {
      await claim(tx)
      return await insertNew(tx, outside, hashed)
    }),
  )
}

const refuseImport = (faults: readonly LineFault[]): never => {
  const details = faults.map(({ line, message }) => ({ field: `Linha ${line}`, message }))
  throw new Refused('import_refused', { values: { count: faults.length }, details })
}

/** Users of an import file. Refuses the file for each fault that is known without creating them. */
async function readImport(outside: Outside, content: string): Promise<ImportedUser[]> {
  const { users: read, faults } = readUserImport(content)
  const taken = new Set((await listUsers(outside.db.read)).map(({ username }) => username))
  const known = read.flatMap((user): LineFault[] => {
    const { line, username, password } = user
    if (taken.has(username)) return [{ line, message: `Já existe um usuário ${username}.` }]
    const isRefused = password !== null && isWeak(password, user, outside)
    return isRefused ? [{ line, message: refusalText('password_weak') }] : []
  })
  const all = [...faults, ...known].sort((a, b) => a.line - b.line)
  return all.length > 0 ? refuseImport(all) : read
}

/** All of them or none. */
async function importUsers(outside: Outside, wanted: readonly ImportedUser[]): Promise<void> {
  const hashed: Hashed[] = []
  // one after the other: people who log in meanwhile take their turns
  for (const { line, password, ...user } of wanted) {
    const passwordHash = password === null ? NO_PASSWORD : await outside.passwords.hash(password)
    hashed.push({ ...user, passwordHash, hasLongPassword: password !== null && isLong(password) })
  }
  await refusingTwins('user_exists', () =>
    outside.db.transaction(async (tx) => {
      for (const user of hashed) await insertNew(tx, outside, user, { because: 'Importação de CSV' })
    }),
  )
}

/** The directory says who they are; without one they are users to whom an admin may give a password. */
const isOfDirectory = ({ directory }: Pick<StoredUser, 'directory'>, { config }: Pick<Outside, 'config'>): boolean =>
  directory !== null && config.directory !== null

type UserChange = Input<typeof users.change>['body']

/**
 * Revoking access ends the sessions for good: giving it back revives none. Resolves to the number of live sessions ended.
 * Throws Refused.
 */
export async function changeUser(outside: Outside, id: number, change: UserChange): Promise<number> {
  const { db, now } = outside
  return await db.transaction(async (tx) => {
    await takeUsersTurn(tx)
    const user = await findUserById(tx, id)
    if (!user) throw new Refused('not_found')
    const was = { fullName: user.fullName, role: user.role, active: user.active }
    const { fullName = was.fullName, role = was.role, active = was.active } = change
    const is = { fullName, role, active }
    if (JSON.stringify(is) === JSON.stringify(was)) return 0
    const isOther = fullName !== was.fullName || role !== was.role
    if (isOther && isOfDirectory(user, outside)) throw new Refused('directory_user')
    const isAdmin = (one: typeof was) => one.role === 'admin' && one.active && user.directory === null
    if (isAdmin(was) && !isAdmin(is) && (await countActiveAdmins(tx)) === 1) throw new Refused('last_admin')
    if (is.role === 'admin' && was.role !== 'admin' && !user.hasLongPassword) throw new Refused('promotion_short')
    await updateUser(tx, id, { ...is, ...(user.directory === null ? {} : { directory: 'present' }) })
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
  if (isOfDirectory(user, outside)) throw new Refused('directory_user')
  const { username } = user
  const passwordHash = await hashOf(outside, password, user)
  return await db.transaction(async (tx) => {
    await takeUsersTurn(tx)
    // a concurrent reset by an administrator wins: it may be a defence against the holder of the old password
    const is = await findUserById(tx, id)
    if (replaced !== undefined && is?.passwordHash !== replaced) throw new Refused('current_password_wrong')
    // somebody may have been made an administrator meanwhile
    requireLength(password, is ?? user)
    await updateUser(tx, id, { passwordHash, hasLongPassword: isLong(password), directory: null })
    const why = replaced === undefined ? 'admin_password' : 'own_password'
    const ended = await revokeSessionsOf(tx, id, { at: now(), why, spared })
    // somebody who forgot the password has tried too often
    await deleteThrottles(tx, [throttleOf(username)])
    await recordAuditEvent(tx, outside, { action: 'password_set', kind: 'user', id, name: username })
    await noteUser(tx, id, now())
    return ended
  })
}

const replyOf = (
  { createdAt, lastUsedAt, directory, ...user }: ListedUser,
  outside: Pick<Outside, 'config'>,
): User => ({
  ...user,
  isFromDirectory: isOfDirectory({ directory }, outside),
  createdAt: toInstant(createdAt),
  lastUsedAt: lastUsedAt === null ? null : toInstant(lastUsedAt),
})

export async function getUser(outside: Pick<Outside, 'db' | 'config'>, id: number): Promise<User> {
  const user = await findListedUser(outside.db.read, id)
  if (!user) throw new Refused('not_found')
  return replyOf(user, outside)
}

export function userRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, users.list, async (_, call) => (await listUsers(call.db.read)).map((user) => replyOf(user, call)))

  bind(app, context, users.create, async ({ body }, call) => {
    const { id } = await createUser(call, body)
    return new Answer(201, await getUser(call, id))
  })

  bind(app, context, users.importAll, async ({ body: { content, preview } }, call) => {
    const wanted = await readImport(call, content)
    if (!preview) await importUsers(call, wanted)
    return wanted.map(({ password, ...user }) => ({ ...user, hasPassword: password !== null }))
  })

  bind(app, context, users.change, async ({ params: { id }, body }, call) => {
    const ended = await changeUser(call, id, body)
    const user = await getUser(call, id)
    await noteSessionsOver(call, user, ended)
    return user
  })

  bind(app, context, users.setPassword, async ({ params: { id }, body: { password } }, call) => {
    // the finder of an open session must not take over the account
    if (id === call.caller.userId) throw new Refused('own_password')
    const ended = await setPassword(call, id, { password, spared: null })
    const user = await getUser(call, id)
    await noteSessionsOver(call, user, ended)
    return user
  })
}

const callActTexts: Record<Extract<PersonLine, { kind: 'call' }>['act'], string> = {
  opened: 'abriu',
  joined: 'chamou também',
  acknowledged: 'atendeu',
  settled: 'encerrou',
}

/** Its author may have named other people there. */
const freeTexts = (texts: readonly string[]) => texts.map((text) => `Texto livre: ${text}`)
const written = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ')

/** What, where, item and details; those left out at the end are empty. */
function cellsOf(line: PersonLine, momentText: MomentText): string[] {
  if (line.kind === 'session') {
    const where = csvText(written(line.device, line.agent, line.address))
    return ['Sessão', where, '', `Último uso ${momentText(toInstant(line.lastUsedAt))}`]
  }
  if (line.kind === 'recording') {
    const done = written(`${line.machine} ${line.pieces} peças`, line.device, ...freeTexts(line.texts))
    return [`Apontamento: ${stepLabels[line.part]}`, csvCode(line.order), csvCode(line.item), csvText(done)]
  }
  if (line.kind === 'call') return [`Chamado ${line.number}: ${callActTexts[line.act]}`, csvCode(line.machine)]
  if (line.kind === 'sample') {
    const measured = `${line.machine} ${samplesText(line.caracteristica, line.valores).toLowerCase()}`
    return ['Medição', csvCode(line.order), csvCode(line.item), csvText(measured)]
  }
  if (line.kind === 'scrapped') {
    const what = `${line.isRework ? 'Retrabalho' : 'Refugo'}${line.act === 'undone' ? ' desfeito' : ''}`
    const done = written(`${line.machine} ${line.pieces} peças`.trim(), line.reason, ...freeTexts(line.texts))
    return [what, csvCode(line.order), csvCode(line.item), csvText(done)]
  }
  if (line.kind === 'retained') return [`Apontamento retido: ${stepLabels[line.part]}`, csvText(line.device)]
  if (line.kind === 'part') {
    const what = line.act === 'mounted' ? 'Peça montada' : 'Peça retirada'
    return [what, csvCode(line.unit), '', csvText(partName(line.part))]
  }
  if (line.kind === 'task') {
    const done = written(
      `${line.task}, feita em ${dayText(line.day)}`,
      ...freeTexts(line.note === '' ? [] : [line.note]),
    )
    return ['Tarefa de manutenção', csvCode(line.unit), '', csvText(done)]
  }
  if (line.kind === 'release')
    return ['Liberação', csvCode(line.place), '', csvText(written(...freeTexts([line.reason])))]
  if (line.kind === 'named') return [line.said, '', '', csvText(written(...freeTexts(line.texts)))]
  const action = auditActionTexts[line.action]
  if (line.kind === 'access') return [action, csvText(`Endereço ${line.address}`), '', csvText(line.device)]
  const reason = line.reason === '' ? [] : freeTexts([line.reason])
  return [action, csvText(line.subject), '', csvText(written(...reason, auditDetailsText(line.details)))]
}

/** All that the panel stores under a user (LGPD, right of access), as a file that may be long. */
export const personCsv = (db: Db, user: ListedUser, momentText: MomentText): AsyncGenerator<string> =>
  csvPages(personColumns, readCells(db, user, momentText))

const personColumns: CsvColumns<string[]> = ['Quando', 'O que', 'Onde ou em que', 'Item', 'Detalhes'].map(
  (head, at) => [head, (cells) => cells[at] ?? ''],
)

const badgeTexts: Record<ListedUser['badge'], string> = {
  none: '',
  no_pin: ', com crachá sem PIN',
  good: ', com crachá e PIN',
  blocked: ', com crachá bloqueado',
}

async function* readCells(db: Db, user: ListedUser, momentText: MomentText): AsyncGenerator<string[][]> {
  const access = user.active ? 'ativo' : 'desativado'
  const origin = user.directory === null ? '' : ', do diretório'
  const known = `${roleTexts[user.role]}, ${access}${origin}${badgeTexts[user.badge]}`
  const account = [csvText(user.fullName), csvText(user.username), known]
  yield [[momentText(toInstant(user.createdAt)), 'Cadastro de usuário', ...account]]
  for await (const line of listPersonLines(db.read, user)) {
    yield [[momentText(toInstant(line.at)), ...cellsOf(line, momentText)]]
  }
}

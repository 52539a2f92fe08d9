import { createWriteStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { issueText, refusalText } from '../../contract/errors.ts'
import { Password, Username } from '../../contract/sessions.ts'
import { FullName } from '../../contract/users.ts'
import { type Role, roles } from '../../contract/values.ts'
import { roleTexts } from '../../domain/people/permissions.ts'
import { dayText, momentTextOf, plantDay } from '../../domain/plant/plant-time.ts'
import { type CommandConfig, ConfigError, readCommandConfig, readEnvironment } from '../config.ts'
import { changeUser, createUser, personCsv, setPassword } from '../features/users.ts'
import { openPasswords, type Passwords } from '../http/passwords.ts'
import { Refused } from '../http/refused.ts'
import { type Db, findOutage } from '../store/db/db.ts'
import { migrate } from '../store/db/migrate.ts'
import { databaseName, openStore, PRIVATE_UMASK, storeFault } from '../store/db/open-store.ts'
import { faultTextOf } from '../store/file-faults.ts'
import { hasTables } from '../store/settings.ts'
import { findListedUser, findUserByName, listUsers, type User, usernameKey } from '../store/users.ts'
import { BackupError, backUpOlder } from '../upkeep/backups.ts'
import { refuseClosedFolders } from '../upkeep/folders.ts'
import { completeCommandConfig } from '../upkeep/installation-settings.ts'
import { CommandError } from './command.ts'

const USAGE = `Uso: npm run user -- add NOME --full-name "Nome Completo" --role ${roles.join('|')}
     npm run user -- password NOME
     npm run user -- disable NOME
     npm run user -- enable NOME
     npm run user -- list
     npm run user -- export NOME`

/** Exit code that a shell expects after Ctrl+C. */
const INTERRUPTED = 130

const faultOf = ({ issues: [issue] }: { issues: Parameters<typeof issueText>[0][] }) => (issue ? issueText(issue) : '')

const nowhere = () => new Writable({ write: (_, __, done) => done() })

/** From the keyboard, unseen and twice; or the first line of standard input when that is no terminal. */
async function readPassword(): Promise<string> {
  const { stdin, stdout } = process
  const { isTTY } = stdin
  // the line editor would echo what is typed
  const lines = createInterface({ input: stdin, output: nowhere(), terminal: isTTY, historySize: 0 })
  lines.on('SIGINT', () => process.exit(INTERRUPTED))
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    if (isTTY) stdout.write(question)
    const { value = '' } = await typed.next()
    if (isTTY) stdout.write('\n')
    return value
  }
  const password = Password.safeParse(await ask('Senha: '))
  if (!password.success) throw new CommandError(`${password.error.issues[0]?.message}.`)
  if (isTTY && (await ask('Senha de novo: ')) !== password.data) throw new CommandError('As senhas não são iguais.')
  lines.close()
  return password.data
}

/** The actor of audit events: the command line has no session. */
const caller = { userId: 0, username: 'linha de comando' }

type Work = { db: Db; config: CommandConfig; passwords: Passwords; now: () => number; caller: typeof caller }

const noDatabase = (config: CommandConfig) =>
  new CommandError(
    `Não há banco de dados do painel em ${databaseName(config)}. Diga qual é por DATA_DIR ou DATABASE_URL; se é novo, inicie o painel antes.`,
  )

/** Somebody may have another one in mind. */
const sayDone = ({ config }: Work, sentence: string): void =>
  console.log(`${sentence} Banco de dados: ${databaseName(config)}`)

async function openWork(): Promise<Work> {
  const env = readEnvironment()
  const given = readCommandConfig(env)
  const { database } = given
  refuseClosedFolders(given)
  // opening one would make it
  const isThere = database.kind === 'mysql' || (statSync(database.file, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (!isThere) throw noDatabase(given)
  const db = openStore(given)
  const outage = await findOutage(db.read)
  if (outage) throw new CommandError(`O banco de dados não respondeu (${outage.message}).`)
  if (!(await hasTables(db.read))) {
    await db.close()
    throw noDatabase(given)
  }
  await backUpOlder(db, given, Date.now())
  await migrate(db)
  const { config } = await completeCommandConfig(db.read, env, given)
  return { db, config, passwords: openPasswords(), now: Date.now, caller }
}

async function getUser({ db }: Work, username: string): Promise<User> {
  const user = await findUserByName(db.read, username)
  if (!user) throw new CommandError(`O usuário ${usernameKey(username)} não existe. Veja todos: npm run user -- list`)
  return user
}

async function addUser(work: Work, username: string, fullName: string, role: Role, password: string): Promise<void> {
  await createUser(work, { username, fullName, role, password })
  sayDone(work, `Usuário ${usernameKey(username)} criado (${role}).`)
}

async function allow(work: Work, username: string, active: boolean): Promise<void> {
  const user = await getUser(work, username)
  const already = user.active === active ? 'já estava ' : ''
  await changeUser(work, user.id, { active })
  const rest = active || already ? '' : ' As sessões dele acabaram.'
  sayDone(work, `Usuário ${user.username} ${already}${active ? 'ativo' : 'desativado'}.${rest}`)
}

async function list({ db, config }: Work): Promise<void> {
  const dayOf = (at: number) => dayText(plantDay(at, config.timeZone))
  const rows = (await listUsers(db.read)).map((user) => [
    user.username,
    user.fullName,
    roleTexts[user.role],
    `${user.active ? 'ativo' : 'desativado'}${user.directory === null ? '' : ', diretório'}`,
    user.lastUsedAt === null ? '-' : dayOf(user.lastUsedAt),
  ])
  if (rows.length === 0) return console.log('Nenhum usuário. Crie o primeiro: npm run user -- add NOME --role admin')
  const table = [['usuário', 'nome', 'papel', 'acesso', 'último uso'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of table)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Writes all that is stored about a person, for that person. */
async function exportPerson(work: Work, username: string): Promise<void> {
  const { id } = await getUser(work, username)
  const user = await findListedUser(work.db.read, id)
  if (!user) return
  const { db, config } = work
  const name = `pessoa_${user.username.replace(/[^\w.@-]/g, '_')}_${plantDay(work.now(), config.timeZone)}.csv`
  // where it was typed: npm and `./painel` go to the panel's own folder first
  const file = resolve(process.env.INIT_CWD ?? '', name)
  const rows = Readable.from(personCsv(db, user, momentTextOf(config.timeZone)))
  // the file is about one person: readable by its owner only
  await pipeline(rows, createWriteStream(file, { mode: 0o600 }))
  console.log(`Gravado em ${file}`)
}

type Command = (work: Work) => Promise<void>

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { 'full-name': { type: 'string' }, role: { type: 'string' } },
    })
  } catch {
    throw new CommandError(USAGE)
  }
}

/** Checks the arguments, and reads the password, before any database is opened. */
async function readCommand(): Promise<Command> {
  const { values, positionals } = readArguments()
  const [verb = '', username = '', ...more] = positionals
  const isLonely = verb === 'list' ? username === '' : more.length === 0 && username !== ''
  if (!isLonely || (verb !== 'add' && Object.keys(values).length > 0)) throw new CommandError(USAGE)
  if (verb === 'list') return list
  const name = Username.safeParse(username)
  if (!name.success) throw new CommandError(`NOME inválido: ${faultOf(name.error)}.`)
  if (verb === 'disable') return (work) => allow(work, username, false)
  if (verb === 'export') return (work) => exportPerson(work, username)
  if (verb === 'enable') return (work) => allow(work, username, true)
  if (verb === 'password') {
    const password = await readPassword()
    return async (work) => {
      const { id, username: known } = await getUser(work, username)
      await setPassword(work, id, { password, spared: null })
      sayDone(work, `Senha de ${known} trocada. As sessões dele acabaram.`)
    }
  }
  const role = roles.find((known) => known === values.role)
  if (verb !== 'add' || !role) throw new CommandError(USAGE)
  const fullName = FullName.safeParse(values['full-name']?.trim() || username)
  if (!fullName.success) throw new CommandError(`Nome completo inválido: ${faultOf(fullName.error)}.`)
  const password = await readPassword()
  return (work) => addUser(work, username, fullName.data, role, password)
}

async function run(): Promise<void> {
  process.umask(PRIVATE_UMASK)
  const command = await readCommand()
  const work = await openWork()
  try {
    await command(work)
  } finally {
    await work.db.close()
  }
}

run().catch((error: unknown) => {
  const expected = [CommandError, ConfigError, BackupError].some((kind) => error instanceof kind)
  if (error instanceof Refused) console.error(refusalText(error.code))
  // as where the file of an export may not be written
  else if (error instanceof Error && 'syscall' in error && 'path' in error) console.error(`${faultTextOf(error)}.`)
  else console.error(expected ? (error as Error).message : (storeFault(error) ?? error))
  process.exit(1)
})

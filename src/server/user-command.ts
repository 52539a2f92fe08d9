import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { PASSWORD_LENGTH_MAX, USERNAME_LENGTH_MAX } from '../contract/sessions.ts'
import { type Role, roles } from '../contract/values.ts'
import { ConfigError, readConfig, readEnvironment } from './config.ts'
import { openStore } from './open-store.ts'
import { openPasswords } from './passwords.ts'
import { findOutage, isUniqueViolation } from './store/db.ts'
import { migrate } from './store/migrate.ts'
import { insertUser } from './store/users.ts'

const USAGE = 'Uso: npm run user -- add NOME --full-name "Nome Completo" --role operador|admin'
const PASSWORD_LENGTH_MIN = 8

class CommandError extends Error {}

/** From the keyboard, unseen; or the first line of standard input when that is no terminal. */
async function readPassword(): Promise<string> {
  const { stdin, stdout } = process
  const lines = createInterface({ input: stdin, output: stdout, terminal: stdin.isTTY })
  if (stdin.isTTY) {
    stdout.write('Senha: ')
    // what is typed would be echoed by the line editor
    Object.assign(lines, { _writeToOutput: () => undefined })
  }
  const password = stdin.isTTY ? await lines.question('') : ((await lines[Symbol.asyncIterator]().next()).value ?? '')
  lines.close()
  if (stdin.isTTY) stdout.write('\n')
  return password
}

async function addUser(username: string, fullName: string, role: Role): Promise<void> {
  const password = await readPassword()
  if (password.length < PASSWORD_LENGTH_MIN) {
    throw new CommandError(`A senha precisa de pelo menos ${PASSWORD_LENGTH_MIN} caracteres.`)
  }
  if (password.length > PASSWORD_LENGTH_MAX) throw new CommandError('A senha é longa demais.')
  const db = openStore(readConfig(readEnvironment()))
  try {
    const outage = await findOutage(db.read)
    if (outage) throw new CommandError(`O banco de dados não respondeu (${outage.message}).`)
    await migrate(db)
    const passwordHash = await openPasswords().hash(password)
    await db.transaction((tx) => insertUser(tx, { username, fullName, role, passwordHash, createdAt: Date.now() }))
    console.log(`Usuário ${username} criado (${role}).`)
  } catch (error) {
    if (isUniqueViolation(error)) throw new CommandError(`O usuário ${username} já existe.`)
    throw error
  } finally {
    await db.close()
  }
}

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

async function run(): Promise<void> {
  const { values, positionals } = readArguments()
  const [verb, username = '', ...more] = positionals
  const role = roles.find((known) => known === values.role)
  const nameIsGood = new RegExp(`^[\\w.@-]{1,${USERNAME_LENGTH_MAX}}$`).test(username)
  if (verb !== 'add' || more.length > 0 || !role || !nameIsGood) throw new CommandError(USAGE)
  await addUser(username, values['full-name']?.trim() || username, role)
}

run().catch((error: unknown) => {
  const expected = error instanceof CommandError || error instanceof ConfigError
  console.error(expected ? (error as Error).message : error)
  process.exit(1)
})

import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createConnection } from 'mysql2/promise'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startErpSimulator } from '../../src/erp-simulator/simulator.ts'
import { openPasswords } from '../../src/server/passwords.ts'
import { openDb } from '../../src/server/store/db.ts'
import { insertUser } from '../../src/server/store/users.ts'
import { cutOf, temporaryFolder, UNTOUCHED } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { compileCache, type PanelProcess, startPanel } from '../support/panel.ts'

const PASSWORD = 'senha-do-operador'
const ERP_PASSWORD = 'senha-do-erp'
const DATABASE_PASSWORD = 'senha-do-banco'

const runUserCommand = (args: string[], env: Record<string, string>, input = `${PASSWORD}\n`) =>
  spawnSync(process.execPath, ['src/server/user-command.ts', ...args], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: temporaryFolder(), NODE_COMPILE_CACHE: compileCache, ...env },
    input,
    encoding: 'utf8',
  })

async function plantErp() {
  const simulator = await startErpSimulator({ password: ERP_PASSWORD, user: 'painel' })
  onTestFinished(() => simulator.close())
  return { simulator, env: { ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD } }
}

async function startPlant(env: Record<string, string>): Promise<PanelProcess> {
  const panel = await startPanel({ env })
  onTestFinished(() => panel.stop())
  const added = runUserCommand(['add', 'maria', '--role', 'operador'], { ...env, DATA_DIR: panel.dataDir })
  expect(added.stdout, added.stderr).toBe('Usuário maria criado (operador).\n')
  return panel
}

const post = (panel: PanelProcess, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(panel.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

async function login(panel: PanelProcess, headers: Record<string, string> = {}) {
  const answer = await post(panel, '/api/auth/login', { username: 'maria', password: PASSWORD }, headers)
  expect(answer.status).toBe(200)
  const cookies = answer.headers.getSetCookie().map((line) => line.slice(line.indexOf('=') + 1, line.indexOf(';')))
  return { ...((await answer.json()) as { token: string; deliveryGrant: string }), cookies }
}

/** An address for the database at which nobody answers until `open`. */
async function lateDatabase(port: number) {
  const gate: Server = createServer((socket) => {
    const database = connect(port, '127.0.0.1')
    pipeline(socket, database, socket, () => undefined)
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port: gatePort } = gate.address() as AddressInfo
  gate.close()
  await once(gate, 'close')
  onTestFinished(() => void gate.close())
  return { port: gatePort, open: () => gate.listen(gatePort, '127.0.0.1') }
}

/** A database on the tests' MariaDB whose address holds a password, as a plant's does. */
async function plantDatabase(): Promise<URL> {
  const url = new URL(await freshDatabase())
  const connection = await createConnection(url.href)
  const name = url.pathname.slice(1)
  await connection.query(`CREATE USER '${name}'@'127.0.0.1' IDENTIFIED BY '${DATABASE_PASSWORD}'`)
  await connection.query(`GRANT ALL ON ${name}.* TO '${name}'@'127.0.0.1'`)
  await connection.end()
  url.username = name
  url.password = DATABASE_PASSWORD
  return url
}

describe('SIGTERM', () => {
  test('lets what is under way be answered, says goodbye with code 0; a second one changes nothing', async () => {
    const { simulator, env } = await plantErp()
    const panel = await startPlant(env)
    const { token } = await login(panel)
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${panel.url}/api/apontamentos/itens/${UNTOUCHED}?filial=010101`, { headers })
    await simulator.state.setFaults([{ id: 'F05', operation: 'apontamentos' }])
    const callsBefore = simulator.state.log.length
    const answer = post(panel, '/api/apontamentos/corte-crimpagem', cutOf(1), {
      ...headers,
      'idempotency-key': randomUUID(),
    })
    await expect.poll(() => simulator.state.log.length, { timeout: 10_000 }).toBeGreaterThan(callsBefore)
    const ends = [panel.kill('SIGTERM'), panel.kill('SIGTERM')]
    expect((await answer).status).toBe(202)
    expect(await Promise.all(ends)).toEqual([0, 0])
    await expect(fetch(`${panel.url}/health`)).rejects.toThrow()
    await simulator.state.setFaults([])
    await panel.restart()
    const status = await fetch(`${panel.url}/api/status`)
    expect(await status.json()).toMatchObject({ pending: 1 })
  })

  test('ends a server that still waits for its database', async () => {
    const { port } = await lateDatabase(0)
    const panel = await startPanel({ env: { DATABASE_URL: `mysql://painel@127.0.0.1:${port}/painel` } })
    onTestFinished(() => panel.stop())
    expect(await panel.kill('SIGTERM')).toBe(0)
  })
})

describe('a plant on MariaDB', () => {
  test('waits for a database that is away, says so meanwhile, and works when it is there', {
    timeout: 120_000,
  }, async () => {
    const url = await plantDatabase()
    const gate = await lateDatabase(Number(url.port))
    url.port = String(gate.port)
    const panel = await startPanel({ env: { DATABASE_URL: url.href } })
    onTestFinished(() => panel.stop())
    expect(panel.logs()).toMatch(/ECONNREFUSED.*the database is out of reach; waiting for it/)
    const ready = await fetch(`${panel.url}/ready`)
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        ready: false,
        message: 'Banco de dados indisponível. Tente novamente em instantes.',
        code: 'store_unavailable',
      },
    ])
    gate.open()
    await expect
      .poll(
        () =>
          fetch(`${panel.url}/ready`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200)
    expect(panel.logs()).toContain(`Painel Industrial: ${panel.url}`)
    expect(panel.logs()).not.toContain(DATABASE_PASSWORD)
  })

  test.each([
    [
      'the password is wrong',
      (url: URL) => {
        url.password = 'outra'
      },
    ],
    [
      'there is no such database',
      (url: URL) => {
        url.pathname = '/outro'
      },
    ],
  ])('does not wait where waiting is of no use: %s', async (_, spoil) => {
    const url = await plantDatabase()
    spoil(url)
    const env = { DATABASE_URL: url.href, DATA_DIR: temporaryFolder(), PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, ['src/server/main.ts'], { env, encoding: 'utf8' })
    expect(stderr).toMatch(/^O banco de dados de DATABASE_URL recusou a entrada \(.*\)\.\n$/)
    expect(stderr).not.toContain(url.password)
    expect(status).toBe(1)
  })

  test('does not begin on a database that would lose or mix up what it is given', async () => {
    const url = await plantDatabase()
    const connection = await createConnection(url.href)
    await connection.query('CREATE TABLE settings (name varchar(64)) COLLATE utf8mb4_general_ci')
    await connection.end()
    const env = { DATABASE_URL: url.href, DATA_DIR: temporaryFolder(), PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, ['src/server/main.ts'], { env, encoding: 'utf8' })
    expect(stderr).toBe(
      'O banco de dados de DATABASE_URL compara os textos da tabela settings por utf8mb4_general_ci: o painel precisa de utf8mb4_nopad_bin.\n',
    )
    expect(status).toBe(1)
  })

  test('prints no password, token, cookie or grant, at whatever level', async () => {
    const erp = await plantErp()
    const env = { ...erp.env, DATABASE_URL: (await plantDatabase()).href, LOG_LEVEL: 'trace' }
    const panel = await startPlant(env)
    const pair = await login(panel, { 'sec-fetch-site': 'same-origin' })
    const program = await login(panel)
    const basic = btoa(`maria:${program.token}`)
    for (const authorization of [`Bearer ${program.token}`, `Basic ${basic}`, `Grant ${program.deliveryGrant}`]) {
      const id = { 'idempotency-key': randomUUID() }
      await post(panel, '/api/apontamentos/corte-crimpagem', cutOf(1), { authorization, ...id })
    }
    await post(panel, '/api/auth/login', { username: 'maria', password: `${PASSWORD}!` })
    await post(panel, '/api/auth/refresh', {}, { authorization: `Bearer ${pair.token}` })
    expect(await panel.kill('SIGTERM')).toBe(0)
    const printed = panel.logs()
    expect(printed).toContain('/api/apontamentos/corte-crimpagem')
    const tokens = [pair, program].flatMap(({ token, deliveryGrant, cookies }) => [token, deliveryGrant, ...cookies])
    expect(tokens.length).toBeGreaterThan(5)
    for (const secret of [...tokens, basic, PASSWORD, ERP_PASSWORD, DATABASE_PASSWORD]) {
      expect(printed).not.toContain(secret)
    }
  })

  test('refuses the database of a demonstration, where everybody knows the passwords', async () => {
    const panel = await startPanel()
    onTestFinished(() => panel.stop())
    await panel.kill('SIGTERM')
    const { env } = await plantErp()
    const result = spawnSync(process.execPath, ['src/server/main.ts'], {
      env: { ...env, DATA_DIR: panel.dataDir, PORT: '0' },
      encoding: 'utf8',
    })
    expect(result.stderr).toMatch(/^ERP_URL não vale aqui: o banco .* é de uma demonstração\. .*\n$/)
    expect(result.status).toBe(1)
  })

  test('refuses a user who is called as one of the demonstration and has that password', async () => {
    const { env } = await plantErp()
    const panel = await startPlant(env)
    await panel.kill('SIGTERM')
    const database = openDb({ kind: 'sqlite', file: join(panel.dataDir, 'painel.sqlite') })
    const user = { username: 'operador', fullName: 'Rui Alves', role: 'operador' as const, createdAt: Date.now() }
    const passwordHash = await openPasswords().hash(user.username)
    await database.transaction((tx) => insertUser(tx, { ...user, passwordHash }))
    await database.close()
    const result = spawnSync(process.execPath, ['src/server/main.ts'], {
      env: { ...env, DATA_DIR: panel.dataDir, PORT: '0' },
      encoding: 'utf8',
    })
    expect(result.stderr).toMatch(/^O usuário operador tem a senha operador, que todos conhecem\. .*\n$/)
    expect(result.status).toBe(1)
  })
})

describe('npm run user', () => {
  test.each([
    [[]],
    [['add']],
    [['add', 'maria']],
    [['add', 'maria', '--role', 'chefe']],
    [['list', 'maria']],
    [['password']],
    [['disable', 'maria', '--role', 'admin']],
    [['add', 'maria', 'jose', '--role', 'admin']],
    [['add', 'maria', '--role', 'admin', '--senha', 'x']],
    [['remove', 'maria', '--role', 'admin']],
  ])('%j says how it is used', (args) => {
    const { status, stdout, stderr } = runUserCommand(args, {})
    expect(stderr).toMatch(/^Uso: npm run user -- add NOME --full-name "Nome Completo" --role operador\|admin\n/)
    expect([status, stdout]).toEqual([1, ''])
  })

  test('a name that some keyboard cannot type is refused', () => {
    const { status, stderr } = runUserCommand(['add', 'ma ria', '--role', 'admin'], {})
    expect([status, stderr]).toEqual([1, 'NOME não vale: Use letras sem acento, números, ponto, hífen, _ ou @.\n'])
  })

  const add = ['add', 'maria', '--role', 'admin']

  test.each([
    ['', 'A senha precisa de pelo menos 8 caracteres.\n'],
    ['curta\n', 'A senha precisa de pelo menos 8 caracteres.\n'],
    [`${'x'.repeat(5000)}\n`, 'A senha é longa demais.\n'],
    ['12345678\n', 'Senha fácil de adivinhar. Escolha outra.\n'],
  ])('refuses a bad password', (input, sentence) => {
    const { status, stderr } = runUserCommand(add, {}, input)
    expect([status, stderr]).toEqual([1, sentence])
  })

  test.each([
    ['the database is away', { DATABASE_URL: `mysql://painel:${DATABASE_PASSWORD}@127.0.0.1:1/painel` }],
    ['a variable is bad', { DATABASE_URL: `mysql://painel:${DATABASE_PASSWORD}@127.0.0.1:99999/painel` }],
    ['the file is no database', { DATABASE_URL: `sqlite:${process.execPath}` }],
  ])('says it in one line when %s', (_, env) => {
    const { status, stderr } = runUserCommand(add, env)
    expect(stderr).toMatch(/^(O banco de dados não respondeu|DATABASE_URL não vale|Não foi possível abrir).*\n$/)
    expect(stderr).not.toContain(DATABASE_PASSWORD)
    expect(status).toBe(1)
  })

  test('a name is taken once, in whatever case', () => {
    const env = { DATA_DIR: temporaryFolder() }
    expect(runUserCommand(add, env).stdout).toBe('Usuário maria criado (admin).\n')
    const again = runUserCommand(['add', 'Maria', '--role', 'operador'], env)
    expect([again.status, again.stderr]).toEqual([1, 'Já existe um usuário com este nome.\n'])
  })

  // Nine commands, each of which starts a process.
  test('access is taken and given back, a password set, all listed; the last admin stays', { timeout: 120_000 }, () => {
    const env = { DATA_DIR: temporaryFolder() }
    const say = (...args: string[]) => {
      const { stdout, stderr } = runUserCommand(args, env)
      return stdout + stderr
    }
    expect(say('list')).toMatch(/^Nenhum usuário\. /)
    say(...add)
    say('add', 'jose', '--full-name', 'José Alves', '--role', 'operador')
    expect(say('disable', 'Jose')).toBe('Usuário jose desativado. As sessões dele acabaram.\n')
    expect(say('disable', 'jose')).toBe('Usuário jose já estava desativado.\n')
    expect(
      say('list')
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual([
      'usuário  nome        papel          acesso      último uso',
      'jose     José Alves  Operador       desativado  -',
      'maria    maria       Administrador  ativo       -',
      '',
    ])
    expect(say('enable', 'jose')).toBe('Usuário jose ativo.\n')
    expect(say('password', 'jose')).toBe('Senha de jose trocada. As sessões dele acabaram.\n')
    expect(say('disable', 'maria')).toBe('É o último administrador com acesso. Crie ou ative outro antes.\n')
    expect(say('enable', 'rui')).toBe('O usuário rui não existe. Veja todos: npm run user -- list\n')
  })

  test('several at once on an empty folder: the tables are made once, every user is there', async () => {
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: temporaryFolder(), NODE_COMPILE_CACHE: compileCache }
    const codes = await Promise.all(
      ['ana', 'bia', 'caio', 'davi'].map(async (name) => {
        const child = spawn(process.execPath, ['src/server/user-command.ts', 'add', name, '--role', 'operador'], {
          env,
          stdio: ['pipe', 'ignore', 'inherit'],
        })
        child.stdin.end(`${PASSWORD}\n`)
        const [code] = await once(child, 'exit')
        return code as number
      }),
    )
    expect(codes).toEqual([0, 0, 0, 0])
  })
})

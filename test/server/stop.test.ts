import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { rootCertificates } from 'node:tls'
import { createConnection } from 'mysql2/promise'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import { freePort } from '../../deploy/galera/processes.ts'
import { openPasswords } from '../../src/server/http/passwords.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { insertUser } from '../../src/server/store/users.ts'
import { cutOf, temporaryFolder, UNTOUCHED } from '../support/harness.ts'
import { DATABASE_PASSWORD, plantDatabase } from '../support/mariadb.ts'
import { USER_PASSWORD as PASSWORD, type PanelProcess, runUserCommand, startPanel } from '../support/panel.ts'
import { LONG } from '../support/slowness.ts'

const ERP_PASSWORD = 'senha-do-erp'

async function plantErp() {
  const simulator = await startErpSimulator({ password: ERP_PASSWORD, user: 'painel' })
  onTestFinished(() => simulator.close())
  return { simulator, env: { ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD } }
}

async function startPlant(env: Record<string, string>): Promise<PanelProcess> {
  const panel = await startPanel({ env })
  onTestFinished(() => panel.stop())
  const added = runUserCommand(['add', 'maria', '--role', 'operador'], { ...env, DATA_DIR: panel.dataDir })
  expect(added.stdout, added.stderr).toMatch(/^Usuário maria criado \(operador\)\. Banco de dados: /)
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
  const gatePort = await freePort()
  onTestFinished(() => void gate.close())
  return { port: gatePort, open: () => gate.listen(gatePort, '127.0.0.1') }
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
    await expect.poll(() => simulator.state.log.length).toBeGreaterThan(callsBefore)
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
    const panel = await startPanel({
      env: { DATABASE_URL: `mysql://painel@127.0.0.1:${port}/painel` },
      port: await freePort(),
    })
    onTestFinished(() => panel.stop())
    expect(await panel.kill('SIGTERM')).toBe(0)
  })
})

describe('a plant on MariaDB', () => {
  test('waits for a database that is away, says so meanwhile, and works when it is there', async () => {
    const url = await plantDatabase()
    const gate = await lateDatabase(Number(url.port))
    url.port = String(gate.port)
    const panel = await startPanel({ env: { DATABASE_URL: url.href }, port: await freePort() })
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
        LONG,
      )
      .toBe(200)
    await expect.poll(panel.logs).toContain(`Painel Industrial: ${panel.url}`)
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
    [
      'it offers no TLS, which ssl-ca asks for',
      (url: URL) => {
        const file = join(temporaryFolder(), 'ca.pem')
        writeFileSync(file, rootCertificates[0] ?? '')
        url.searchParams.set('ssl-ca', file)
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

  test.each(['ssl-ca=/nao/existe.pem', `ssl-ca=${import.meta.filename}`, 'ssl-ca=', 'ssl_ca=/etc/ssl/ca.pem'])(
    'does not begin without TLS where its address asks for it in vain: %s',
    (parameter) => {
      const DATABASE_URL = `mysql://painel:${DATABASE_PASSWORD}@banco/painel?${parameter}`
      const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), PORT: '0' }
      const { status, stderr } = spawnSync(process.execPath, ['src/server/main.ts'], { env, encoding: 'utf8' })
      expect(stderr).toMatch(/^DATABASE_URL inválido: .+\.\n$/)
      expect(stderr).not.toContain(DATABASE_PASSWORD)
      expect(status).toBe(1)
    },
  )

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
    expect(result.stderr).toMatch(/^ERP_URL inválido aqui: o banco .* é de uma demonstração\. .*\n$/)
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

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RunningServer } from '../../src/server/start.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { temporaryFolder } from '../support/harness.ts'
import { plantDatabase } from '../support/mariadb.ts'
import { compileCache, startPanel } from '../support/panel.ts'
import { limitMs } from '../support/slowness.ts'
import {
  databaseOf,
  erp,
  expectOneSentence,
  expectSentence,
  refusedHere,
  refusedIn,
  runMain,
  runMeanwhile,
  SECRET,
  startHere,
} from '../support/starting.ts'

/** A path that nobody can write to, root included: it lies below a regular file. */
function belowFile(): string {
  const file = join(temporaryFolder(), 'arquivo')
  writeFileSync(file, 'isto não é um banco de dados '.repeat(100))
  return file
}

const ldap = {
  LDAP_URL: 'ldaps://ad.fabrica.local',
  LDAP_BASE: 'DC=fabrica,DC=local',
  LDAP_USER: 'painel@fabrica.local',
  LDAP_GROUPS: 'operador=CN=Painel,DC=fabrica,DC=local',
}

describe('a start that cannot work says why in one sentence and ends with code 1', () => {
  test.each<[string, Record<string, string>]>([
    ['PORT', { PORT: 'três mil' }],
    ['PORT', { PORT: '65536' }],
    ['DATABASE_URL', { DATABASE_URL: `postgres://painel:${SECRET}@banco/painel` }],
    ['DATABASE_URL', { DATABASE_URL: `mysql://painel:${SECRET}@banco` }],
    ['DATABASE_URL', { DATABASE_URL: `mysql://painel:${SECRET}@banco:99999/painel` }],
    ['DATABASE_URL', { DATABASE_URL: `mysql://painel:${SECRET}%@banco/painel` }],
    ['DATABASE_URL', { DATABASE_URL: `mysql://painel:${SECRET}#@banco/painel` }],
    ['ERP_URL', { ...erp, ERP_URL: 'erp:8080/rest' }],
    ['ERP_URL', { ...erp, ERP_URL: 'http://erp:99999/rest' }],
    ['ERP_USER e ERP_PASSWORD', { ERP_URL: erp.ERP_URL, ERP_PASSWORD: SECRET }],
    ['ERP_USER e ERP_PASSWORD', { ERP_URL: erp.ERP_URL, ERP_USER: 'painel' }],
    ['ERP_MAX_CONCURRENT', { ERP_MAX_CONCURRENT: '0' }],
    ['ERP_LOOKUP', { ERP_LOOKUP: 'sim' }],
    ['ERP_CONFIG', { ERP_CONFIG: '/nao/existe.json' }],
    ['PLANTS', { PLANTS: '010101' }],
    ['PLANTS', { PLANTS: '010101=Unidade 1, 010101=Unidade 2' }],
    ['PLANTS', { PLANTS: '010101=Unidade 1,020101=unidade 1 ' }],
    ['TIME_ZONE', { TIME_ZONE: 'Brasil/Interior' }],
    ['TIME_ZONE', { TIME_ZONE: 'Etc/GMT-3' }],
    ['TIME_ZONE', { TIME_ZONE: '' }],
    ['ERP_URL', { ...erp, ERP_URL: '' }],
    ['SHIFTS', { SHIFTS: '14:00,06:00' }],
    ['OPERATOR_RETENTION_MONTHS', { OPERATOR_RETENTION_MONTHS: '6' }],
    ['AUTH_BASIC_PASSWORD', { AUTH_BASIC_PASSWORD: 'sim' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.1,roteador' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/64' }],
    ['IDLE_MINUTES', { IDLE_MINUTES: '1441' }],
    ['LDAP_URL', { LDAP_URL: 'ad.fabrica.local' }],
    ['LDAP_GROUPS', { LDAP_GROUPS: 'CN=Painel,DC=fabrica,DC=local' }],
    ['LDAP_GROUPS', { LDAP_GROUPS: 'chefe=CN=Painel,DC=fabrica,DC=local' }],
    ['LDAP_BASE, LDAP_USER, LDAP_GROUPS, LDAP_PASSWORD', { LDAP_URL: 'ldaps://ad' }],
    ['LDAP_PASSWORD', { ...ldap, LDAP_PASSWORD_FILE: '/dev/null' }],
    ['LDAP_PASSWORD_FILE', { ...ldap, LDAP_PASSWORD_FILE: '/nowhere/senha' }],
    ['LDAP_CA_FILE', { ...ldap, LDAP_PASSWORD: SECRET, LDAP_CA_FILE: '/nowhere/ca.pem' }],
    ['LDAP_FILTER', { LDAP_FILTER: 'objectClass=person' }],
    ['LDAP_FILTER', { ...ldap, LDAP_PASSWORD: SECRET, LDAP_FILTER: '(objectClass=person))' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'tudo' }],
    ['MODE', { MODE: 'planta' }],
    ['ERP_URL', { MODE: 'plant', ERP_USER: 'painel', ERP_PASSWORD: SECRET }],
    ['ERP_URL', { ...erp, ERP_URL: 'http://erp:8080/rest?empresa=01' }],
    ['ERP_CONFIG', { ERP_CONFIG: '/' }],
    ['ERP_COMPANY', { ERP_COMPANY: 'Chicotes do Sul' }],
    ['DATA_DIR', { DATA_DIR: '~/painel' }],
    ['BACKUP_DIR', { BACKUP_DIR: '~/backups' }],
    ['DEMO_ERP_PROFILE', { DEMO_ERP_PROFILE: 'real' }],
    ['ALLOW_PLAIN_HTTP', { ALLOW_PLAIN_HTTP: 'true' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'curta' }],
    ['SITE_NAME', { SITE_NAME: 'Unidade '.repeat(8) }],
    ['SHIFTS', { SHIFTS: '6:00,14:00' }],
    ['LOG_FORMAT', { LOG_FORMAT: 'texto' }],
    ['ERP_PASSWORD', { ...erp, ERP_PASSWORD: 'troque-esta-senha' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://painel:troque-esta-senha@127.0.0.1:3306/painel' }],
    ['METRICS_TOKEN', { METRICS_TOKEN: 'troque-por-openssl-rand-hex-24' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://painel.fabrica/sub/' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://painel.fabrica/?tela=1' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://admin:segredo@painel.fabrica' }],
  ])('%s is bad: %j', async (name, env) => {
    expectSentence(
      await refusedHere(env),
      new RegExp(`^${name} (inválido: .+|faltam?: .+|está vazia: .+|ainda tem a senha do exemplo: .+)\\.\\n$`),
    )
  })

  test.each([
    ['a field that does not exist', '{"paths": {"itens": "/itens"}}', 'paths\\.itens: Campo desconhecido'],
    [
      'an address without its place for the id',
      '{"paths": {"integrations": "/ids"}}',
      'paths\\.integrations: Falta \\{id\\}',
    ],
  ])('the ERP settings file has %s', async (_, content, fault) => {
    const file = join(temporaryFolder(), 'erp.json')
    writeFileSync(file, content)
    const sentence = new RegExp(`^ERP_CONFIG inválido: .*erp\\.json, campo ${fault}\\.\\n$`)
    expectSentence(await refusedHere({ ERP_CONFIG: file }), sentence)
  })

  test('the file of what the page has written cannot be read', async () => {
    const DATA_DIR = temporaryFolder()
    writeFileSync(join(DATA_DIR, 'secrets.json'), SECRET)
    expectSentence(await refusedHere({ DATA_DIR }), /^O arquivo .*secrets\.json não pôde ser lido \(não é JSON\): /)
  })

  test.each(['DATA_DIR', 'DOCUMENTS_DIR', 'BACKUP_DIR'])('%s is a file', async (name) => {
    const folder = join(temporaryFolder(), 'dados')
    expectSentence(
      await refusedHere({ DATA_DIR: folder, [name]: belowFile() }),
      new RegExp(`^${name} inválido: .*arquivo é um arquivo; esperado o caminho de uma pasta\\.\\n$`),
    )
    expect(existsSync(folder)).toBe(false)
  })

  test('the host has a name that nobody knows', async () => {
    expectSentence(
      await refusedHere({ ...erp, HOST: 'painel.invalid' }),
      /^Não foi possível escutar .* Corrija HOST\.\n$/,
    )
  })

  test('the user of the database may make no tables', async () => {
    const url = await plantDatabase('SELECT, INSERT, UPDATE, DELETE')
    const DATABASE_URL = url.href
    expectOneSentence(
      runMain({ DATABASE_URL }),
      /^O usuário de DATABASE_URL não tem o direito CREATE no banco de dados: .*GRANT ALL/,
    )
    const db = openDb({ kind: 'mysql', url: url.href })
    expect(await db.read.introspection.getTables()).toEqual([])
    await db.close()
  })

  test('another server of the same MariaDB has its documents in another folder', async () => {
    const { href } = await plantDatabase()
    const placed = (folder: string) => ({
      ...erp,
      DATABASE_URL: href,
      DATA_DIR: temporaryFolder(),
      DOCUMENTS_DIR: folder,
    })
    const shared = join(temporaryFolder(), 'documentos')
    for (const data of [temporaryFolder(), temporaryFolder()]) {
      await (await startHere({ ...placed(shared), DATA_DIR: data })).stop()
    }
    const other = temporaryFolder()
    const refusal = await refusedHere(placed(other))
    expectSentence(refusal, /^DOCUMENTS_DIR inválido: .* não é a pasta dos documentos deste banco\. .*mesma em todos/)
    const marker = readFileSync(join(shared, 'pasta-do-painel'), 'utf8')
    expect(refusal).toContain(`grave ${marker.trim()} no arquivo pasta-do-painel`)
    expect(readdirSync(other)).toEqual([])
    writeFileSync(join(other, 'pasta-do-painel'), marker)
    await (await startHere(placed(other))).stop()
  })

  test('the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const port = String((taken.address() as AddressInfo).port)
    expectOneSentence(runMain({ PORT: port }), `A porta ${port} já está em uso em 127.0.0.1.`)
  })

  test('the address is not one of this machine', () => {
    expectOneSentence(runMain({ ...erp, HOST: '192.0.2.1' }), 'Não foi possível escutar em 192.0.2.1:0')
  })

  test('the folder cannot be written', async () => {
    const env = { DATA_DIR: join(belowFile(), 'dados') }
    expectSentence(await refusedHere(env), /^DATA_DIR inválido: .* fica abaixo de .*arquivo, que é um arquivo; /)
  })

  test.each([
    ['lies below a file', () => join(belowFile(), 'painel.sqlite')],
    ['is no database', () => belowFile()],
    ['is a folder', () => temporaryFolder()],
  ])('the database file %s', async (_, fileOf) => {
    const file = fileOf()
    const mode = statSync(file, { throwIfNoEntry: false })?.mode
    const printed = await refusedHere({ DATABASE_URL: `sqlite:${file}` })
    expectSentence(printed, `Não foi possível abrir o banco de dados ${file}`)
    expect(statSync(file, { throwIfNoEntry: false })?.mode).toBe(mode)
  })

  test('a newer version of the panel has worked on the database', () => {
    const file = join(temporaryFolder(), 'painel.sqlite')
    const database = new Database(file)
    database.exec('create table kysely_migration (name text primary key, timestamp text not null)')
    database.exec("insert into kysely_migration values ('2099-01-01-later-01-step', '2099-01-01')")
    database.close()
    expectOneSentence(
      runMain({ DATABASE_URL: `sqlite:${file}` }),
      /^O banco de dados é de uma versão mais nova do painel: /,
    )
  })

  test('the .env file cannot be read', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.env'))
    const main = join(process.cwd(), 'src/server/main.ts')
    const ended = spawnSync(process.execPath, [main], {
      cwd: folder,
      env: { NODE_COMPILE_CACHE: compileCache },
      encoding: 'utf8',
      timeout: limitMs(60_000),
    })
    expectOneSentence(ended, /^O arquivo \.env não pôde ser lido/)
  })

  test.each<[string, string | Buffer, RegExp]>([
    ['a byte order mark hides no variable', '\uFEFFPORT=três mil\n', /^PORT inválido: /],
    [
      'it was saved in UTF-16',
      Buffer.from('\uFEFFPORT=0\n', 'utf16le'),
      /^O arquivo \.env não está em UTF-8: grave-o de novo como UTF-8\.\n$/,
    ],
    [
      'a password that goes on after #',
      'ERP_USER=painel # o do ERP\nERP_PASSWORD=abc#def\n',
      /^ERP_PASSWORD inválido: .* # .*entre aspas simples.*\n$/,
    ],
    ['a # in quotes and one in a comment', "ERP_PASSWORD= 'abc#def' # o do ERP\nPORT=x # y\n", /^PORT inválido: /],
    ['a password that begins with #', 'ERP_PASSWORD=#abc\n', /^ERP_PASSWORD inválido: .* # .*entre aspas simples.*\n$/],
    ['a name that is nearly one of ours', 'ERP_ULR=http://erp:8080/rest\n', /^ERP_ULR não é conhecida: .* ERP_URL\?/],
    ['one without a value too', 'TIMEZONE=\n', /^TIMEZONE não é conhecida: .* TIME_ZONE\?/],
  ])('a .env file: %s', async (_, content, sentence) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), content)
    expectSentence(await refusedIn(folder), sentence)
    expect(readdirSync(folder)).toEqual(['.env'])
  })
})

test('a start under systemd prints lines of the journal, and JSON where that is wanted or something else reads it', () => {
  const printedInto = (streamOf: (own: string) => string, env: Record<string, string>) => {
    const file = join(temporaryFolder(), 'journal')
    const out = openSync(file, 'w')
    const { dev, ino } = fstatSync(out)
    const base = { PORT: '0', NODE_COMPILE_CACHE: compileCache, JOURNAL_STREAM: streamOf(`${dev}:${ino}`) }
    // a MariaDB that is not there is said in the log before anything else
    const { stderr } = spawnSync(process.execPath, ['src/server/main.ts'], {
      env: { ...base, DATA_DIR: temporaryFolder(), ...env },
      stdio: ['ignore', out, 'pipe'],
      encoding: 'utf8',
      timeout: limitMs(60_000),
    })
    closeSync(out)
    return [stderr, readFileSync(file, 'utf8')]
  }
  const unreachable = { ...erp, DATABASE_URL: 'mysql://painel:senha@127.0.0.1:9/painel', HOST: '192.0.2.1' }
  const sentence = 'Não foi possível escutar em 192.0.2.1:0'
  const own = printedInto((stream) => stream, unreachable)
  expect(own[0]).toMatch(new RegExp(`^<3>${sentence}`))
  expect(own[1]).toMatch(/^<4>Banco de dados fora de alcance; o servidor espera por ele \(reason=.*\)\n$/)
  expect(printedInto((stream) => stream, { ...unreachable, LOG_FORMAT: 'json' })[1]).toMatch(/^\{"level":40,/)
  const foreign = printedInto(() => '1:2', unreachable)
  expect(foreign[0]).toMatch(new RegExp(`^${sentence}`))
  expect(foreign[1]).toMatch(/^\{"level":40,/)
})

const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

describe('the demonstration', () => {
  test('is there for this machine only and says what to try', async () => {
    const panel = await startPanel()
    onTestFinished(() => panel.stop())
    const port = Number(new URL(panel.url).port)
    expect([await isOpen('127.0.0.1', port), await isOpen('127.0.0.2', port)]).toEqual([true, false])
    const printed = panel.logs()
    expect(printed).toContain(`Painel Industrial: ${panel.url}\n`)
    expect(printed).toContain('operador / operador   admin / admin')
    expect(printed).toMatch(/\nAgora são \d\d:\d\d em America\/Sao_Paulo\.\n/)
    expect(printed).toMatch(/01621401001 .*0101621401001000010007/)
    expect((await fetch(`${panel.url}/ready`)).status).toBe(200)
    for (const username of ['operador', 'admin']) {
      const login = await fetch(`${panel.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: username }),
      })
      expect(await login.json()).toMatchObject({ username })
    }
    expect(await panel.kill('SIGINT')).toBe(0)
    expect(panel.logs()).not.toMatch(/"level":[4-6]0|\n\s+at /)
  })

  test('beyond this machine it is refused, or nobody knows its passwords', async () => {
    const known = await databaseOf({})
    expectSentence(
      await refusedHere({ ...known, HOST: '0.0.0.0' }),
      /^HOST=0\.0\.0\.0 inválido na demonstração: .*DEMO_ON_LAN=on/,
    )
    const abroad = { ...known, HOST: '0.0.0.0', DEMO_ON_LAN: 'on' }
    const first = await startHere(abroad)
    const printed = /operador \/ (\S+) {3}admin \/ (\S+)/.exec(first.introduction ?? '') ?? []
    const enter = async ({ origin }: RunningServer, username: string, password = '') => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      return (await fetch(`${origin}/api/auth/login`, { ...init, body: JSON.stringify({ username, password }) })).status
    }
    expect([await enter(first, 'operador', 'operador'), await enter(first, 'admin', 'admin')]).toEqual([401, 401])
    expect([await enter(first, 'operador', printed[1]), await enter(first, 'admin', printed[2])]).toEqual([200, 200])
    await first.stop()
    const second = await startHere(abroad)
    expect(second.introduction).toMatch(/Usuários: operador, admin \(/)
    expect(await enter(second, 'admin', printed[2])).toBe(200)
    await second.stop()
  })

  test('nobody else on this machine reads what it keeps, nor what was readable before', async () => {
    const panel = await startPanel()
    onTestFinished(() => panel.stop())
    await panel.kill('SIGTERM')
    chmodSync(join(panel.dataDir, 'painel.sqlite'), 0o644)
    await panel.restart()
    const files = readdirSync(panel.dataDir, { recursive: true, withFileTypes: true })
    const open = files.filter((one) => (statSync(join(one.parentPath, one.name)).mode & 0o077) !== 0)
    expect(open.map(({ name }) => name)).toEqual([])
    expect(files.map(({ name }) => name)).toContain('painel.sqlite-wal')
  })

  test('two started on one folder: the second gives up after a while, or begins once the first is gone', async () => {
    const first = await startPanel()
    onTestFinished(() => first.stop())
    const env = { DATA_DIR: first.dataDir }
    expectOneSentence(await runMeanwhile(env), /^Outro painel já usa esta pasta\. .*DATA_DIR/)
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    const starting = startPanel({ env })
    await first.kill('SIGKILL')
    const second = await starting
    onTestFinished(() => second.stop())
    expect((await fetch(`${second.url}/ready`)).status).toBe(200)
  })

  test('two started on one port: the second says so, the first goes on', async () => {
    const panel = await startPanel()
    onTestFinished(() => panel.stop())
    const { port } = new URL(panel.url)
    expectOneSentence(runMain({ PORT: port }), `A porta ${port} já está em uso`)
    expect((await fetch(`${panel.url}/ready`)).status).toBe(200)
  })
})

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { health } from '../../src/contract/health.ts'
import type { LogLevel } from '../../src/contract/log-entries.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { migrate, migrateUpTo } from '../../src/server/store/db/migrate.ts'
import { insertLogEntries } from '../../src/server/store/log-entries.ts'
import { replaceInstallation } from '../../src/server/store/settings.ts'
import { listPeople, PERSON_COLUMN } from '../../src/server/store/support-files.ts'
import { ownProgram } from '../../src/server/upkeep/identity.ts'
import { writeSecrets } from '../../src/server/upkeep/installation-settings.ts'
import { gatherSupportBundle } from '../../src/server/upkeep/support/bundle.ts'
import { variables } from '../../src/server/variables.ts'
import { cutOf, databases, openStore, temporaryFolder, testConfig } from '../support/harness.ts'
import { DATABASE_PASSWORD } from '../support/mariadb.ts'
import { compileCache } from '../support/panel.ts'
import { setUp } from '../support/waiting.ts'

type Entry = { mensagem: string; origem: string; erro?: string[]; dados?: Record<string, unknown> }
type Bundle = {
  versao: Record<string, unknown>
  naoLido: Record<string, string>
  configuracao: { variaveis: { nome: string; origem: string; valor?: string }[]; banco: Record<string, unknown> | null }
  sistema: { dispositivos: Record<string, unknown>[]; servidores: Record<string, unknown>[] } | null
  filas: Record<string, unknown> | null
  alarmes: { agora: { alarme: string; ligado: boolean | null }[] | null; ultimos: Entry[] } | null
  esquema: { passos: { name: string }[]; tabelas: { name: string; rows: number; columns: string[] }[] } | null
  log: { inteiro: boolean; entradas: Entry[] } | null
}

type Panel = Awaited<ReturnType<typeof setUp>>
const URL = health.supportFile.path
const isText = (dataType: string) => /char|text/i.test(dataType)

const logged = (panel: Pick<Panel, 'db' | 'clock'>, entries: { message: string; error?: string; details?: object }[]) =>
  panel.db.transaction((tx) =>
    insertLogEntries(
      tx,
      entries.map(({ message, error = null, details }) => ({
        ...{ at: panel.clock.now(), level: 'Warning' as LogLevel, source: 'srv-planta (77)', message, error },
        detailsJson: details ? JSON.stringify(details) : null,
      })),
    ),
  )

const download = async (panel: Panel): Promise<Bundle> => {
  const answer = await panel.ask(panel.admin, { url: URL })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

const NAME = 'Zacarias Quixaba'
const ACCOUNT = 'zquixaba'
const SECRET = 's3gr3d0'
/** None of them may be found, in whatever letters. */
const planted = /zacari|quixaba|jquintela|s3gr3d0|10\.77\.0\.|srv-planta|PIC-|fabrica-planta/i

/** A row more in every table, with a person in every text that it can hold. Returns how many texts that were. */
async function plantEverywhere({ db, clock }: Panel): Promise<number> {
  await sql`pragma foreign_keys = off`.execute(db.read)
  let texts = 0
  for (const { name: table, columns } of await db.read.introspection.getTables()) {
    const values = columns.map(({ name, dataType }) => {
      if (!isText(dataType)) return /(^|_)at$/.test(name) ? clock.now() : name === 'id' ? 9_000_000 : 1
      texts++
      const person = /(^|_)(user_?name)$/.test(name) ? ACCOUNT : NAME
      return name.endsWith('_json') ? JSON.stringify({ nota: person, server: person }) : person
    })
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(values)})`.execute(db.read)
  }
  return texts
}

const reportOf = (server: string, at: number) =>
  JSON.stringify({
    ...{ server, version: NAME, startedAt: at, readAt: at, note: NAME },
    erp: { awaySince: null, latencyMs: 5, fault: { reason: NAME, at }, access: NAME, isConfigured: true },
    folders: [{ folder: 'documents', text: `DOCUMENTS_DIR inválido: /srv/${NAME} não existe` }],
    disks: [{ folder: NAME, freeBytes: 1, totalBytes: 100 }],
    backup: { newestAt: at, triedOutAt: null },
    certificates: [{ of: NAME, endsAt: at }],
    clock: { apartMs: 0, isTrusted: true },
  })

const plantedLog = [
  { message: `Log limpo por ${NAME}` },
  { message: `texto de ninguém sobre ${NAME.toUpperCase()}, ${ACCOUNT}, quixaba@fabrica-planta.com e 10.77.0.9.` },
  {
    message: 'Uma pasta não pode ser gravada',
    details: { text: `/srv/jquintela/x é da conta jquintela. Dê-a a esta: chown -R jquintela /srv/x` },
  },
  { message: 'crachá PIC-ZACARIAS1 lido, senha: s3gr3d0' },
  {
    message: 'Uma chamada falhou por erro interno',
    error: `[ER_DUP_ENTRY] Error: Duplicate entry '${NAME}' for key of ${ACCOUNT}@10.77.0.3\n    at work (file:///home/${ACCOUNT}/Zacarias%20Q/painel/src/server/http/bind.ts:84:9)\n    at node:internal/x:1:2`,
  },
  {
    message: 'O ERP recusou um apontamento',
    details: { recording: '0b9f9a52-2c0e-4a44-9d3c-54d3f2f6c111', erp: `bloqueado por ${NAME}`, password: SECRET },
  },
  { message: 'Um acesso foi recusado', details: { user: ACCOUNT, address: '10.77.0.4', deviceName: NAME, userId: 7 } },
  {
    message: 'Começou um alarme',
    details: { alarm: NAME, name: NAME, text: `O relógio de ${NAME} em srv-planta:3000` },
  },
  { message: 'O ERP não respondeu', details: { cause: `connect ECONNREFUSED 10.77.0.5:80 (${NAME})`, method: NAME } },
]

/** By what each variable may hold: in most of them a secret may stand by mistake. */
const plantedVariables = (): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(variables).map((name) => [name, `${SECRET}-${name}`])),
  // a secret that is a part of another, or of a name, would hide that one is not taken out
  ERP_USER: ACCOUNT,
  DATABASE_URL: `mysql://${ACCOUNT}:${SECRET}%40x@srv-planta:3306/painel`,
  ERP_URL: 'http://srv-planta:8080/rest',
  SMTP_URL: `smtp://${ACCOUNT}:${SECRET}-correio@10.77.0.1:587`,
  ALARM_WEBHOOK_URL: `https://fabrica-planta.com/${SECRET}-gancho/x?y=${SECRET}`,
  LDAP_URL: 'ldaps://srv-planta',
  LDAP_USER: `CN=${NAME},DC=fabrica-planta`,
  ALARM_MAIL_TO: `${ACCOUNT}@fabrica-planta.com`,
  SITE_NAME: NAME,
  HOST: '10.77.0.2',
  LOG_LEVEL: 'debug',
  SHIFTS: '06:00,14:00',
})

describe('the support file', () => {
  test('has no person, address, badge or secret, wherever they are planted', async () => {
    const panel = await setUp({})
    const { db, clock, context } = panel
    expect(await plantEverywhere(panel)).toBeGreaterThan(200)
    const facts_json = reportOf(`srv-planta-${ACCOUNT}:3000`, clock.now())
    await db.transaction((tx) => tx.updateTable('server_reports').set({ facts_json }).execute())
    await logged(panel, plantedLog)
    const ofPage = (value: string) => ({ ERP_PASSWORD: { value, address: 'http://fabrica-planta.com' } })
    writeSecrets(context.config, { ...ofPage(`${SECRET}-tela`), next: { id: 'x', set: ofPage(`${SECRET}-cortada`) } })
    const values = { SITE_NAME: NAME, ERP_USER: ACCOUNT, ALARM_MAIL_TO: 'quixaba@fabrica-planta.com' }
    await db.transaction((tx) => replaceInstallation(tx, { version: 0, values: {} }, { version: 1, values }))
    const own = await context.serverWatch.read()
    const expectClean = (text: string, unread: string[]) => {
      expect(text.match(planted)).toBeNull()
      const bundle = JSON.parse(text) as Bundle
      // all parts were read: none is clean because it is missing
      expect(Object.keys(bundle.naoLido)).toEqual(unread)
      expect(bundle.log?.entradas.length).toBeGreaterThan(plantedLog.length)
      expect(bundle.sistema?.servidores).toHaveLength(2)
      expect(bundle.alarmes?.ultimos).toHaveLength(1)
    }
    const { body } = await panel.ask(panel.admin, { url: URL })
    expectClean(body, [])
    await logged(panel, [
      { message: `${SECRET}-METRICS_TOKEN, ${SECRET}@x, ${SECRET}-cortada, ${SECRET}-tela, ${SECRET}-arquivo` },
    ])
    const LDAP_PASSWORD_FILE = join(temporaryFolder(), 'ldap')
    writeFileSync(LDAP_PASSWORD_FILE, `${SECRET}-arquivo\n`)
    const ldap = { LDAP_URL: 'ldaps://x', LDAP_BASE: 'DC=x', LDAP_USER: 'u', LDAP_GROUPS: 'admin=CN=x' }
    const config = { ...context.config, directory: testConfig({ ...ldap, LDAP_PASSWORD_FILE }).directory }
    const origin = { now: clock.now(), env: plantedVariables(), config, db, own, facts: null }
    const faults = { banco: new Error(`Access denied for user '${ACCOUNT}'@'10.77.0.3' by ${NAME}`) }
    const text = await gatherSupportBundle({ madeBy: 'tela', ...origin, faults })
    expectClean(text, ['banco'])
  })

  test('tells of each variable whether it is set and where, and values of the harmless ones', async () => {
    const panel = await setUp({})
    const { db, clock, context } = panel
    const values = { SHIFTS: '06:00,18:00', ERP_URL: 'https://erp.example/rest' }
    await db.transaction((tx) => replaceInstallation(tx, { version: 0, values: {} }, { version: 1, values }))
    writeSecrets(context.config, { ERP_PASSWORD: { value: SECRET, address: values.ERP_URL } })
    const env = { LOG_LEVEL: 'debug', PORT: SECRET, METRICS_TOKEN: SECRET, SMTP_URL: 'smtps://a:b@c' }
    const origin = { now: clock.now(), env, config: context.config, db, own: null, facts: null, faults: {} }
    const bundle = JSON.parse(await gatherSupportBundle({ madeBy: 'comando', ...origin })) as Bundle
    const { variaveis, banco } = bundle.configuracao
    expect(variaveis.map(({ nome }) => nome)).toEqual(Object.keys(variables))
    const lineOf = (name: string) => variaveis.find(({ nome }) => nome === name)
    expect(
      ['LOG_LEVEL', 'PORT', 'METRICS_TOKEN', 'SMTP_URL', 'SHIFTS', 'ERP_URL', 'ERP_PASSWORD', 'MODE'].map(lineOf),
    ).toEqual([
      { nome: 'LOG_LEVEL', origem: 'ambiente', valor: 'debug' },
      { nome: 'PORT', origem: 'ambiente', valor: '(inválido)' },
      { nome: 'METRICS_TOKEN', origem: 'ambiente' },
      { nome: 'SMTP_URL', origem: 'ambiente', valor: 'smtps:' },
      { nome: 'SHIFTS', origem: 'tela', valor: '06:00,18:00' },
      { nome: 'ERP_URL', origem: 'tela', valor: 'https:' },
      { nome: 'ERP_PASSWORD', origem: 'secrets.json' },
      { nome: 'MODE', origem: 'padrão' },
    ])
    expect(banco).toMatchObject({ feitoPara: 'demonstration', foraDoPlano: 'observar', chaveEmArquivo: true })
  })

  test('one person, device or address has one number in all of it', async () => {
    const panel = await setUp({})
    await logged(panel, [
      { message: 'Log limpo por Maria Souza' },
      { message: 'Um acesso foi recusado', details: { user: 'operador', address: '10.77.0.4' } },
      { message: 'MARIA SOUZA em 10.77.0.4' },
    ])
    const { log, sistema } = await download(panel)
    const [first, second, third] = log?.entradas.filter(({ origem }) => / \(77\)$/.test(origem)).toReversed() ?? []
    const person = sistema?.dispositivos.find(({ pessoa }) => first?.mensagem.endsWith(String(pessoa)))?.pessoa
    expect(person).toMatch(/^pessoa \d+$/)
    expect(first?.mensagem).toBe(`Log limpo por ${String(person)}`)
    expect(second?.dados?.user).toBe(person)
    expect(third?.mensagem).toBe(`${String(person)} em ${String(second?.dados?.address)}`)
    expect(new Set(log?.entradas.map(({ origem }) => origem)).size).toBe(2)
  })

  test('is for administrators, stands in the audit trail, and comes once in ten seconds', async () => {
    const panel = await setUp({})
    expect((await panel.ask(panel.token, { url: URL })).statusCode).toBe(403)
    const answers = await Promise.all([panel.ask(panel.admin, { url: URL }), panel.ask(panel.admin, { url: URL })])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429])
    const file = answers.find(({ statusCode }) => statusCode === 200)
    expect(file?.headers['content-disposition']).toBe('attachment; filename="painel-suporte-2026-11-21.json"')
    expect(file?.headers['content-type']).toBe('application/json; charset=utf-8')
    const refused = await panel.ask(panel.admin, { url: URL })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
    expect(refused.json().message).toBe('O último arquivo de suporte acabou de sair. Tente de novo em 10 segundos.')
    panel.clock.advance(10_000)
    await download(panel)
    const exported = (await panel.audit()).filter(({ action }) => action === 'exported')
    expect(exported.map(({ user_name, details_json }) => [user_name, details_json])).toEqual(
      Array(2).fill(['admin', '{"name":"painel-suporte-2026-11-21.json"}']),
    )
  })

  test('of a busy day has the newest of the log, and says that it is not all', async () => {
    const panel = await setUp({})
    for (let round = 0; round < 11; round++) {
      await logged(
        panel,
        Array.from({ length: 500 }, () => ({ message: 'Uma chamada demorou demais' })),
      )
    }
    const { log } = await download(panel)
    expect([log?.inteiro, log?.entradas.length]).toEqual([false, 5000])
  })
})

describe.each(databases)('the support file on %s', (database) => {
  test('tells queues, alarms, schema and log as they are', async () => {
    const panel = await setUp({ database })
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    await panel.park(cutOf(200))
    panel.clock.advance(16 * 60_000)
    await logged(panel, [{ message: 'Começou um alarme', details: { alarm: 'erp_away', text: 'O ERP não responde.' } }])
    const bundle = await download(panel)
    expect(bundle.naoLido).toEqual({})
    expect(bundle.versao).toMatchObject({ painel: ownProgram().version, node: process.version, banco: panel.db.kind })
    expect(bundle.filas).toMatchObject({ entregas: { new: 1 }, apontamentos: { waiting: 1, parked: 1 }, retidos: 0 })
    expect(bundle.alarmes?.agora?.filter(({ ligado }) => ligado).map(({ alarme }) => alarme)).toEqual([
      'erp_away',
      'oldest_waiting',
    ])
    expect(bundle.alarmes?.ultimos).toMatchObject([{ dados: { alarm: 'erp_away', text: 'O ERP não responde.' } }])
    expect(bundle.sistema?.servidores).toMatchObject([
      { versao: ownProgram().version, day: ownProgram().day, erp: { fault: { reason: 'unreachable' } } },
    ])
    const recordings = bundle.esquema?.tabelas.find(({ name }) => name === 'recordings')
    expect(recordings?.rows).toBe(2)
    expect(recordings?.columns).toContain('content_hash')
    expect(bundle.esquema?.passos.length).toBeGreaterThan(25)
    expect(bundle.log?.inteiro).toBe(true)
  })

  test('knows every column in which a person is named, also those of people who are no users', async () => {
    const db = await openStore(database)
    const columns = (await db.read.introspection.getTables()).flatMap(({ name: table, columns }) =>
      columns.filter(({ dataType }) => isText(dataType)).map(({ name }) => `${table}.${name}`),
    )
    const isOfPeople = (column: string) => PERSON_COLUMN.test(column.split('.')[1] ?? '')
    const suspect = /name|user|person|operator|author|who|_by|owner|responsible|mail/i
    expect(
      columns.filter((column) => suspect.test(column.split('.')[1] ?? '') && !isOfPeople(column)).toSorted(),
    ).toEqual([
      'alarm_states.lease_owner',
      'applicator_units.name',
      'applicator_units.name_key',
      'crimp_history.name',
      'document_revisions.file_name',
      'erp_outbox.lease_owner',
      'erp_slots.lease_owner',
      'login_throttles.name',
      'maintenance_tasks.name',
      'retained_deliveries.device_name',
      'sealing_stations.station_name',
      'sealing_stations.station_name_key',
      'sessions.device_name',
      'settings.name',
      'stations.name',
    ])
    await db.transaction((tx) =>
      tx
        .insertInto('stations')
        .values({ device: 'd', name: 'Mesa', enrolled_by: NAME, enrolled_at: 1, kind: null })
        .execute(),
    )
    expect(await listPeople(db.read)).toEqual([[NAME]])
  })
})

describe('npm run support', () => {
  /** Typed somewhere else than where the panel is. */
  function runSupport(env: Record<string, string>, folder = temporaryFolder()) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/server/commands/support.ts'], {
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, INIT_CWD: folder, ...env },
      encoding: 'utf8',
    })
    const file = stdout.trimEnd().split('\n').at(-1) ?? ''
    return { status, stdout, stderr, file, folder }
  }
  const read = (file: string) => {
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(SECRET)
    return JSON.parse(text) as Bundle
  }

  async function newDatabase(upTo?: string) {
    const DATA_DIR = temporaryFolder()
    const db = openDb({ kind: 'sqlite', file: join(DATA_DIR, 'painel.sqlite') })
    await (upTo === undefined ? migrate(db) : migrateUpTo(db, upTo))
    return { db, DATA_DIR }
  }

  test('writes one file where one stands, for its owner only, while no server runs', async () => {
    const { db, DATA_DIR } = await newDatabase()
    const { status, stdout, stderr, file, folder } = runSupport({ DATA_DIR, MODE: 'plant', ERP_PASSWORD: SECRET })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain(SECRET)
    expect(file).toMatch(/painel-suporte-\d{4}-\d\d-\d\d\.json$/)
    expect(file.startsWith(folder)).toBe(true)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    const bundle = read(file)
    // an ERP's password without its address keeps a server from starting
    expect(bundle.naoLido.ambiente).toMatch(/^ERP_URL falta/)
    expect(bundle.filas).toMatchObject({ retidos: 0 })
    expect(bundle.sistema?.servidores).toMatchObject([{ erp: null, noArDesde: null, clock: { apartMs: 0 } }])
    const trail = await db.read.selectFrom('audit_entries').selectAll().execute()
    expect(trail).toMatchObject([{ action: 'exported', user_id: 0, user_name: 'linha de comando' }])
    await db.close()
  })

  test.each([
    ['there is no database', async () => ({ DATA_DIR: temporaryFolder() }), 'banco'],
    [
      'the file is no database',
      async () => {
        const DATA_DIR = temporaryFolder()
        writeFileSync(join(DATA_DIR, 'painel.sqlite'), 'x'.repeat(5000))
        return { DATA_DIR }
      },
      'banco',
    ],
    [
      'the database does not answer',
      async () => ({
        DATABASE_URL: `mysql://painel:${DATABASE_PASSWORD}@127.0.0.1:1/painel`,
        DATA_DIR: temporaryFolder(),
      }),
      'banco',
    ],
    [
      'the database is of a version before',
      async () => {
        const { db, DATA_DIR } = await newDatabase('2026-11-24-accesses-01-accesses')
        await db.close()
        return { DATA_DIR }
      },
      'sistema',
    ],
    [
      'secrets.json is broken',
      async () => {
        const { db, DATA_DIR } = await newDatabase()
        await db.close()
        writeFileSync(join(DATA_DIR, 'secrets.json'), `{"ERP_PASSWORD": "${SECRET}`)
        return { DATA_DIR }
      },
      'secrets.json',
    ],
  ])('says what it could not read where %s', async (_, prepare, part) => {
    const { status, stderr, file } = runSupport(await prepare())
    expect([status, stderr]).toEqual([0, ''])
    expect(readFileSync(file, 'utf8')).not.toContain(DATABASE_PASSWORD)
    const bundle = read(file)
    expect(Object.keys(bundle.naoLido)).toContain(part)
    expect(bundle.configuracao.variaveis.map(({ nome }) => nome)).toEqual(Object.keys(variables))
  })

  test('says in one line that the folder takes no file', () => {
    const { status, stderr, stdout } = runSupport({ DATA_DIR: temporaryFolder() }, join(temporaryFolder(), 'falta'))
    expect(stderr).toMatch(/^O arquivo não pôde ser gravado \(ENOENT.*\)\.\n$/)
    expect([status, stdout]).toEqual([1, ''])
  })
})

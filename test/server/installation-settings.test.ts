import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { type InstallationSettings, installationSettings } from '../../src/contract/installation-settings.ts'
import { auditDetailsText } from '../../src/domain/audit-entries.ts'
import { openUnconfigured } from '../../src/server/erp/unconfigured.ts'
import { lookAtSettings } from '../../src/server/panel.ts'
import { saveReport } from '../../src/server/store/alarms.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore } from '../../src/server/store/db/open-store.ts'
import { findInstallation, keepStandIn, replaceInstallation } from '../../src/server/store/settings.ts'
import { makeBackup } from '../../src/server/upkeep/backups.ts'
import { completeConfig } from '../../src/server/upkeep/installation-settings.ts'
import {
  addUser,
  cutOf,
  databases,
  NOON_MS,
  ORDER,
  openTestPanel,
  temporaryFolder,
  UNTOUCHED,
} from '../support/harness.ts'

const SECRET = 'uma-senha-que-ninguem-le'
const OTHER_SECRET = 'outra-senha-que-ninguem-le'

type Options = Parameters<typeof openTestPanel>[0] & {}

async function setUp(options: Options = {}) {
  const panel = await openTestPanel({ ...options, env: { MODE: 'plant', ALLOW_PLAIN_HTTP: 'on', ...options.env } })
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Lima' })
  const admin = (await panel.login('admin')).token
  const read = async () => {
    const answer = await panel.ask(admin, { url: '/api/instalacao' })
    expect(installationSettings.get.reply.safeParse(answer.json())).toMatchObject({ success: true })
    return answer.json<InstallationSettings>()
  }
  const put = (values: Record<string, string | null>, more: object = {}, version?: number) =>
    panel.ask(admin, {
      method: 'PUT',
      url: '/api/instalacao',
      payload: { values, ...more },
      ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
    })
  const variable = async (name: string) => (await read()).variables.find((one) => one.name === name)
  const { config, installation } = panel.context
  /** As the next start has it. */
  const next = async () => (await completeConfig(panel.db.read, installation.env, config)).config
  const secretsFile = join(config.dataDir, 'secrets.json')
  const audit = () => panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  return { ...panel, admin, read, put, variable, next, secretsFile, audit }
}

const refusalOf = (answer: { statusCode: number; json: () => unknown }) => {
  const { code, details } = answer.json() as ErrorReply
  return [answer.statusCode, code, details]
}

describe.each(databases)('what an administrator sets in the page, on %s', (database) => {
  test('holds from the next start, is in the trail, and puts the server together anew', async () => {
    const { put, read, variable, next, restarts, audit } = await setUp({ database })
    expect((await read()).version).toBe(0)
    const answer = await put({ SITE_NAME: ' Chicotes Sul ', PLANTS: '010101=Matriz,030101=Norte' }, {}, 0)
    expect(answer.statusCode).toBe(200)
    expect(restarts).toHaveLength(1)
    expect(await read()).toMatchObject({ version: 1, runningVersion: 0, isDemonstration: false })
    expect(await variable('SITE_NAME')).toMatchObject({ value: 'Chicotes Sul', source: 'page', isSet: true })
    expect(await next()).toMatchObject({
      siteName: 'Chicotes Sul',
      plants: [
        { code: '010101', label: 'Matriz' },
        { code: '030101', label: 'Norte' },
      ],
      timeZone: 'America/Sao_Paulo',
    })
    const [line] = await audit()
    expect(line).toMatchObject({ action: 'settings_changed', subject_id: 'SITE_NAME', user_name: 'admin' })
    expect(auditDetailsText(line?.details_json ?? '')).toBe('Valor: — → Chicotes Sul')
    await put({ SITE_NAME: null })
    expect((await next()).siteName).toBe('Unidade 1')
  })

  test('is taken up by the other servers of the plant', async () => {
    const { put, db, context, restarts } = await setUp({ database })
    const other = await openTestPanel({ db, env: { MODE: 'plant', ALLOW_PLAIN_HTTP: 'on' } })
    await lookAtSettings(other.context)
    expect(other.restarts).toEqual([])
    await put({ SITE_NAME: 'Chicotes Sul' })
    await lookAtSettings(other.context)
    await lookAtSettings({ ...context, installation: { ...context.installation, version: 1 } })
    expect([other.restarts.length, restarts.length]).toEqual([1, 1])
  })

  test('of two administrators who saw the same, the second is told', async () => {
    const { put, variable, db } = await setUp({ database })
    const answers = [await put({ SITE_NAME: 'Norte' }, {}, 0), await put({ SITE_NAME: 'Sul' }, {}, 0)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 409])
    const both = await Promise.all([put({ SITE_NAME: 'Leste' }, {}, 1), put({ SITE_NAME: 'Oeste' }, {}, 1)])
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(['Leste', 'Oeste']).toContain((await variable('SITE_NAME'))?.value)
    // on two servers both may have seen the same
    const seen = await findInstallation(db.read)
    for (const isFirst of [true, false]) {
      const next = { ...seen, version: seen.version + 1 }
      expect(await db.transaction((tx) => replaceInstallation(tx, seen, next))).toBe(isFirst)
    }
  })
})

test('what the environment has set is shown, and stays', async () => {
  const { put, variable, next } = await setUp({ env: { SITE_NAME: 'Matriz' } })
  expect(await variable('SITE_NAME')).toMatchObject({ value: 'Matriz', source: 'environment' })
  expect(refusalOf(await put({ SITE_NAME: 'Outra' }))).toEqual([
    400,
    'input_invalid',
    [{ field: 'values.SITE_NAME', message: 'Definido por variável de ambiente: muda-se só lá' }],
  ])
  expect((await next()).siteName).toBe('Matriz')
})

test('an address is not for the page to change while the environment has its password', async () => {
  const { put } = await setUp({ env: { ALARM_WEBHOOK_TOKEN: SECRET } })
  expect((await put({ ALARM_WEBHOOK_URL: 'https://estranho.example' })).statusCode).toBe(400)
})

test.each<[string, string, RegExp]>([
  ['TIME_ZONE', 'Brasil/Interior', /^Esperado um fuso horário com nome de lugar/],
  ['PLANTS', '010101', /^Esperado codigo=nome/],
  ['SHIFTS', '14:00,06:00', /^Esperado a hora em que cada turno começa/],
  ['SITE_NAME', ' ', /^Está vazia/],
  ['ERP_URL', 'erp:8080/rest', /^Esperado o endereço do ERP/],
  ['ERP_URL', `http://painel:${SECRET}@erp:8080/rest`, /^Sem usuário nem senha no endereço/],
  ['ALARM_MAIL_TO', 'ti', /^Esperado endereços de e-mail/],
  ['SMTP_URL', `http://painel:${SECRET}@correio`, /^Esperado smtp:/],
  ['DATA_DIR', '/tmp', /^Campo desconhecido/],
])('a bad value is refused by its field, in the words of a start: %s %s', async (name, text, sentence) => {
  const { put, restarts, read } = await setUp()
  const answer = await put({ SHIFTS: '07:00', [name]: text })
  expect(refusalOf(answer)).toEqual([
    400,
    'input_invalid',
    [expect.objectContaining({ field: `values.${name}`, message: expect.stringMatching(sentence) })],
  ])
  expect(answer.body).not.toContain(SECRET)
  expect([(await read()).version, restarts]).toEqual([0, []])
})

test('the ERP of a demonstration is its own', async () => {
  const { put } = await setUp({ env: { MODE: 'demonstration' } })
  expect((await put({ ERP_URL: 'http://erp/rest' })).statusCode).toBe(400)
  expect((await put({ SITE_NAME: 'Chicotes Sul' })).statusCode).toBe(200)
})

test('only an administrator reads and sets it, with the password typed a moment ago', async () => {
  const { ask, login, put, clock } = await setUp()
  const { token } = await login('operador')
  for (const method of ['GET', 'PUT'] as const) {
    const payload = method === 'PUT' ? { values: { SITE_NAME: 'Sul' } } : undefined
    expect((await ask(token, { method, url: '/api/instalacao', ...(payload ? { payload } : {}) })).statusCode).toBe(403)
  }
  clock.advance(6 * 60_000)
  expect(refusalOf(await put({ SITE_NAME: 'Sul' })).slice(0, 2)).toEqual([428, 'password_needed'])
})

describe('a secret that the page has written', () => {
  const erp = { ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET }
  const mail = { ALARM_MAIL_TO: 'ti@fabrica.local', SMTP_URL: `smtp://painel:${OTHER_SECRET}@correio:587` }

  test('is in a file of the panel’s own account, and in no answer, trail, log, database or backup', async () => {
    const DATA_DIR = temporaryFolder()
    const panel = await setUp({ env: { DATA_DIR, LOG_LEVEL: 'trace' } })
    const saved = await panel.put({ ...erp, ...mail })
    expect(saved.statusCode).toBe(200)
    expect(statSync(panel.secretsFile).mode & 0o777).toBe(0o600)
    const config = await panel.next()
    expect(config).toMatchObject({ erp: { password: SECRET }, alarmMail: { smtpUrl: mail.SMTP_URL } })
    expect(await panel.variable('ERP_PASSWORD')).toEqual({
      ...{ name: 'ERP_PASSWORD', value: null, source: 'page', isSet: true },
    })
    const rows = JSON.stringify([await panel.audit(), await panel.db.read.selectFrom('settings').selectAll().execute()])
    const said = [saved.body, JSON.stringify(await panel.read()), rows, ...panel.logs].join('\n')
    for (const secret of [SECRET, OTHER_SECRET]) expect(said).not.toContain(secret)

    const db = openStore(config)
    await migrate(db)
    await db.close()
    const { folder } = await makeBackup(config, NOON_MS)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.map(({ name }) => name)).not.toContain('secrets.json')
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name)).includes(SECRET), name).toBe(false)
    }
  })

  test('goes to no other address than the one it was written for', async () => {
    const { put, next, secretsFile, variable } = await setUp()
    await put(erp)
    expect((await next()).erp).toMatchObject({ url: erp.ERP_URL, password: SECRET })
    await put({ ERP_URL: 'http://estranho:8080/rest' })
    expect((await next()).erp).toBeNull()
    expect(await variable('ERP_PASSWORD')).toMatchObject({ isSet: false })
    expect(existsSync(secretsFile), 'it is not there any more').toBe(false)
    await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/a', ALARM_WEBHOOK_TOKEN: SECRET })
    await put({ ALARM_WEBHOOK_URL: 'https://avisos.example/b' })
    expect((await next()).alarmWebhook).toEqual({ url: 'https://avisos.example/b', token: null })
    await put({ ALARM_WEBHOOK_URL: null })
    expect((await next()).alarmWebhook).toBeNull()
  })

  test('does not follow an address that was changed in the database or by a variable', async () => {
    const { put, context, db } = await setUp()
    await put(erp)
    const env = { ...context.installation.env, ERP_COMPANY: '02' }
    expect((await completeConfig(db.read, env, context.config)).config.erp).toMatchObject({ password: SECRET })
    const stored = { version: 2, values: { ...erp, ERP_URL: 'http://estranho/rest', ERP_PASSWORD: undefined } }
    await db.transaction((tx) =>
      tx
        .updateTable('settings')
        .set({ value: JSON.stringify(stored) })
        .where('name', '=', 'installation')
        .execute(),
    )
    expect((await completeConfig(db.read, env, context.config)).config.erp).toBeNull()
  })

  test('is for variables where another server of the plant would not have it', async () => {
    const { put, context, db, clock } = await setUp()
    const own = await context.serverWatch.read()
    await db.transaction((tx) => saveReport(tx, { ...own, server: 'outro:3000', readAt: clock.now() }))
    expect(refusalOf(await put(erp)).slice(0, 2)).toEqual([409, 'several_servers'])
    expect((await put({ SITE_NAME: 'Sul' })).statusCode).toBe(200)
  })
})

describe('while the ERP has not answered of what was sent', () => {
  async function leaveUnknown() {
    const panel = await setUp()
    await panel.put({ ERP_URL: panel.simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel' })
    const { token } = await panel.login('operador')
    await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    await panel.record(token, cutOf(1))
    const later = panel.clock.now() + 60_000
    await panel.db.transaction((tx) => tx.updateTable('erp_outbox').set({ state: 'unknown', due_at: later }).execute())
    return { ...panel, restartsBefore: panel.restarts.length }
  }

  test('its address stays, unless it is the same ERP', async () => {
    const { put, next, restarts, restartsBefore, simulator } = await leaveUnknown()
    const other = 'http://127.0.0.1:9/rest'
    for (const values of [{ ERP_URL: other }, { ERP_URL: null }, { ERP_COMPANY: '02' }]) {
      expect(refusalOf(await put(values)).slice(0, 2), JSON.stringify(values)).toEqual([409, 'erp_unsettled'])
    }
    expect(restarts).toHaveLength(restartsBefore)
    expect((await next()).erp?.url).toBe(simulator.url)
    expect((await put({ ERP_URL: other }, { isSameErp: true })).statusCode).toBe(200)
    expect((await put({ SITE_NAME: 'Sul' })).statusCode, 'all else may change').toBe(200)
  })

  test('a database that has worked with an ERP may change its address, not erase it', async () => {
    const { put, db, next } = await setUp()
    await put({ ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET })
    await db.transaction((tx) => keepStandIn(tx, false))
    expect(refusalOf(await put({ ERP_URL: null }))[0]).toBe(400)
    expect((await next()).erp?.url).toBe('http://erp:8080/rest')
  })
})

describe('a plant whose ERP nobody has named yet', () => {
  test('refuses what needs it in words, and calls it not away', async () => {
    const METRICS_TOKEN = 'so-para-o-prometheus'
    const panel = await setUp({ gateway: () => openUnconfigured(), env: { METRICS_TOKEN } })
    const { token } = await panel.login('operador')
    const calls = [
      `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`,
      `/api/apontamentos/itens/${UNTOUCHED}?filial=010101`,
      '/api/maquinas?filial=010101',
      `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}`,
    ]
    for (const url of calls) {
      const answer = await panel.ask(token, { url })
      if (answer.statusCode !== 503) console.log(url, answer.statusCode, answer.body)
      expect(refusalOf(answer).slice(0, 2), url).toEqual([503, 'erp_unconfigured'])
    }
    expect(refusalOf(await panel.record(token, cutOf(1))).slice(0, 2)).toEqual([503, 'erp_unconfigured'])
    const check = { method: 'POST', url: '/api/sistema/erp/conferencia', payload: { ordem: ORDER } } as const
    expect(refusalOf(await panel.ask(panel.admin, check)).slice(0, 2)).toEqual([503, 'erp_unconfigured'])
    panel.clock.advance(3_600_000)
    const health = (await panel.ask((await panel.login('admin')).token, { url: '/api/sistema' })).json()
    expect(health.servers[0].erp).toMatchObject({ awaySince: null, isConfigured: false })
    expect(
      health.alarms
        .filter(({ kind }: { kind: string }) => /^erp/.test(kind))
        .map(({ isOn }: { isOn: boolean }) => isOn),
    ).toEqual([false, false])
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ erp: 'offline', erpConfigured: false })
    const measured = (await panel.ask(METRICS_TOKEN, { url: '/metrics' })).body
    expect(measured).toContain('painel_database_up 1')
    expect(measured).not.toMatch(/^painel_erp_online /m)
  })
})

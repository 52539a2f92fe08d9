import { describe, expect, test } from 'vitest'
import { auditDetailsText } from '../../src/domain/people/audit-entries.ts'
import { openUnconfigured } from '../../src/server/erp/unconfigured.ts'
import { lookAtSettings } from '../../src/server/panel.ts'
import { findInstallation, keepStandIn, replaceInstallation } from '../../src/server/store/settings.ts'
import { cutOf, databases, ORDER, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { refusalOf, SECRET, withSettings } from '../support/installation-settings.ts'

describe.each(databases)('what an administrator sets in the page, on %s', (database) => {
  test('holds from the next start, is in the trail, and puts the server together anew', async () => {
    const { put, read, variable, next, restarts, audit } = await withSettings({ database })
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
    const { put, db, context, restarts } = await withSettings({ database })
    const other = await openTestPanel({ db, env: { MODE: 'plant', ALLOW_PLAIN_HTTP: 'on' } })
    await lookAtSettings(other.context)
    expect(other.restarts).toEqual([])
    await put({ SITE_NAME: 'Chicotes Sul' })
    await lookAtSettings(other.context)
    await lookAtSettings({ ...context, installation: { ...context.installation, version: 1 } })
    expect([other.restarts.length, restarts.length]).toEqual([1, 1])
  })

  test('of two administrators who saw the same, the second is told', async () => {
    const { put, variable, db } = await withSettings({ database })
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
  const { put, variable, next } = await withSettings({ env: { SITE_NAME: 'Matriz' } })
  expect(await variable('SITE_NAME')).toMatchObject({ value: 'Matriz', source: 'environment' })
  expect(refusalOf(await put({ SITE_NAME: 'Outra' }))).toEqual([
    400,
    'input_invalid',
    [{ field: 'values.SITE_NAME', message: 'Definido por variável de ambiente: muda-se só lá' }],
  ])
  expect((await next()).siteName).toBe('Matriz')
})

test('an address is not for the page to change while the environment has its password', async () => {
  const { put } = await withSettings({ env: { ALARM_WEBHOOK_TOKEN: SECRET } })
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
  const { put, restarts, read } = await withSettings()
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
  const { put } = await withSettings({ env: { MODE: 'demonstration' } })
  expect((await put({ ERP_URL: 'http://erp/rest' })).statusCode).toBe(400)
  expect((await put({ SITE_NAME: 'Chicotes Sul' })).statusCode).toBe(200)
})

test('only an administrator reads and sets it, with the password typed a moment ago', async () => {
  const { ask, login, put, clock } = await withSettings()
  const { token } = await login('operador')
  for (const method of ['GET', 'PUT'] as const) {
    const payload = method === 'PUT' ? { values: { SITE_NAME: 'Sul' } } : undefined
    expect((await ask(token, { method, url: '/api/instalacao', ...(payload ? { payload } : {}) })).statusCode).toBe(403)
  }
  clock.advance(6 * 60_000)
  expect(refusalOf(await put({ SITE_NAME: 'Sul' })).slice(0, 2)).toEqual([428, 'password_needed'])
})

describe('while the ERP has not answered of what was sent', () => {
  async function leaveUnknown() {
    const panel = await withSettings()
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
    const other = { ERP_URL: 'http://127.0.0.1:9/rest', ERP_PASSWORD: 'painel' }
    for (const values of [other, { ERP_URL: null }, { ERP_COMPANY: '02' }]) {
      expect(refusalOf(await put(values)).slice(0, 2), JSON.stringify(values)).toEqual([409, 'erp_unsettled'])
    }
    expect(restarts).toHaveLength(restartsBefore)
    expect((await next()).erp?.url).toBe(simulator.url)
    expect((await put(other, { isSameErp: true })).statusCode).toBe(200)
    expect((await next()).erp?.url).toBe(other.ERP_URL)
    expect((await put({ SITE_NAME: 'Sul' })).statusCode, 'all else may change').toBe(200)
  })

  test('a database that has worked with an ERP may change its address, not erase it', async () => {
    const { put, db, next } = await withSettings()
    await put({ ERP_URL: 'http://erp:8080/rest', ERP_USER: 'painel', ERP_PASSWORD: SECRET })
    await db.transaction((tx) => keepStandIn(tx, false))
    expect(refusalOf(await put({ ERP_URL: null }))[0]).toBe(400)
    expect((await next()).erp?.url).toBe('http://erp:8080/rest')
  })
})

describe('a plant whose ERP nobody has named yet', () => {
  test('refuses what needs it in words, and calls it not away', async () => {
    const METRICS_TOKEN = 'so-para-o-prometheus'
    const panel = await withSettings({ gateway: () => openUnconfigured(), env: { METRICS_TOKEN } })
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
    ).toEqual([false, false, false])
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ erp: 'offline', erpConfigured: false })
    const measured = (await panel.ask(METRICS_TOKEN, { url: '/metrics' })).body
    expect(measured).toContain('painel_database_up 1')
    expect(measured).not.toMatch(/^painel_erp_online /m)
  })
})

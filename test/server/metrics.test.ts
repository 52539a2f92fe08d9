import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Status } from '../../src/contract/settings.ts'
import { openUnconfigured } from '../../src/server/erp/unconfigured.ts'
import { keepStandIn } from '../../src/server/store/settings.ts'
import { makeCertificate, startTlsServer } from '../support/certificates.ts'
import { startDirectory } from '../support/directory/responder.ts'
import { addUser, crimpOf, cutOf, databases, ORDER, openTestPanel, temporaryFolder } from '../support/harness.ts'

const TOKEN = 'a-token-of-the-tests'

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel({
    ...options,
    env: { METRICS_TOKEN: TOKEN, BACKUP_DIR: temporaryFolder(), ...options.env },
  })
  await addUser(panel.context, { username: 'operador' })
  const scrape = async (authorization = `Bearer ${TOKEN}`) =>
    await panel.app.inject({ url: '/metrics', headers: { authorization } })
  const read = async () => {
    const { body } = await scrape()
    const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
    return (name: string) => values.get(name)
  }
  return { ...panel, scrape, read }
}

describe.each(databases)('metrics on %s', (database) => {
  test('tell what waits, what the ERP took, and who was turned away', async () => {
    const panel = await setUp({ database })
    const { token } = await panel.login('operador')
    await panel.record(token, crimpOf(30))
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused', count: null }])
    await panel.record(token, cutOf(2))
    panel.clock.advance(90_000)
    const wrong = { username: 'operador', password: 'errada' }
    await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: wrong })
    const change = { currentPassword: 'errada', password: 'três porcas na bancada' }
    await panel.ask(token, { method: 'POST', url: '/api/auth/password', payload: change })
    await panel.ask(token, { method: 'POST', url: '/api/auth/password', payload: { ...change, password: 'errada' } })

    const value = await panel.read()
    expect(value('painel_database_up')).toBe(1)
    expect(value('painel_recordings_pending{state="waiting"}')).toBe(1)
    expect(value('painel_outbox_deliveries{state="new"}')).toBe(1)
    expect(value('painel_outbox_oldest_age_seconds')).toBe(90)
    expect(value('painel_login_failures_total{reason="password"}')).toBe(2)
    expect(value('painel_login_failures_total{reason="throttled"}')).toBe(0)
    expect(value('painel_erp_online')).toBe(0)
    expect(value('painel_erp_latency_seconds')).toBeGreaterThanOrEqual(0)
    expect(value('painel_backup_newest_timestamp_seconds')).toBe(0)
    const called = (labels: string) => value(`painel_erp_call_duration_seconds_count{${labels}}`)
    expect(called('call="recordCutCrimp",outcome="confirmed"')).toBe(1)
    expect(called('call="searchItems",outcome="unavailable"')).toBeGreaterThan(0)
    const answered = (status: string) =>
      `painel_http_request_duration_seconds_count{method="POST",route="/api/apontamentos/corte-crimpagem",status="${status}"}`
    expect(value(answered('2xx'))).toBe(2)
  })
})

test('the breaker is seen while it holds calls back', async () => {
  const panel = await setUp()
  expect((await panel.read())('painel_erp_breaker_open')).toBe(0)
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused', count: null }])
  for (let failures = 0; failures < 6; failures++) {
    await panel.context.erp.searchItems({ branch: '010101', term: ORDER, mode: 'APONTAMENTO' }).catch(() => [])
  }
  expect((await panel.read())('painel_erp_breaker_open')).toBe(1)
})

test('an ERP that refuses the panel’s own user is said, to operators too', async () => {
  const panel = await setUp()
  const { token } = await panel.login('operador')
  const status = async () => (await panel.app.inject('/api/status')).json<Status>()
  expect((await panel.read())('painel_erp_access')).toBe(1)
  await panel.simulator.state.setFaults([{ id: 'F20', operation: 'token', count: null }])
  const answer = await panel.ask(token, {
    url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`,
  })
  expect([answer.statusCode, answer.json().message]).toEqual([502, 'O ERP recusou o usuário do painel. Avise a TI.'])
  expect((await panel.read())('painel_erp_access')).toBe(0)
  expect(await status()).toMatchObject({ erp: 'online', erpAccess: 'refused' })
})

test('an ERP that the database was used with and that nobody names any more is said', async () => {
  for (const [isNamed, missing] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const panel = await setUp(isNamed ? {} : { gateway: () => openUnconfigured() })
    expect((await panel.read())('painel_erp_missing')).toBe(0)
    await panel.db.transaction((tx) => keepStandIn(tx, false))
    expect((await panel.read())('painel_erp_missing')).toBe(missing)
  }
})

test('a directory that is away, and one that refuses the service account, is said; where there is none nothing is', async () => {
  const directory = await startDirectory()
  onTestFinished(() => directory.close())
  const panel = await setUp({ env: { ...directory.env, LDAP_PASSWORD: 'senha-trocada' } })
  const seen = async () => {
    await panel.context.directory?.watch()
    await panel.context.directory?.look()
    const value = await panel.read()
    return [value('painel_directory_up'), value('painel_directory_access')]
  }
  expect(await seen()).toEqual([1, 0])
  await directory.close()
  expect(await seen()).toEqual([0, 0])
  expect((await (await setUp()).read())('painel_directory_up')).toBeUndefined()
})

test('a database that is away is said, and what only it knows is left out', async () => {
  const panel = await setUp()
  await panel.context.outbox.stop(1000)
  await panel.db.close()
  const value = await panel.read()
  expect(value('painel_database_up')).toBe(0)
  expect(value('painel_outbox_oldest_age_seconds')).toBeUndefined()
  expect(value('painel_recordings_pending{state="waiting"}')).toBeUndefined()
})

test('nobody reads them without the token, and without a token there are none', async () => {
  const panel = await setUp()
  for (const authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
    const answer = await panel.scrape(authorization)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  }
  expect((await panel.scrape()).headers['content-type']).toMatch(/^text\/plain/)
  const open = await openTestPanel()
  const answer = await open.app.inject({ url: '/metrics', headers: { authorization: 'Bearer null' } })
  expect(answer.body).not.toContain('painel_')
})

test('labels name routes and never what was asked for or by whom', async () => {
  const panel = await setUp()
  const { token } = await panel.login('operador')
  await panel.record(token, crimpOf(1))
  await panel.ask(token, { url: '/api/itens?filial=010101&codigoOP=01621401001' })
  await panel.ask(token, { url: '/api/graficos/miniaplicador/MA-0001' })
  await panel.app.inject('/api/nada/Maria%20Souza')
  const { body } = await panel.scrape()
  expect(body).not.toMatch(/maria|operador|MA-0001|01621401001|nada/i)
  expect(body).toContain('route="none"')
})

test('alarms, dashboard and manual name all that is measured and nothing else', async () => {
  const directory = await startDirectory()
  onTestFinished(() => directory.close())
  const PUBLIC_URL = (await startTlsServer(makeCertificate())).url
  const panel = await setUp({ env: { PUBLIC_URL, ...directory.env } })
  const { token } = await panel.login('operador')
  await panel.record(token, crimpOf(1))
  const { body } = await panel.scrape()
  const measured = new Set([...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  expect(measured.size).toBeGreaterThan(10)
  const namesIn = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:painel|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    )
  for (const file of ['deploy/prometheus/alarms.yml', 'deploy/grafana/painel.json', 'docs/manual/vigilancia.md']) {
    expect(
      namesIn(file).filter((name) => !measured.has(name)),
      file,
    ).toEqual([])
  }
  const documented = new Set(namesIn('docs/manual/vigilancia.md'))
  const ours = [...measured].filter((name) => name?.startsWith('painel_') && name !== 'painel_version')
  expect(ours.filter((name) => !documented.has(name ?? ''))).toEqual([])
})

test('the Alertmanager gets every alarm, silences none but those that follow from another, and names no other', async () => {
  const read = (name: string) => readFileSync(`deploy/prometheus/${name}`, 'utf8')
  const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const known = matches(read('alarms.yml'), /alert: (\w+)/g)
  const named = matches(read('alertmanager.yml'), /alertname\s*=~?\s*"([\w|]+)"/g).flatMap((list) => list.split('|'))
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
  const severities = matches(read('alarms.yml'), /severity: (\w+)/g)
  const routed = matches(read('alertmanager.yml'), /severity\s*=\s*"(\w+)"/g)
  expect([routed.length, routed.filter((severity) => !severities.includes(severity))]).toEqual([1, []])
  const manual = readFileSync('docs/manual/vigilancia.md', 'utf8')
  expect(known.filter((name) => !manual.includes(`\`${name}\``))).toEqual([])
})

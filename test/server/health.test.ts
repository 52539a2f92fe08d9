import { writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DEVICE_HEADER } from '../../src/contract/endpoint.ts'
import { type ErpCheck, health, type SystemHealth } from '../../src/contract/health.ts'
import { startChores } from '../../src/server/panel.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { openStore } from '../../src/server/store/db/open-store.ts'
import { openAlarmWatch } from '../../src/server/upkeep/alarms.ts'
import { drill, makeBackup, noteTriedOut } from '../../src/server/upkeep/backups.ts'
import { ownProgram } from '../../src/server/upkeep/identity.ts'
import { openServerWatch } from '../../src/server/upkeep/server-facts.ts'
import { makeCertificate, startTlsServer } from '../support/certificates.ts'
import { cutOf, databases, NOON_MS, ORDER, temporaryFolder } from '../support/harness.ts'
import { setUp } from '../support/waiting.ts'

const MINUTE_MS = 60_000

async function setUpHealth(options: Parameters<typeof setUp>[0] = {}) {
  const panel = await setUp(options)
  const read = async () => {
    const answer = await panel.ask(panel.admin, { url: '/api/sistema' })
    expect(health.get.reply.safeParse(answer.json())).toMatchObject({ success: true })
    return answer.json<SystemHealth>()
  }
  const alarmsOn = async () => (await read()).alarms.filter(({ isOn }) => isOn).map(({ kind }) => kind)
  return { ...panel, read, alarmsOn }
}

describe.each(databases)('the health of an installation on %s', (database) => {
  test('tells database, queue, ERP, tablets and what is an alarm now', async () => {
    const panel = await setUpHealth({ database })
    const first = await panel.read()
    expect(first).toMatchObject({
      version: ownProgram().version,
      database: { kind: panel.db.kind },
      servers: [{ erp: { awaySince: null, access: 'ok', fault: null }, clock: { apartMs: 0, isTrusted: true } }],
      queue: { open: 0, oldestAt: null, needPerson: 0, retained: 0 },
      backup: { newestAt: null, triedOutAt: null },
      channels: [
        { channel: 'webhook', target: null },
        { channel: 'mail', target: null },
      ],
    })
    expect(first.database.bytes).toBeGreaterThan(50_000)
    expect(first.servers[0]?.disks.map(({ folder }) => folder)).toContain('data')
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    await panel.park(cutOf(200))
    panel.clock.advance(16 * MINUTE_MS)
    const later = await panel.read()
    expect(later.queue).toMatchObject({ open: 1, oldestAt: '2026-11-21T15:00:00.000Z', needPerson: 1 })
    expect(later.servers[0]?.erp).toMatchObject({
      awaySince: '2026-11-21T15:00:00.000Z',
      fault: { reason: 'unreachable' },
    })
    expect(later.alarms.filter(({ isOn }) => isOn).map(({ name, text }) => [name, text])).toEqual([
      ['ERP fora do ar', expect.stringContaining('há 16 minutos')],
      ['Apontamento espera o ERP', expect.stringContaining('há 16 minutos')],
    ])
  })

  test('tells of each tablet its name, version, what waits there and when it was seen, once', async () => {
    const panel = await setUpHealth({ database })
    const login = (username: string, deviceName: string, device = '') =>
      panel.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'sec-fetch-site': 'same-origin', ...(device ? { cookie: `__Host-device=${device}` } : {}) },
        payload: { username, password: 'senha-de-teste', deviceName },
      })
    const before = (await panel.read()).tablets.length
    const entered = await login('operador', 'Tablet 3')
    const cookies = Object.fromEntries(entered.cookies.map(({ name, value }) => [name, value]))
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const say = (report: string) =>
      panel.ask(entered.json().token, {
        url: '/api/configuracao',
        headers: { cookie, 'sec-fetch-site': 'same-origin', [DEVICE_HEADER]: report },
      })
    panel.clock.advance(2 * MINUTE_MS)
    expect((await say('v2.1;3')).statusCode).toBe(200)
    panel.clock.advance(2 * MINUTE_MS)
    expect((await say('v2.1;<script>')).statusCode).toBe(200)
    const seen = await panel.read()
    expect(seen.tablets).toHaveLength(before + 1)
    expect(seen.tablets[0]).toMatchObject({
      name: 'Tablet 3',
      fullName: 'Maria Souza',
      version: 'v2.1',
      waiting: 3,
      lastSeenAt: '2026-11-21T15:04:00.000Z',
    })
    await login('outro', 'Tablet 3', cookies['__Host-device'])
    expect((await panel.read()).tablets).toHaveLength(before + 1)
  })

  test('tells of every server that has reported within the last minutes', async () => {
    const panel = await setUpHealth({ database })
    const config = { ...panel.context.config, port: 3001 }
    const other = openServerWatch({ ...panel.context, config, clockApartMs: () => 31_000 })
    await openAlarmWatch(panel.context, other, [])()
    expect((await panel.read()).servers.map(({ clock }) => clock.apartMs)).toEqual([0, 31_000])
    expect(await panel.alarmsOn()).toEqual(['clock'])
    panel.clock.advance(4 * MINUTE_MS)
    expect((await panel.read()).servers).toHaveLength(1)
  })
})

test('tells of the newest backup and of its rehearsal, and alarms where a plant has none', async () => {
  const folders = { DATA_DIR: temporaryFolder(), BACKUP_DIR: temporaryFolder() }
  const erp = { ERP_URL: 'http://127.0.0.1:1/rest', ERP_USER: 'painel', ERP_PASSWORD: 'painel' }
  const panel = await setUpHealth({ env: { ...folders, ...erp, ALLOW_PLAIN_HTTP: 'on' } })
  expect(await panel.alarmsOn()).toEqual(['backup_old'])
  const { config } = panel.context
  const db = openStore(config)
  await migrate(db)
  await db.close()
  const backup = await makeBackup(config, NOON_MS - MINUTE_MS)
  expect(await panel.read()).toMatchObject({ backup: { newestAt: '2026-11-21T14:59:00.000Z', triedOutAt: null } })
  await drill(backup, config, NOON_MS)
  await noteTriedOut(backup)
  expect(await panel.read()).toMatchObject({ backup: { triedOutAt: '2026-11-21T14:59:00.000Z' } })
  expect(await panel.alarmsOn()).toEqual([])
})

test('tells of folders that cannot be written, by an alarm of their own and by the one of the backup', async () => {
  const file = join(temporaryFolder(), 'arquivo')
  writeFileSync(file, '')
  const erp = { ERP_URL: 'http://127.0.0.1:1/rest', ERP_USER: 'painel', ERP_PASSWORD: 'painel' }
  const folders = { DOCUMENTS_DIR: join(file, 'documentos'), BACKUP_DIR: join(file, 'backups') }
  const panel = await setUpHealth({ env: { ...folders, ...erp, ALLOW_PLAIN_HTTP: 'on' } })
  const texts = (await panel.read()).alarms.filter(({ isOn }) => isOn).map(({ kind, text }) => [kind, text])
  const [documents, backups] = Object.entries(folders).map(
    ([name, path]) =>
      `${name} inválido: ${path} fica abaixo de ${file}, que é um arquivo; esperado o caminho de uma pasta.`,
  )
  expect(texts).toEqual([
    ['backup_old', `Ainda não há backup. Em ${hostname()}: ${backups}`],
    ['folder_closed', `${hostname()}:3000: ${documents}\n${hostname()}:3000: ${backups}`],
  ])
})

test('tells that the clock is far ahead of the last work, as the chores have found out', async () => {
  const { context, clock } = await setUpHealth()
  clock.set(365 * 24 * 60 * MINUTE_MS)
  onTestFinished(startChores(context))
  await expect.poll(async () => (await context.serverWatch.read()).clock.isTrusted).toBe(false)
})

test('tells when the certificate of the panel’s own address ends', async () => {
  const { url: PUBLIC_URL } = await startTlsServer(makeCertificate({ days: 20 }))
  const panel = await setUpHealth({ env: { PUBLIC_URL } })
  const [server] = (await panel.read()).servers
  const [certificate] = server?.certificates ?? []
  expect(certificate?.of).toBe('panel')
  const days = (Date.parse(certificate?.endsAt ?? '') - Date.now()) / 86_400_000
  expect(Math.ceil(days)).toBe(20)
})

test('shows where alarms go, and neither path, token nor password', async () => {
  const env = {
    ALARM_WEBHOOK_URL: 'https://avisos.example/caminho-secreto?chave=segredo',
    ALARM_WEBHOOK_TOKEN: 'outro-segredo',
    ALARM_MAIL_TO: 'ti@a.example,lider@a.example',
    SMTP_URL: 'smtp://painel:mais-segredo@smtp.example',
  }
  const panel = await setUpHealth({ env })
  const seen = await panel.read()
  expect(seen.channels.map(({ target }) => target)).toEqual(['avisos.example', 'ti@a.example, lider@a.example'])
  expect(JSON.stringify(seen)).not.toMatch(/segred|secreto|smtp\.example/)
})

test('nobody but an administrator reads it, tests a channel or has the ERP checked', async () => {
  const panel = await setUpHealth()
  const calls = [
    { url: '/api/sistema' },
    { method: 'POST', url: '/api/sistema/avisos/mail/teste' },
    { method: 'POST', url: '/api/sistema/erp/conferencia', payload: { ordem: ORDER } },
  ] as const
  for (const call of calls) expect((await panel.ask(panel.token, call)).statusCode, call.url).toBe(403)
})

describe("'Testar conexão'", () => {
  const check = async (panel: Awaited<ReturnType<typeof setUpHealth>>) =>
    await panel.ask(panel.admin, { method: 'POST', url: '/api/sistema/erp/conferencia', payload: { ordem: ORDER } })

  test('asks the ERP for all that the panel asks for, and writes nothing', async () => {
    const panel = await setUpHealth()
    const { calls, isComplete, by } = (await check(panel)).json<ErpCheck>()
    expect(isComplete).toBe(true)
    expect(by, 'where its command is to be typed').toEqual({
      server: `${hostname()}:3000`,
      account: userInfo().username,
    })
    expect(calls.length).toBeGreaterThan(12)
    expect(calls.flatMap(({ findings }) => findings.filter(({ level }) => level === 'wrong'))).toEqual([])
    expect(panel.simulator.state.writes).toEqual([])
  })

  test('answers names of fields and sentences, never what stood in them', async () => {
    const panel = await setUpHealth()
    await panel.simulator.state.setFaults([{ id: 'F40', operation: 'itens', count: null }])
    const { calls } = (await check(panel)).json<ErpCheck>()
    const wrong = calls.flatMap(({ findings }) => findings.filter(({ level }) => level === 'wrong'))
    expect(wrong.length).toBeGreaterThan(0)
    expect(wrong[0]?.field).toMatch(/^Z1_/)
    expect(Object.keys(wrong[0] ?? {}).toSorted()).toEqual(['field', 'level', 'sentence'])
    expect(JSON.stringify(calls)).not.toMatch(/\d{22}|127\.0\.0\.1|T1326030/)
  })

  test('is run once at a time', async () => {
    const panel = await setUpHealth()
    const answers = await Promise.all([check(panel), check(panel)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    await expect.poll(async () => (await check(panel)).statusCode).toBe(200)
  })
})

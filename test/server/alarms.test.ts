import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openUnconfigured } from '../../src/server/erp/unconfigured.ts'
import { startChores } from '../../src/server/panel.ts'
import { findStandIn } from '../../src/server/store/settings.ts'
import { openServerWatch } from '../../src/server/upkeep/server-facts.ts'
import { startReceiver, watchOf, withAlarms } from '../support/alarms.ts'
import { cutOf, databases, ORDER, openTestPanel, type TestPanel } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'
import { setUp } from '../support/waiting.ts'

const MINUTE_MS = 60_000

type Mail = { from: string; to: string[]; raw: string; user: string | undefined }

/** A mail server that takes one user. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '', password }, _session, answer) {
      logins.push(username)
      if (password === 'senha&secreta') answer(null, { user: username })
      else answer(new Error('Invalid username or password'))
    },
    onData(stream, { envelope, user }, answer) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, user })
        answer()
      }, answer)
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.server.address() as AddressInfo).port, mails, logins }
}

describe.each(databases)('alarms on %s', (database) => {
  test('a recording that waits longer than 15 minutes is said once, in the log too, and again when it is over', async () => {
    const panel = await withAlarms({ database })
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    await panel.look()
    panel.clock.advance(15 * MINUTE_MS)
    // the ERP is away as long
    await panel.look()
    expect(panel.said()).toEqual(['erp_away comecou'])
    panel.clock.advance(1)
    await panel.look()
    await panel.look()
    expect(panel.said()).toEqual(['erp_away comecou', 'oldest_waiting comecou'])
    expect(panel.logged()).toEqual(['erp_away', 'oldest_waiting'])
    await panel.erpIs('up')
    await panel.deliverAll()
    await panel.look()
    await panel.look()
    expect(panel.said().slice(2).toSorted()).toEqual(['erp_away terminou', 'oldest_waiting terminou'])
    expect(panel.receiver.messages[1]).toMatchObject({
      painel: 'Chicotes Sul',
      texto: expect.stringContaining('espera o ERP há 15 minutos'),
      text: expect.stringContaining('[Chicotes Sul] Apontamento espera o ERP: '),
    })
  })

  test('what is begun survives a restart, and of two servers one says it', async () => {
    const panel = await withAlarms({ database })
    await panel.record(panel.token, cutOf(1))
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    const other = openServerWatch({ ...panel.context, config: { ...panel.context.config, port: 3001 } })
    const servers = [panel.look, watchOf(panel, other)]
    for (const minutes of [4, 2, 0, 10, 0]) {
      panel.clock.advance(minutes * MINUTE_MS)
      await Promise.all(servers.map((look) => look()))
    }
    expect(panel.said()).toEqual(['erp_away comecou', 'oldest_waiting comecou'])
    expect(panel.receiver.messages[0]?.assuntos, 'the ERP is away of both').toHaveLength(2)
    const started = await openTestPanel({
      ...{ db: panel.db, clock: panel.clock },
      env: { ALARM_WEBHOOK_URL: panel.receiver.url },
    })
    await watchOf(started)()
    expect(panel.said()).toHaveLength(2)
    expect(new Set(panel.logged())).toEqual(new Set(['erp_away', 'oldest_waiting']))
  })
})

test('a restarted server that has not logged in yet does not take the ERP for one that lets it in', async () => {
  const panel = await withAlarms()
  const search = (one: Pick<TestPanel, 'context'>) =>
    one.context.erp.searchItems({ branch: '010101', term: ORDER, mode: 'APONTAMENTO' }).catch(() => null)
  await panel.simulator.state.setFaults([{ id: 'F20', operation: 'token', count: null }])
  // its token is over
  panel.clock.advance(120 * MINUTE_MS)
  await search(panel)
  await panel.look()
  expect([panel.said(), panel.logged()]).toEqual([['erp_refused comecou'], ['erp_refused']])
  const { db, clock, receiver } = panel
  const started = await openTestPanel({ db, clock, env: { ALARM_WEBHOOK_URL: receiver.url } })
  const look = watchOf(started)
  await look()
  expect(panel.said()).toHaveLength(1)
  await search(started)
  await look()
  expect(panel.said()).toEqual(['erp_refused comecou', 'erp_refused terminou'])
})

test('a database that has worked with an ERP and has none now is said until it has one again; a new plant’s is not', async () => {
  const gateway = () => openUnconfigured()
  const fresh = await withAlarms({ gateway })
  await fresh.look()
  expect(fresh.said()).toEqual([])

  const panel = await withAlarms()
  const stop = startChores(panel.context)
  onTestFinished(stop)
  await vi.waitUntil(async () => (await findStandIn(panel.db.read)) !== null, SOON)
  stop()
  await panel.look()
  expect(panel.said()).toEqual([])
  const { db, clock, receiver } = panel
  const env = { ALARM_WEBHOOK_URL: receiver.url, LOG_LEVEL: 'fatal' }
  const without = await openTestPanel({ db, clock, env, gateway })
  for (let looks = 0; looks < 2; looks++) await watchOf(without)()
  expect(panel.said()).toEqual(['erp_missing comecou'])
  expect(receiver.messages[0]?.texto).toContain('Complete o ERP em Instalação')
  clock.advance(MINUTE_MS)
  await panel.look()
  expect(panel.said()).toEqual(['erp_missing comecou', 'erp_missing terminou'])
})

test('what nobody took is said again a minute later, and only to whom it did not reach', async () => {
  const mail = await startMailServer()
  const panel = await withAlarms({
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, ALARM_MAIL_TO: 'ti@fabrica.example', LOG_LEVEL: 'warn' },
  })
  panel.receiver.answer.status = 500
  await panel.erpIs('down')
  await panel.record(panel.token, cutOf(1))
  panel.clock.advance(6 * MINUTE_MS)
  await panel.look()
  expect([panel.said(), mail.mails.length]).toEqual([[], 1])
  panel.receiver.answer.status = 200
  panel.clock.advance(MINUTE_MS)
  await panel.look()
  expect([panel.said(), mail.mails.length]).toEqual([['erp_away comecou'], 1])
  expect(panel.logged()).toEqual(['erp_away'])
  const warnings = panel.logs.filter((line) => line.includes('an alarm could not be sent'))
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'erp_away', channel: 'webhook', reason: 'Quem recebe respondeu HTTP 500.' },
  ])
  expect(panel.logs.join()).not.toContain('segredo')
})

test('a night without an ERP, and with nobody who takes the alarm, writes a line of each an hour, not two a minute', async () => {
  const panel = await withAlarms({ env: { LOG_LEVEL: 'warn' } })
  panel.receiver.answer.status = 500
  await panel.erpIs('down')
  const written: string[] = []
  for (let minute = 0; minute < 130; minute++) {
    panel.clock.advance(MINUTE_MS)
    await panel.context.erp.probe()
    await panel.look()
    written.push(...panel.logs.splice(0).map((line) => `${minute} ${JSON.parse(line).msg}`))
  }
  panel.logged()
  const minutesOf = (text: string) =>
    written.filter((line) => line.endsWith(text)).map((line) => Number(line.split(' ')[0]))
  expect(minutesOf('an alarm could not be sent')).toEqual([5, 65, 125])
  expect(minutesOf('no answer')).toEqual([0, 60, 120])
  expect(written).toHaveLength(3 + 3 + minutesOf('an alarm has begun').length)
})

test('a server says alarms by itself while it runs', async () => {
  const panel = await withAlarms()
  await panel.erpIs('down')
  await panel.record(panel.token, cutOf(1))
  panel.clock.advance(16 * MINUTE_MS)
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  onTestFinished(startChores(panel.context))
  vi.advanceTimersByTime(MINUTE_MS)
  await expect.poll(panel.said).toContain('oldest_waiting comecou')
  panel.logged()
})

describe("'Enviar teste'", () => {
  const setUpTest = async (env: Record<string, string>) => {
    const panel = await setUp({ env: { ...env, PUBLIC_URL: 'https://painel.fabrica.example' } })
    const send = async (channel: string, token = panel.admin) =>
      (await panel.ask(token, { method: 'POST', url: `/api/sistema/avisos/${channel}/teste` })).json()
    return { ...panel, send }
  }

  test('posts JSON with the token, and says so', async () => {
    const receiver = await startReceiver()
    const { send, token } = await setUpTest({ ALARM_WEBHOOK_URL: receiver.url, ALARM_WEBHOOK_TOKEN: 'chave-do-aviso' })
    expect(await send('webhook')).toEqual({ isSent: true, message: 'Aviso de teste enviado.' })
    expect(receiver.messages).toMatchObject([{ situacao: 'teste', endereco: 'https://painel.fabrica.example' }])
    expect(receiver.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer chave-do-aviso',
      'content-type': 'application/json',
    })
    expect(await send('webhook', token)).toMatchObject({ code: 'not_allowed' })
    expect(await send('mail')).toMatchObject({ isSent: false, message: 'Este aviso não está configurado no servidor.' })
  })

  test.each([
    [302, 'Quem recebe respondeu HTTP 302.'],
    [401, 'Quem recebe respondeu HTTP 401.'],
  ])('says what a receiver answered, and follows it nowhere: %s', async (status, reason) => {
    const receiver = await startReceiver({ status })
    const { send } = await setUpTest({ ALARM_WEBHOOK_URL: receiver.url })
    expect(await send('webhook')).toEqual({ isSent: false, message: `O aviso de teste não foi enviado. ${reason}` })
    expect(receiver.requests).toHaveLength(1)
  })

  test('sends mail in Portuguese under its user', async () => {
    const { port, mails } = await startMailServer()
    const { send } = await setUpTest({
      SMTP_URL: `smtp://painel%40fabrica.example:senha%26secreta@127.0.0.1:${port}`,
      ALARM_MAIL_TO: 'ti@fabrica.example, lider@fabrica.example',
    })
    expect(await send('mail')).toMatchObject({ isSent: true })
    expect(mails).toMatchObject([
      {
        from: 'painel@fabrica.example',
        to: ['ti@fabrica.example', 'lider@fabrica.example'],
        user: 'painel@fabrica.example',
        raw: expect.stringContaining('Subject: [Unidade 1] Teste: Aviso de teste'),
      },
    ])
    expect(mails[0]?.raw).toContain('painel.fabrica.example')
  })

  test('says that a mail server takes another password, and never shows one', async () => {
    const { port, logins } = await startMailServer()
    const env = { SMTP_URL: `smtp://painel:outra%26senha@127.0.0.1:${port}`, ALARM_MAIL_TO: 'ti@fabrica.example' }
    const { send } = await setUpTest(env)
    const { message } = await send('mail')
    expect(message).toContain('O servidor de e-mail recusou o usuário ou a senha (SMTP_URL).')
    expect([message.includes('outra'), logins]).toEqual([false, ['painel']])
  })

  test('sends no password to another machine in clear', async () => {
    const { port, logins } = await startMailServer()
    // this very machine by an address that does not look like it
    const env = { SMTP_URL: `smtp://painel:senha%26secreta@[::ffff:127.0.0.1]:${port}`, ALARM_MAIL_TO: 'ti@a.example' }
    const { send } = await setUpTest(env)
    expect((await send('mail')).message).toContain('O servidor não oferece TLS.')
    expect(logins).toEqual([])
  })

  test('says that nobody is there, and that a name does not exist', async () => {
    const there = await setUpTest({ ALARM_WEBHOOK_URL: 'http://avisos.invalid/' })
    expect((await there.send('webhook')).message).toContain('O nome do servidor não existe na rede.')
    const closed = await startReceiver()
    await closed.close()
    const away = await setUpTest({ ALARM_WEBHOOK_URL: closed.url })
    expect((await away.send('webhook')).message).toContain('Ninguém atende neste endereço e porta.')
  })
})

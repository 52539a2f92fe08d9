import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import type { InjectOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import type { MaintenanceCallForm } from '../../src/contract/maintenance-calls.ts'
import { limits } from '../../src/server/http/limits.ts'
import { openStream } from '../support/event-stream.ts'
import { addUser, callOf, crimpOf, cutOf, ORDER, openTestPanel, parked } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'

/** What one person may do, however many sessions and devices that takes. */

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  for (const username of ['ana', 'bia']) await addUser(panel.context, { username })
  const enter = async (username: string) => (await panel.login(username)).token
  const send = async (token: string, url: string, payload: object, id: string = randomUUID()) => {
    const request: InjectOptions = { method: 'POST', url, payload, headers: { 'idempotency-key': id } }
    const { statusCode, headers, body } = await panel.ask(token, request)
    return { status: statusCode, code: JSON.parse(body).code, seconds: headers['retry-after'] }
  }
  const enterOften = async (username: string, times: number) => {
    const tokens: string[] = []
    for (let n = 0; n < times; n++) tokens.push(await enter(username))
    return tokens
  }
  return {
    ...panel,
    enterOften,
    send,
    ana: await enter('ana'),
    anaElsewhere: await enter('ana'),
    bia: await enter('bia'),
  }
}

test('one person calls maintenance 20 times at once and 20 times a minute: what comes beyond is told to wait', async () => {
  const { send, ana, anaElsewhere, bia, clock } = await setUp()
  const call = (token: string, machine: string, more: Partial<MaintenanceCallForm> = {}, id?: string) =>
    send(token, '/api/chamados', callOf({ maquina: machine, ...more }), id)
  const [first, late] = [randomUUID(), randomUUID()]
  expect((await call(ana, 'PR 0', {}, first)).status).toBe(201)
  for (let n = 1; n < 20; n++) expect((await call(n % 2 ? anaElsewhere : ana, `PR ${n}`)).status).toBe(201)
  const fromQueue = { captura: { salvoNoDispositivo: true } }
  const waits = { status: 429, code: 'too_many_of_person', seconds: '3' }
  for (const token of [ana, anaElsewhere]) expect(await call(token, 'PR 20', fromQueue, late)).toEqual(waits)
  expect((await call(ana, 'PR 0', {}, first)).status, 'what is there is answered').toBe(201)
  expect((await call(bia, 'PR 21')).status, 'another person').toBe(201)
  clock.advance(3000)
  expect((await call(ana, 'PR 20', fromQueue, late)).status).toBe(201)
  expect(await call(anaElsewhere, 'PR 22')).toEqual(waits)
})

test('of one person 100 recordings are parked at once and 20 a minute; good ones, and those of others, do not wait', async () => {
  const { send, ana, anaElsewhere, bia, clock, db } = await setUp()
  const record = (token: string, payload: object, id?: string) =>
    send(token, '/api/apontamentos/corte-crimpagem', payload, id)
  const [first, late] = [randomUUID(), randomUUID()]
  expect((await record(ana, parked(cutOf(1)), first)).status).toBe(202)
  for (let n = 1; n < 100; n++) expect((await record(n % 2 ? anaElsewhere : ana, parked(cutOf(1)))).status).toBe(202)
  for (const token of [ana, anaElsewhere]) {
    expect(await record(token, parked(cutOf(1)), late)).toEqual({
      status: 429,
      code: 'too_many_of_person',
      seconds: '3',
    })
  }
  expect((await record(ana, parked(cutOf(1)), first)).status, 'what is there is answered').toBe(202)
  expect((await record(ana, { ...crimpOf(1), captura: { salvoNoDispositivo: true } })).status).toBe(202)
  expect((await record(bia, parked(cutOf(1)))).status).toBe(202)
  clock.advance(3000)
  expect((await record(ana, parked(cutOf(1)), late)).status, 'under its own id').toBe(202)
  const rows = await db.read.selectFrom('recordings').select('id').where('state', '=', 'parked').execute()
  expect([rows.length, rows.filter(({ id }) => id === late).length]).toEqual([102, 1])
})

test('one person has 120 event streams at most, over all sessions and devices; others are heard as before', async () => {
  const panel = await setUp()
  const sessions = await panel.enterOften('ana', 6)
  const listen = (token = '') => openStream(panel, { authorization: `Bearer ${token}` })
  const streams = await Promise.all(Array.from({ length: 120 }, (_, n) => listen(sessions[n % 5])))
  expect(streams.filter(({ status }) => status !== 200)).toEqual([])
  const refused = await listen(sessions[5])
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5'])
  await refused.ended
  expect(JSON.parse(refused.text()).message).toBe(limits.streamsOfPerson.sentence)
  expect((await listen(panel.bia)).status).toBe(200)
  streams[0]?.hangUp()
  await vi.waitFor(async () => expect((await listen(sessions[5])).status).toBe(200), SOON)
})

test('one person has six reads open that keep the database busy, over all sessions; others read meanwhile', async () => {
  const panel = await setUp()
  const read = (token: string, url: string) =>
    panel.ask(token, { url: `/api/${url}` }).then(({ statusCode, headers }) => [statusCode, headers['retry-after']])
  const traces = `rastreabilidade?termo=${ORDER}&tipo=ordem`
  const urls = [traces, traces.replace('?', '/csv?'), 'crimpagens/export-csv?filter=', traces, traces, traces, traces]
  const tokens = [panel.ana, panel.anaElsewhere]
  const many = urls.map((url, n) => read(tokens[n % 2] ?? '', url))
  expect(await read(panel.bia, traces)).toEqual([200, undefined])
  expect((await Promise.all(many)).toSorted()).toEqual([...Array(6).fill([200, undefined]), [429, '2']])
  for (const url of urls) expect(await read(panel.ana, url), 'each was given back').toEqual([200, undefined])
})

test('whoever hangs up before a read begins has all places left', async () => {
  const panel = await setUp()
  const path = `/api/rastreabilidade?termo=${ORDER}&tipo=ordem`
  const url = `${await panel.app.listen({ host: '127.0.0.1', port: 0 })}${path}`
  const identifying = vi.spyOn(panel.context.marks, 'isYounger')
  for (let n = 0; n < limits.heavyReadsOfPerson.max; n++) {
    const { promise: isGone, resolve: noteGone } = Promise.withResolvers<void>()
    panel.app.server.once('connection', (socket) => socket.once('close', () => noteGone()))
    const call = get(url, { agent: false, headers: { authorization: `Bearer ${panel.ana}` } })
    call.once('error', () => undefined)
    identifying.mockImplementationOnce(async () => {
      call.destroy()
      await isGone
      return false
    })
    await isGone
  }
  await vi.waitFor(async () => expect((await panel.ask(panel.ana, { url: path })).statusCode).toBe(200), SOON)
})

test('however many sessions one person reads with, another waits for one of those reads, and twelve are open', async () => {
  const panel = await setUp({ env: { ERP_MAX_CONCURRENT: '1' } })
  const searchOf = (order: string) => ({ url: `/api/apontamentos/itens?filial=010101&termo=${order}&modo=APONTAMENTO` })
  const terms = () => panel.simulator.state.log.filter(({ operation }) => operation === 'itens').map(({ term }) => term)
  const sessions = await panel.enterOften('ana', 6)
  await panel.ask(panel.ana, searchOf('99999999999'))
  await panel.simulator.state.setFaults([{ id: 'F01', ms: 300, count: 1 }])
  const many = sessions.flatMap((token, n) => [1, 2, 3].map((m) => panel.ask(token, searchOf(`9999999${n}00${m}`))))
  await vi.waitUntil(() => terms().length === 2, SOON)
  expect((await panel.ask(panel.bia, searchOf(ORDER))).statusCode).toBe(200)
  const answers = await Promise.all(many)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(6)
  expect(terms().slice(2).indexOf(ORDER)).toBeLessThan(2)
})

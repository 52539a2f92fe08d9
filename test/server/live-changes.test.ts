import { hash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import pino from 'pino'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { topics } from '../../src/contract/endpoint.ts'
import type { LiveChange } from '../../src/contract/live-changes.ts'
import { type Db, openDb, openMysql } from '../../src/server/store/db/db.ts'
import { deleteOldChanges, listChangesFrom, noteChanges } from '../../src/server/store/live-changes.ts'
import { insertSecrets, insertSession } from '../../src/server/store/sessions.ts'
import { insertUser } from '../../src/server/store/users.ts'
import { openLiveChanges } from '../../src/server/upkeep/live-changes.ts'
import { openStream } from '../support/event-stream.ts'
import {
  addUser,
  crimpOf,
  type Database,
  databases,
  NOON_MS,
  openTestDb,
  openTestPanel,
  parked,
  temporaryFolder,
  testClock,
  UNTOUCHED,
} from '../support/harness.ts'
import { startOwnMariadb } from '../support/mariadb.ts'
import { placeOf } from '../support/places.ts'
import { SOON } from '../support/slowness.ts'
import { blocked, savedOnTablet } from '../support/waiting.ts'

async function openServer(db: Db, keyFile: string) {
  const env = { LOG_LEVEL: 'warn', SECRET_KEY_FILE: keyFile }
  const panel = await openTestPanel({ db, clock: testClock(), env })
  onTestFinished(() => db.close())
  return panel
}

/** Two servers of one plant: what is written on the first is heard on the second. */
async function setUp(database: Database) {
  const place = await placeOf(database)
  const open = () => openDb(place.database)
  const keyFile = join(temporaryFolder(), 'secret.key')
  const writer = await openServer(open(), keyFile)
  const reader = await openServer(open(), keyFile)
  await addUser(writer.context, { username: 'maria' })
  await addUser(writer.context, { username: 'admin', role: 'admin' })
  const { token } = await writer.login('maria')
  const authorization = `Bearer ${token}`
  const pair = (terminal: string, miniaplicator = 'MA-0001') =>
    writer.ask(token, { method: 'POST', url: '/api/miniaplicadores', payload: { terminal, miniaplicator } })
  return { writer, reader, token, pair, authorization, listen: () => openStream(reader, { authorization }) }
}

const counter = (key: string) => ({ topic: 'crimp-counters', key })
const item = (key = UNTOUCHED) => ({ topic: 'items', key })
const pending = (key: string) => ({ topic: 'pending-recordings', key })

describe.each(databases)('live changes on %s', (database) => {
  test('of 200 changes at once none is missed and none is told twice', async () => {
    const { writer, pair, listen } = await setUp(database)
    const streams = [await listen(), await listen()]
    // a slow database refuses some, and may have taken those as well: each is asked for until it is there
    const save = async (terminal: string): Promise<void> => {
      if ((await pair(terminal)).statusCode === 503) await save(terminal)
    }
    await Promise.all(Array.from({ length: 200 }, (_, n) => save(`T${n}`)))
    const ids = (await writer.db.read.selectFrom('applicators').select('id').execute()).map(({ id }) => String(id))
    expect(ids).toHaveLength(200)
    for (const stream of streams) {
      const keys = () => stream.heard.filter(({ topic }) => topic === 'applicators').map(({ key }) => key)
      await stream.until(() => keys().length >= 200)
      expect(keys().toSorted()).toEqual(ids.toSorted())
    }
    expect(writer.errors).toEqual([])
  })

  test('are told again from the beginning when a backup was put back', async () => {
    const { writer, pair, listen } = await setUp(database)
    await pair('T0')
    const stream = await listen()
    await writer.db.transaction((tx) => tx.deleteFrom('live_changes').execute())
    await stream.until((heard) => heard.length >= topics.length)
    expect(stream.heard).toEqual(topics.map((topic) => ({ topic, key: '' })))
    await pair('T1')
    await stream.until((heard) => heard.length >= topics.length + 2)
  })

  test('are kept for a while, the newest for longer', async () => {
    const { writer } = await setUp(database)
    const { db } = writer
    const note = (at: number) => db.transaction((tx) => noteChanges(tx, [], at))
    for (const at of [10, 20, 30, 5]) await note(at)
    const countAfter = async (before: number) => {
      await db.transaction((tx) => deleteOldChanges(tx, before))
      return (await listChangesFrom(db.read, 0)).length
    }
    expect([await countAfter(10), await countAfter(21), await countAfter(99), await countAfter(99)]).toEqual([
      4, 2, 1, 1,
    ])
  })
})

describe('live changes', () => {
  test('of pairs, stations and counters are heard on another server', async () => {
    const { writer, token, pair, listen } = await setUp('sqlite')
    await pair('T0')
    const stream = await listen()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    const { id } = (await pair('T1')).json()
    const ask = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
      writer.ask(token, { method, url, ...(payload ? { payload } : {}) })
    await ask('PUT', `/api/miniaplicadores/${id}`, { terminal: 'T2', miniaplicator: 'MA-0001' })
    await ask('DELETE', `/api/miniaplicadores/${id}`)
    const station = { seal: 'S1', sealingStationName: 'Seladora 1' }
    const { id: stationId } = (await ask('POST', '/api/sealingstations', station)).json()
    await ask('PUT', `/api/sealingstations/${stationId}`, station)
    await ask('DELETE', `/api/sealingstations/${stationId}`)
    const unit = { miniaplicator: 'MA-0001' }
    await ask('PUT', '/api/crimpagens/ma-0001/limit', { ...unit, limitOfCrimps: 5 })
    const maintenance = { serviceOrder: 1, maintenanceDate: '2026-12-01', comments: '' }
    await ask('PUT', '/api/crimpagens/MA-0001/schedule', { ...unit, ...maintenance })
    await ask('POST', '/api/crimpagens/MA-0001/reset', { ...unit, newLimitOfCrimps: 5 })
    // what was refused has changed nothing
    await pair('T0')
    await ask('DELETE', `/api/sealingstations/${stationId}`)
    await pair('T3')
    await stream.until((heard) => heard.length >= 17)
    const ofPair = [{ topic: 'applicators', key: String(id) }, counter('')]
    const ofStation = { topic: 'sealing-stations', key: String(stationId) }
    const ofUnit = [counter('MA-0001'), { topic: 'crimp-history', key: 'MA-0001' }]
    expect(stream.heard.slice(0, 15)).toEqual([
      ...[...ofPair, ...ofPair, ...ofPair],
      ...[ofStation, ofStation, ofStation],
      ...[...ofUnit, ...ofUnit, ...ofUnit],
    ])
    expect(stream.heard.slice(15)).toMatchObject([{ topic: 'applicators' }, counter('')])
    expect(stream.text()).toMatch(/^retry: 3000\n\n/)
  })

  test('of recordings are heard from their arrival to their end', async () => {
    const { writer, token, listen } = await setUp('sqlite')
    await writer.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    const admin = (await writer.login('admin')).token
    const decide = (id: string, what: string, payload: object, headers = {}) =>
      writer.ask(admin, { method: 'POST', url: `/api/pendencias/${id}/${what}`, payload, headers })
    const stream = await listen()
    const [delivered, refused, late, lost, corrected] = Array.from({ length: 5 }, () => randomUUID())
    if (!delivered || !refused || !late || !lost || !corrected) throw new Error('no ids')
    expect((await writer.record(token, crimpOf(1), delivered)).statusCode).toBe(201)
    expect((await writer.record(token, blocked(crimpOf(1)), refused)).statusCode).toBe(422)
    expect((await writer.record(token, savedOnTablet(blocked(crimpOf(1))), late)).statusCode).toBe(202)
    await writer.context.outbox.deliverDue()
    expect((await writer.record(token, parked(crimpOf(1)), lost)).statusCode).toBe(202)
    await decide(lost, 'descarte', { motivo: 'x' })
    await decide(late, 'correcao', crimpOf(2, 'MA-0002'), { 'idempotency-key': corrected })
    const tool = counter('MA-0001')
    const expected = [
      ...[item(), pending(delivered), tool],
      ...[item(), pending(delivered)],
      ...[item(), pending(refused), tool],
      ...[item(), pending(refused), counter('ma-0001')],
      ...[item(), pending(late), tool],
      ...[item(), pending(late)],
      ...[item('X'.repeat(22)), pending(lost), tool],
      ...[item('X'.repeat(22)), pending(lost), counter('ma-0001')],
      ...[item(), pending(late), counter('ma-0001'), item(), pending(corrected), counter('MA-0002')],
      ...[item(), pending(corrected)],
    ]
    await stream.until((heard) => heard.length >= expected.length)
    expect(stream.heard).toEqual(expected)
  })

  test('of the minute before are told when a stream opens, each once', async () => {
    const { writer, reader, token, pair, listen } = await setUp('sqlite')
    const { id } = (await pair('T0')).json()
    const receivedOf = async (terminal: string) => {
      const stream = await listen()
      await pair(terminal)
      await stream.until((heard) => heard.length >= 2)
      return stream.received.filter(({ topic }) => topic !== 'sessions')
    }
    for (const limitOfCrimps of [5, 6]) {
      const payload = { miniaplicator: 'MA-0001', limitOfCrimps }
      await writer.ask(token, { method: 'PUT', url: '/api/crimpagens/MA-0001/limit', payload })
    }
    expect(await receivedOf('T1')).toEqual([
      { topic: 'applicators', key: String(id) },
      counter(''),
      counter('MA-0001'),
      { topic: 'crimp-history', key: 'MA-0001' },
    ])
    reader.clock.advance(60_000)
    expect(await receivedOf('T2')).toHaveLength(5)
    reader.clock.advance(1)
    expect(await receivedOf('T3')).toEqual([])
  })
})

/** Alone at the second server, on the plain socket. */
async function readerWhoDoesNotRead() {
  const { listen, reader } = await setUp('sqlite')
  const opener = await listen()
  const request = once(reader.app.server, 'request')
  const { port } = reader.app.server.address() as AddressInfo
  const { token } = await reader.login('admin')
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /api/eventos HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  const [, response] = (await request) as [unknown, ServerResponse]
  const connections = () =>
    new Promise((resolve) => reader.app.server.getConnections((_error, count) => resolve(count)))
  opener.hangUp()
  await vi.waitFor(async () => expect(await connections()).toBe(1), SOON)
  /** Done when every stream has been told. */
  const tell = async (changes: LiveChange[]) => {
    const { promise: received, resolve: hear } = Promise.withResolvers<LiveChange[]>()
    const stopListening = await reader.context.liveChanges.listen({ hear, end: () => undefined })
    await reader.db.transaction((tx) => noteChanges(tx, changes, 1))
    await received
    stopListening()
  }
  return { reader, response, token, tell, connections }
}

describe('a stream', () => {
  test('is for those who are logged in', async () => {
    const { reader, authorization } = await setUp('sqlite')
    for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: `${authorization}x` }]) {
      const stream = await openStream(reader, headers as Record<string, string>)
      expect([stream.status, stream.headers['content-type']]).toEqual([401, 'application/json; charset=utf-8'])
    }
  })

  test('is opened a thousand times by all people together', async () => {
    const { reader } = await setUp('sqlite')
    const people = Array.from({ length: 334 }, (_, n) => ({ username: `p${n}`, secret: randomUUID() }))
    // as a login does, without the many passwords
    const session = { browser: false, deviceName: '', device: null, createdAt: NOON_MS, expiresAt: NOON_MS + 60_000 }
    const user = {
      fullName: '',
      role: 'operador',
      passwordHash: '',
      hasLongPassword: true,
      createdAt: NOON_MS,
    } as const
    await reader.db.transaction(async (tx) => {
      for (const { username, secret } of people) {
        await insertUser(tx, { ...user, username })
        const { id: userId } = await tx
          .selectFrom('users')
          .select('id')
          .where('username', '=', username)
          .executeTakeFirstOrThrow()
        await insertSession(tx, { ...session, userId, id: secret })
        await insertSecrets(tx, secret, 1, { token: hash('sha256', secret) })
      }
    })
    const listen = (n: number) =>
      openStream(reader, { authorization: `Bearer ${people[Math.floor(n / 3)]?.secret ?? ''}` })
    const streams = await Promise.all(Array.from({ length: 1000 }, (_, n) => listen(n)))
    expect(streams.filter(({ status }) => status !== 200)).toEqual([])
    const refused = await listen(1000)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    streams[0]?.hangUp()
    await vi.waitFor(async () => expect((await listen(1000)).status).toBe(200), SOON)
  })

  test('says that it lives each 15 s, and ends with its session', async () => {
    const { listen, writer, reader, token } = await setUp('sqlite')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await listen()
    await vi.advanceTimersByTimeAsync(120_000)
    await vi.waitFor(() => expect(stream.text().match(/^event: vivo$/gm)).toHaveLength(9), SOON)
    await writer.ask(token, { method: 'POST', url: '/api/auth/logout' })
    await vi.advanceTimersByTimeAsync(60_000)
    await stream.ended
    expect(reader.logs).toEqual([])
  })

  test('is cut off when its reader does not read', async () => {
    const { tell, connections } = await readerWhoDoesNotRead()
    const much = Array.from({ length: 20 }, () => item('x'.repeat(1_000_000)) as LiveChange)
    await tell(much)
    expect(await connections()).toBe(1)
    await tell(much)
    await vi.waitFor(async () => expect(await connections()).toBe(0), SOON)
  })

  test('is cut off at once when its session is over, though its reader does not read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { reader, response, token, tell, connections } = await readerWhoDoesNotRead()
    // as much as the kernel takes, and a little more that waits in this process
    while (response.writableLength === 0) {
      response.write(`:${'x'.repeat(30_000)}\n\n`)
      await turn()
    }
    await reader.ask(token, { method: 'POST', url: '/api/auth/logout' })
    await vi.advanceTimersByTimeAsync(60_000)
    for (const key of ['a', 'b']) await tell([item(key) as LiveChange])
    await vi.waitFor(async () => expect(await connections()).toBe(0), SOON)
  })

  test('ends at once when the server stops', async () => {
    const { listen, reader } = await setUp('sqlite')
    const streams = [await listen(), await listen()]
    await reader.app.close()
    await Promise.all(streams.map(({ ended }) => ended))
  })

  test('that comes while the server stops ends at once', async () => {
    const { db, clock } = await openTestPanel()
    const live = openLiveChanges({ db, now: clock.now, log: pino({ enabled: false }) })
    live.stop()
    const events: string[] = []
    await live.listen({ hear: () => events.push('heard'), end: () => events.push('ended') })
    expect(events).toEqual(['ended'])
  })

  test('hears nothing after the server has stopped, though the server was just reading', async () => {
    const { db, clock } = await openTestPanel()
    const reading = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const slow: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'changes_json' in row)) {
          reading.resolve()
          await answered.promise
        }
        return result
      },
    }
    const log = pino({ enabled: false })
    const live = openLiveChanges({ db: { ...db, read: db.read.withPlugin(slow) }, now: clock.now, log })
    const events: string[] = []
    await live.listen({ hear: () => events.push('heard'), end: () => events.push('ended') })
    await db.transaction((tx) => noteChanges(tx, [item() as LiveChange], 1))
    await reading.promise
    live.stop()
    answered.resolve()
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(events).toEqual(['ended'])
  })

  test('hears what took its number before and was committed after what it has heard', async () => {
    const db = await openTestDb('mariadb')
    const panel = await openTestPanel({ db })
    await addUser(panel.context, { username: 'maria' })
    const { token } = await panel.login('maria')
    const stream = await openStream(panel, { authorization: `Bearer ${token}` })
    const note = (key: string, meanwhile: () => Promise<void> = async () => undefined) =>
      db.transaction(async (tx) => {
        await noteChanges(tx, [item(key) as never], 1)
        await meanwhile()
      })
    await note('slow', async () => {
      await note('quick')
      await stream.until((heard) => heard.length === 1)
    })
    await note('later')
    await stream.until((heard) => heard.length === 3)
    expect(stream.heard).toEqual([item('quick'), item('slow'), item('later')])
  })

  test('outlives a database that is away for a while', async () => {
    const mariadb = await startOwnMariadb()
    const db = openMysql(mariadb.url)
    onTestFinished(() => db.close())
    const panel = await openTestPanel({ db })
    await addUser(panel.context, { username: 'maria' })
    const { token } = await panel.login('maria')
    const stream = await openStream(panel, { authorization: `Bearer ${token}` })
    await mariadb.kill()
    const away = await panel.ask(token, { url: '/api/miniaplicadores' })
    expect(away.statusCode).toBe(503)
    await mariadb.restart()
    await vi.waitFor(() => db.transaction((tx) => noteChanges(tx, [item('back') as never], 1)), SOON)
    await stream.until((heard) => heard.length >= 1)
    expect(stream.heard[0]).toEqual(item('back'))
  })
})

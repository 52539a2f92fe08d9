import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import Fastify from 'fastify'
import { createConnection } from 'mysql2/promise'
import { expect, onTestFinished, test } from 'vitest'
import { answerErrors } from '../../src/server/http/bind.ts'
import { openMysql } from '../../src/server/store/db/db.ts'
import { addUser, crimpOf, openTestPanel, UNTOUCHED } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'

/** Connections stay open and new ones are taken, but nothing comes through any more: a firewall, or a machine that stands. */
async function startSilenceable(target: number) {
  let isSilent = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => isSilent || to.write(bytes))
      from.on('error', () => to.destroy())
      from.once('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const silence = (on: boolean) => {
    isSilent = on
  }
  return { port: (server.address() as AddressInfo).port, silence }
}

/** With an operator logged in who has an item open. */
async function openPanelOn(url: string) {
  const db = openMysql(url)
  onTestFinished(() => db.close())
  const panel = await openTestPanel({ db })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  return { db, panel, token }
}

test('a database that falls silent is out of reach before anybody has waited too long, and works on afterwards', async () => {
  const url = new URL(await freshDatabase())
  const { port, silence } = await startSilenceable(Number(url.port))
  url.port = String(port)
  const { db, panel, token } = await openPanelOn(url.href)
  silence(true)
  // more of them than the pool has connections
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, at) =>
      at % 3 === 0 ? panel.record(token, crimpOf(1)) : panel.ask(token, { method: 'POST', url: '/api/auth/validate' }),
    ),
  )
  expect(answers.map((answer) => `${answer.statusCode} ${answer.json().code}`)).toEqual(
    answers.map(() => '503 store_unavailable'),
  )
  expect(await db.ping()).toBe(false)
  silence(false)
  expect((await panel.record(token, crimpOf(1))).statusCode).toBe(201)
})

test('what another server holds too long is to be tried again, and is no fault', async () => {
  const url = await freshDatabase()
  const { panel, token } = await openPanelOn(url)
  const other = await createConnection(url)
  onTestFinished(() => other.end())
  await other.query('begin')
  await other.query('select * from erp_items for update')
  const id = randomUUID()
  const delayed = await panel.record(token, crimpOf(1), id)
  expect([delayed.statusCode, delayed.json().code, delayed.headers['retry-after']]).toEqual([
    503,
    'store_unavailable',
    '5',
  ])
  await other.query('rollback')
  expect((await panel.record(token, crimpOf(1), id)).statusCode).toBe(201)
})

test('a handler that runs too long is answered as too busy, not as a fault', async () => {
  const app = Fastify({ handlerTimeout: 20 })
  onTestFinished(() => app.close())
  answerErrors(app, (await openTestPanel()).context)
  app.get('/', () => new Promise(() => {}))
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
})

import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Session } from '../src/contract/sessions.ts'
import { addUser, crimpOf, cutOf, databases, ORDER, openTestPanel, PASSWORD } from './harness.ts'
import { browserOf, cookieOf, pairOf } from './visitor.ts'

const WRONG_PASSWORD = 'quase-a-senha'
const RECORD = { method: 'POST', url: '/api/apontamentos/corte-crimpagem' } as const

test.each(databases)('the log on %s tells what happened, but nothing that opens a session', async (database) => {
  const panel = await openTestPanel({ database, env: { LOG_LEVEL: 'trace' } })
  const { app, ask, db, logs, errors } = panel
  await addUser(panel.context, { username: 'operador' })
  const browser = browserOf(panel)

  await browser.login('operador', WRONG_PASSWORD)
  const entered = await browser.login('operador')
  const old = pairOf(entered)
  const refreshed = await browser.refresh(old)
  const young = pairOf(refreshed)
  const program = await panel.login('operador')
  const basic = Buffer.from(`operador:${PASSWORD}`).toString('base64')
  const record = (payload: object, id: number): InjectOptions => ({
    ...RECORD,
    payload,
    headers: { 'idempotency-key': `00000000-0000-4000-8000-00000000000${id}` },
  })
  await ask(program.token, { url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
  await browser.ask(young, record(cutOf(1), 1))
  await app.inject({ ...RECORD, payload: cutOf(1), headers: { authorization: `Grant ${young.deliveryGrant}` } })
  await app.inject({ url: '/api/configuracao', headers: { authorization: `Basic ${basic}` } })
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await ask(program.token, record(crimpOf(1), 2))
  // secrets where they do not belong
  await app.inject({ url: `/api/configuracao?token=${program.token}`, headers: { cookie: `sid=${old.cookie}` } })
  await app.inject({ url: `/api/status?senha=${PASSWORD}` })
  await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: `{"password":"${PASSWORD}`,
  })
  expect(errors).toEqual([])
  await db.transaction(async (tx) => {
    await tx.schema.dropTable('session_secrets').execute()
    await tx.schema.dropTable('login_throttles').execute()
  })
  expect((await browser.validate(young)).statusCode).toBe(500)
  expect((await browser.login('operador')).statusCode).toBe(500)
  expect(errors.splice(0).filter((line) => line.includes('a handler failed'))).toHaveLength(2)

  await panel.context.logKeeper.flush(panel.context)
  const stored = await db.read.selectFrom('log_entries').selectAll().execute()
  expect(stored.length).toBeGreaterThan(3)
  const log = logs.join('') + JSON.stringify(stored)
  for (const path of ['/api/auth/login', '/api/auth/refresh', '/api/apontamentos/itens', RECORD.url]) {
    expect(log).toContain(`"path":"${path}"`)
  }
  const secrets = {
    PASSWORD,
    WRONG_PASSWORD,
    basic,
    oldToken: old.token,
    oldCookie: old.cookie,
    youngToken: young.token,
    youngCookie: young.cookie,
    youngGrant: young.deliveryGrant,
    programToken: program.token,
    device: cookieOf(entered, 'device')?.value,
    lastGrant: refreshed.json<Session>().deliveryGrant,
    lot: cutOf(1).LOTE_CABO,
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret?.length, name).toBeGreaterThan(9)
    expect(log.includes(String(secret)), name).toBe(false)
  }
})

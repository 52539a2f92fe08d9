import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { goodOf, isStream, nameOf, requestOf } from '../support/bad-input/requests.ts'
import { fieldsOf } from '../support/bad-input/wrong-requests.ts'
import {
  addUser,
  crimpOf,
  cutOf,
  databases,
  ORDER,
  openTestPanel,
  PASSWORD,
  type TestPanel,
} from '../support/harness.ts'
import { browserOf, cookieOf, grantOf, pairOf } from '../support/visitor.ts'

const WRONG_PASSWORD = 'quase-a-senha'
const NEW_PASSWORD = 'três porcas na bancada'
const RECORD = { method: 'POST', url: '/api/apontamentos/corte-crimpagem' } as const

const record = (payload: object, id: number): InjectOptions => ({
  ...RECORD,
  payload,
  headers: { 'idempotency-key': `00000000-0000-4000-8000-00000000000${id}` },
})

/** Where they do not belong. */
async function misplaceSecrets({ app }: Pick<TestPanel, 'app'>, token: string, cookie: string | null): Promise<void> {
  await app.inject({ url: `/api/configuracao?token=${token}`, headers: { cookie: `sid=${cookie}` } })
  await app.inject({ url: `/api/status?senha=${PASSWORD}` })
  await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    payload: `{"password":"${PASSWORD}`,
  })
}

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
  await ask(program.token, { url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
  await browser.ask(young, record(cutOf(1), 1))
  await app.inject({ ...RECORD, payload: cutOf(1), headers: grantOf(young) })
  await app.inject({ url: '/api/configuracao', headers: { authorization: `Basic ${basic}` } })
  await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
  await ask(program.token, record(crimpOf(1), 2))
  await misplaceSecrets(panel, program.token, old.cookie)
  for (const currentPassword of [WRONG_PASSWORD, PASSWORD]) {
    const payload = { currentPassword, password: NEW_PASSWORD }
    await browser.ask(young, { method: 'POST', url: '/api/auth/password', payload })
  }
  expect((await browser.login('operador', NEW_PASSWORD)).statusCode).toBe(200)
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
  for (const path of [
    '/api/auth/login',
    '/api/auth/refresh',
    '/api/auth/password',
    '/api/apontamentos/itens',
    RECORD.url,
  ]) {
    expect(log).toContain(`"path":"${path}"`)
  }
  const secrets = {
    PASSWORD,
    WRONG_PASSWORD,
    NEW_PASSWORD,
    basic,
    oldToken: old.token,
    oldCookie: old.cookie,
    youngToken: young.token,
    youngCookie: young.cookie,
    youngGrant: young.deliveryGrant,
    programToken: program.token,
    device: cookieOf(entered, '__Host-device')?.value,
    lastGrant: refreshed.json<Session>().deliveryGrant,
    lot: cutOf(1).LOTE_CABO,
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret?.length, name).toBeGreaterThan(9)
    expect(log.includes(String(secret)), name).toBe(false)
  }
})

const CANARY = 'canario-que-ninguem-le'
const HEADERS = ['cookie', 'proxy-authorization', 'x-api-key', 'user-agent', 'referer', 'if-match', 'idempotency-key']
const SCHEMES = ['Bearer', 'Basic', 'Grant', 'Digest', '']

test('whatever place of whatever call a secret is put in by mistake, the log does not tell it', async () => {
  const panel = await openTestPanel({ env: { LOG_LEVEL: 'trace' } })
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const { token } = await panel.login('operador')
  const ask = async (request: InjectOptions, headers: Record<string, string>) =>
    await panel.ask(token, { ...request, headers: { ...request.headers, ...headers } })
  let requests = 0
  for (const endpoint of endpoints.filter((one) => !isStream(one) && !one.path.endsWith('/logout'))) {
    const good = goodOf(endpoint)
    const before = panel.logs.length
    const request = requestOf(endpoint, good)
    const headers = [
      ...HEADERS.map((name) => ({ [name]: name === 'cookie' ? `sid=${CANARY}; device=${CANARY}` : CANARY })),
      ...SCHEMES.map((scheme) => ({ authorization: `${scheme} ${CANARY}`.trim() })),
    ]
    for (const header of headers) await ask(request, header)
    const search = `${request.url}${String(request.url).includes('?') ? '&' : '?'}token=${CANARY}`
    await ask({ ...request, url: search }, {})
    for (const place of ['query', 'body'] as const) {
      for (const field of Object.keys(fieldsOf(endpoint, place).properties)) {
        await ask(requestOf(endpoint, { ...good, [place]: { ...(good[place] as object), [field]: CANARY } }), {})
      }
    }
    requests += headers.length
    expect(panel.logs.slice(before).join(''), nameOf(endpoint)).not.toContain(CANARY)
  }
  await panel.context.logKeeper.flush(panel.context)
  const stored = await panel.db.read.selectFrom('log_entries').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(CANARY)
  expect(panel.logs.length).toBeGreaterThan(requests)
  // what was parked for a person is told as an error
  panel.errors.length = 0
})

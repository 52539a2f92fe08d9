import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LEFT_COOKIE } from '../../src/contract/endpoint.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { addUser, crimpOf, openTestPanel } from '../support/harness.ts'
import { browserOf, grantOf, type Pair, pairOf, sameOrigin } from '../support/visitor.ts'

async function setUp() {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'maria', role: 'lider' })
  const browser = browserOf(panel)
  const answer = await browser.login('maria')
  const { logoutSecret } = answer.json<Session>()
  const leave = (segredo: string | null, headers: Record<string, string> = {}) =>
    panel.app.inject({ method: 'POST', url: '/api/auth/saida', headers, payload: { segredo: String(segredo) } })
  const byCookie = (pair: Pair, url: string, method: 'GET' | 'PUT' = 'GET', more = '') =>
    panel.app.inject({
      method,
      url,
      headers: { ...sameOrigin, cookie: `__Host-sid=${pair.cookie}${more}` },
      ...(method === 'PUT' ? { payload: { limite: 100 } } : {}),
    })
  return { ...panel, browser, pair: pairOf(answer), secret: logoutSecret, leave, byCookie }
}

test('the secret that a log-in gives for it ends this session, also after a renewal and where it comes twice', async () => {
  const { browser, pair, secret, leave, byCookie, db } = await setUp()
  const elsewhere = pairOf(await browser.login('maria'))
  const young = pairOf(await browser.refresh(pair))
  expect((await byCookie(young, '/api/crimpagens')).statusCode).toBe(200)
  expect((await leave(secret)).statusCode).toBe(200)
  for (const one of [pair, young]) expect((await browser.validate(one)).statusCode).toBe(401)
  expect((await byCookie(young, '/api/crimpagens')).statusCode).toBe(401)
  expect((await browser.validate(elsewhere)).statusCode).toBe(200)
  expect((await leave(secret)).statusCode).toBe(200)
  const lines = await db.read.selectFrom('accesses').select('user_name').where('action', '=', 'logged_out').execute()
  expect(lines).toEqual([{ user_name: 'maria' }])
})

test('that secret opens nothing, a forged one ends nothing, and a program gets none', async () => {
  const { app, pair, browser, secret, leave, login } = await setUp()
  for (const scheme of ['Bearer', 'Grant', 'Receipt']) {
    const headers = { ...sameOrigin, authorization: `${scheme} ${secret}`, cookie: `__Host-sid=${pair.cookie}` }
    const answer = await app.inject({ method: 'GET', url: '/api/sessoes', headers })
    expect(answer.statusCode, scheme).toBe(401)
  }
  for (const forged of [String(pair.deliveryGrant), `${String(secret).slice(0, -4)}AAAA`, 'x']) {
    expect((await leave(forged)).statusCode).toBe(401)
  }
  expect((await browser.validate(pair)).statusCode).toBe(200)
  expect((await login('maria')) as unknown as Session).toMatchObject({ logoutSecret: null })
})

test('a log-out that arrives late casts no doubt on what waits on the tablet', async () => {
  const { app, pair, secret, leave } = await setUp()
  await leave(secret)
  const answer = await app.inject({
    method: 'POST',
    url: '/api/apontamentos/corte-crimpagem',
    headers: { ...grantOf(pair), 'idempotency-key': randomUUID() },
    payload: { ...crimpOf(1), captura: { salvoNoDispositivo: true } },
  })
  expect(answer.json<{ retido?: boolean }>().retido).toBeUndefined()
})

test('with the mark of a page that has logged out, the cookie alone opens nothing, though the server heard of no log-out', async () => {
  const { browser, pair, byCookie } = await setUp()
  const mark = `; ${LEFT_COOKIE}=1`
  const calls = [
    ['/api/crimpagens', 'GET'],
    ['/api/crimpagens/export-csv', 'GET'],
    ['/api/rastreabilidade/csv?tipo=ordem&valor=000123', 'GET'],
    ['/api/eventos', 'GET'],
    ['/api/crimpagens/MA-0001/limit', 'PUT'],
  ] as const
  for (const [url, method] of calls) {
    expect((await byCookie(pair, url, method, mark)).statusCode, url).toBe(401)
  }
  expect((await byCookie(pair, '/docs', 'GET', mark)).headers.location).toBe('/auth/login')
  expect((await byCookie(pair, '/api/crimpagens')).statusCode).toBe(200)
  expect((await browser.validate(pair)).statusCode).toBe(200)
})

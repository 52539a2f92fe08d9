import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { Capture } from '../../src/contract/recordings.ts'
import {
  addUser,
  crimpOf,
  type Database,
  databases,
  openTestPanel,
  PASSWORD,
  type TestPanel,
} from '../support/harness.ts'
import { browserOf, cookieOf, grantOf, pairOf } from '../support/visitor.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const plant = { ERP_URL: 'http://erp.invalid/rest', ERP_USER: 'painel', ERP_PASSWORD: 'painel' }

const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  const browser = browserOf(panel)
  const enter = async () => pairOf(await browser.login('operador'))
  return { ...panel, browser, enter }
}

const expired = { code: 'session_missing', message: 'Sessão expirada. Entre novamente.' }
type Answered = { statusCode: number; json: () => unknown }
const said = async (answer: Promise<Answered> | Answered) => {
  const { statusCode, json } = await answer
  return [statusCode, (json() as { code?: string }).code]
}
const NO = [401, 'session_missing']
const YES = [200, undefined]

const deactivate = ({ db }: TestPanel) =>
  db.transaction(async (tx) => void (await tx.updateTable('users').set({ active: 0 }).execute()))

const basic = (username: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
})
const validateAs = ({ app }: TestPanel, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: '/api/auth/validate', headers })

/** All that the database holds, as text. */
async function contentOf({ db }: TestPanel): Promise<string> {
  const tables = await db.read.introspection.getTables()
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.read
        .selectFrom(name as 'users')
        .selectAll()
        .execute(),
    ),
  )
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['users', 'sessions', 'session_secrets']))
  return JSON.stringify(rows)
}

describe.each(databases)('a session on %s', (database: Database) => {
  test('ends when its user is deactivated, when 12 hours have passed, and when it is left', async () => {
    const panel = await setUp({ database })
    const { browser, clock } = panel
    const left = await panel.enter()
    const program = await panel.login('operador')
    const answer = await browser.logout(left)
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'Sessão encerrada' }])
    expect(cookieOf(answer)).toMatchObject({ value: '', maxAge: 0, path: '/', httpOnly: true, secure: true })
    expect(await said(browser.validate(left))).toEqual(NO)
    expect(await said(browser.refresh(left))).toEqual(NO)
    expect(await said(validateAs(panel, { authorization: `Bearer ${program.token}` }))).toEqual(YES)
    const pair = await panel.enter()
    clock.advance(12 * HOUR_MS - 1)
    expect(await said(browser.validate(pair))).toEqual(YES)
    clock.advance(1)
    expect(await said(browser.validate(pair))).toEqual(NO)
    expect(await said(browser.refresh(pair))).toEqual(NO)
    const later = await panel.enter()
    await deactivate(panel)
    expect(await said(browser.validate(later))).toEqual(NO)
    const refused = await browser.login('operador')
    expect(refused.json()).toEqual({ message: 'Usuário ou senha inválidos', code: 'credentials_invalid' })
  })

  test('renewed twice at once, or with the answer lost, locks nobody out', async () => {
    const panel = await setUp({ database })
    const { browser, clock } = panel
    const old = await panel.enter()
    await browser.refresh(old)
    const [left, right] = (await Promise.all([browser.refresh(old), browser.refresh(old)])).map(pairOf)
    if (!left || !right) throw new Error('two answers are missing')
    expect(await said(browser.validate(right))).toEqual(YES)
    clock.advance(5 * MINUTE_MS)
    // what the tabs of one browser may end up with when their answers overtake each other
    const mixes = [left, right, { ...left, cookie: right.cookie }, { ...right, cookie: left.cookie }]
    for (const pair of mixes) expect(await said(browser.validate(pair))).toEqual(YES)
    const third = pairOf(await browser.refresh(left))
    expect(await said(browser.validate(third))).toEqual(YES)
    clock.advance(MINUTE_MS + 1)
    expect(await said(browser.validate(third))).toEqual(YES)
    expect(await said(browser.validate(right))).toEqual(NO)
    expect(await said(browser.validate(third))).toEqual(NO)
  })
})

describe('a session', () => {
  test('that is born in a browser is split: the token is worth nothing without its cookie', async () => {
    const panel = await setUp({})
    const { browser } = panel
    const answer = await browser.login(' Operador ')
    expect(answer.statusCode).toBe(200)
    expect(cookieOf(answer)).toEqual({
      name: '__Host-sid',
      value: expect.stringMatching(/^[\w-]{43}$/),
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: true,
      maxAge: 86_400,
    })
    const pair = pairOf(answer)
    expect(pair.token).toMatch(/^[\w-]{43}$/)
    expect(pair.cookie).not.toBe(pair.token)
    const other = await panel.enter()
    expect(await said(browser.validate(pair))).toEqual(YES)
    const alone = await browser.validate({ ...pair, cookie: null })
    expect([alone.statusCode, alone.json()]).toEqual([401, expired])
    expect(await said(browser.validate({ ...pair, cookie: other.cookie }))).toEqual(NO)
    expect(await said(browser.validate({ ...pair, cookie: pair.token }))).toEqual(NO)
    expect(await said(browser.validate({ ...pair, token: String(pair.cookie) }))).toEqual(NO)
    expect(await said(browser.validate({ ...pair, token: 'x' }))).toEqual(NO)
    // old browsers say only where they come from
    const origin = { origin: 'http://localhost' }
    const old = pairOf(await browser.login('operador', PASSWORD, origin))
    expect(old.cookie).not.toBeNull()
    expect(await said(browser.validate({ ...old, cookie: null }, origin))).toEqual(NO)
    expect(await said(browser.validate(old, origin))).toEqual(YES)
  })

  test('that is born in a program works with the token alone, as Bearer or as Basic', async () => {
    const panel = await setUp({})
    const { token, ...session } = await panel.login('operador')
    const plain = { byBadge: false, isBoard: false, isFromDirectory: false }
    expect(session).toEqual({
      username: 'operador',
      fullName: 'Maria Souza',
      role: 'operador',
      ...plain,
      expiresAt: '2026-11-22T03:00:00.000Z',
      ...{ deliveryGrant: null, logoutSecret: null },
    })
    const answer = await validateAs(panel, { authorization: `Bearer ${token}` })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        valid: true,
        username: 'operador',
        fullName: 'Maria Souza',
        role: 'operador',
        ...plain,
        expiresAt: '2026-11-22T03:00:00.000Z',
      },
    ])
    expect(await said(validateAs(panel, { authorization: `bearer ${token}` }))).toEqual(YES)
    expect(await said(validateAs(panel, basic('operador', token)))).toEqual(YES)
    expect(await said(validateAs(panel, basic('outro', token)))).toEqual(NO)
    for (const authorization of ['', 'Bearer', 'Bearer  ', `Digest ${token}`, token, 'Basic Og==', 'Basic %%%']) {
      expect(await said(validateAs(panel, { authorization })), authorization).toEqual(NO)
    }
    const login = await panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'operador', password: PASSWORD },
    })
    expect(cookieOf(login)).toBeNull()
  })

  test('renewed, keeps its old pair until the new one is used, and 60 seconds more', async () => {
    const panel = await setUp({})
    const { browser, clock } = panel
    const old = await panel.enter()
    const answer = await browser.refresh(old)
    expect(answer.json()).toMatchObject({ username: 'operador', role: 'operador', fullName: 'Maria Souza' })
    const young = pairOf(answer)
    expect(new Set([old.token, old.cookie, young.token, young.cookie]).size).toBe(4)
    clock.advance(HOUR_MS)
    const mixes = [old, { ...old, cookie: young.cookie }, { ...young, cookie: old.cookie }]
    for (const pair of mixes) expect(await said(browser.validate(pair))).toEqual(YES)
    clock.advance(HOUR_MS)
    for (const pair of [...mixes, young, ...mixes]) expect(await said(browser.validate(pair))).toEqual(YES)
    clock.advance(MINUTE_MS)
    for (const pair of [...mixes, young]) expect(await said(browser.validate(pair))).toEqual(YES)
    clock.advance(1)
    expect(await said(browser.validate(young))).toEqual(YES)
    expect(await said(browser.validate(old))).toEqual(NO)
    expect(await said(browser.validate(young)), 'an outdated pair was copied: the family dies').toEqual(NO)
    expect(await said(browser.refresh(young))).toEqual(NO)
  })

  test('lasts 12 hours from each renewal, 24 at most', async () => {
    const panel = await setUp({})
    const { browser, clock } = panel
    let pair = await panel.enter()
    const ends: number[] = []
    for (const hours of [11, 11, 1.5]) {
      clock.advance(hours * HOUR_MS)
      const answer = await browser.refresh(pair)
      pair = pairOf(answer)
      ends.push((Date.parse(answer.json().expiresAt) - clock.now()) / HOUR_MS)
    }
    expect(ends).toEqual([12, 2, 0.5])
    clock.advance(0.5 * HOUR_MS)
    expect(await said(browser.validate(pair))).toEqual(NO)
  })

  test('is not usable from other sites', async () => {
    const panel = await setUp({})
    const { browser } = panel
    const pair = await panel.enter()
    const url = '/api/miniaplicadores'
    const get = (headers: Record<string, string>) => said(browser.ask(pair, { url }, headers))
    const FOREIGN = [403, 'cross_origin']
    expect(await get({ 'sec-fetch-site': 'same-origin' })).toEqual(YES)
    expect(await get({ 'sec-fetch-site': 'cross-site' })).toEqual(FOREIGN)
    expect(await get({ 'sec-fetch-site': 'same-site' })).toEqual(FOREIGN)
    expect(await get({ 'sec-fetch-site': 'none' })).toEqual(FOREIGN)
    expect(await get({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).toEqual(YES)
    expect(await get({ origin: 'http://localhost' })).toEqual(YES)
    expect(await get({ origin: 'http://localhost.mau.example' })).toEqual(FOREIGN)
    expect(await get({ origin: 'null' })).toEqual(FOREIGN)
    expect(await get({ 'sec-fetch-site': 'cross-site', origin: 'http://localhost' })).toEqual(FOREIGN)
    // a GET on a plain HTTP address says nothing: there SameSite=Strict carries it
    expect(await get({})).toEqual(YES)
    expect(await said(browser.validate(pair, {}))).toEqual(FOREIGN)
    expect(await said(browser.refresh(pair, { 'sec-fetch-site': 'cross-site' }))).toEqual(FOREIGN)
    expect(await said(browser.logout(pair, { 'sec-fetch-site': 'cross-site' }))).toEqual(FOREIGN)
    expect(await said(browser.validate(pair))).toEqual(YES)
    const answer = await browser.ask(pair, { url }, { origin: 'http://mau.example' })
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('leaves nothing in the database that would open another one', async () => {
    const panel = await setUp({})
    const { browser } = panel
    const pair = await panel.enter()
    const young = pairOf(await browser.refresh(pair))
    await browser.validate(young)
    const program = await panel.login('operador')
    await validateAs(panel, basic('operador', PASSWORD))
    const content = await contentOf(panel)
    expect(content).toContain('operador')
    const secrets = [
      program.token,
      ...[pair, young].flatMap(({ token, deliveryGrant, device }) => [token, deliveryGrant, device]),
    ].map(String)
    for (const secret of [...secrets, String(pair.cookie), String(young.cookie), PASSWORD]) {
      expect(content).not.toContain(secret)
    }
  })

  test('is not needed for delivering one own recordings: a grant opens that and nothing else, and only a signed one', async () => {
    const panel = await setUp({})
    const { browser } = panel
    const [pair, other] = [pairOf(await browser.login('operador')), pairOf(await browser.login('operador'))]
    expect((await panel.login('operador')).deliveryGrant, 'a program has nothing that waits').toBeNull()
    const withGrant = (deliveryGrant: string | null, captura: Capture = {}) =>
      panel.app.inject({
        method: 'POST',
        url: '/api/apontamentos/corte-crimpagem',
        headers: { ...grantOf({ ...pair, deliveryGrant }), 'idempotency-key': randomUUID() },
        payload: { ...crimpOf(1), captura },
      })
    await browser.logout(pair)
    expect((await withGrant(pair.deliveryGrant)).statusCode).toBe(201)
    const [payload = '', signature = ''] = String(pair.deliveryGrant).split('.')
    const [otherPayload = ''] = String(other.deliveryGrant).split('.')
    const later = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), issuedAt: 9e15 }),
    ).toString('base64url')
    const forged = [payload, `${later}.${signature}`, `${otherPayload}.${signature}`, `${payload}.`, 'x.y']
    for (const grant of [...forged, pair.device]) {
      for (const captura of [{}, { salvoNoDispositivo: true }]) {
        expect(await said(withGrant(grant, captura)), String(grant)).toEqual(NO)
      }
    }
    expect(await panel.db.read.selectFrom('recordings').select('id').execute()).toHaveLength(1)
    expect(await panel.db.read.selectFrom('retained_deliveries').select('id').execute()).toEqual([])
    const headers = grantOf(pair)
    for (const { method, path } of endpoints.filter(({ access, suffices }) => access !== 'public' && !suffices)) {
      const url = path.replace(/:\w+/g, 'x')
      expect(await said(panel.app.inject({ method, url, headers })), `${method} ${path}`).toEqual(NO)
    }
  })
})

describe('who may enter', () => {
  test('nothing under /api is open to a stranger except entering and the indicators', async () => {
    const panel = await setUp({})
    const open: string[] = []
    for (const { method, path } of endpoints) {
      const url = path.replace(/:\w+/g, 'x')
      const answers = await Promise.all(
        [{}, { authorization: 'Bearer x' }, { cookie: '__Host-sid=x; sid=x' }].map((headers) =>
          panel.app.inject({ method, url, headers: { ...headers, 'sec-fetch-site': 'same-origin' } }),
        ),
      )
      if (answers.some(({ statusCode }) => statusCode !== 401)) open.push(`${method} ${path}`)
      else expect(answers.map((answer) => answer.json())).toEqual([expired, expired, expired])
    }
    expect(open.join(', ')).toBe(
      'POST /api/auth/login, POST /api/auth/saida, GET /api/primeiro-acesso, POST /api/primeiro-acesso, GET /api/status, POST /api/auth/cracha, GET /api/estacao',
    )
  })

  test('the real password as Basic opens the demonstration, not a plant', async () => {
    const demonstration = await setUp({})
    expect(await said(validateAs(demonstration, basic('Operador', PASSWORD)))).toEqual(YES)
    const wrong = await validateAs(demonstration, basic('operador', 'errada'))
    expect(wrong.json()).toEqual({ message: 'Usuário ou senha inválidos', code: 'credentials_invalid' })
    const refresh = { method: 'POST', url: '/api/auth/refresh', headers: basic('operador', PASSWORD) } as const
    expect(await said(demonstration.app.inject(refresh))).toEqual(NO)
    const real = await setUp({ env: plant })
    expect(await said(validateAs(real, basic('operador', PASSWORD)))).toEqual(NO)
    const { token } = await real.login('operador')
    expect(await said(validateAs(real, basic('operador', token)))).toEqual(YES)
  })

  test('a plant refuses plain HTTP from other machines, however the address is written', async () => {
    const panel = await setUp({ env: plant })
    const ask = (url: string, remoteAddress: string) =>
      panel.app.inject({ method: 'POST', url, remoteAddress, payload: { username: 'operador', password: PASSWORD } })
    const written = ['/api/auth/login', '/API/Auth/Login', '/%61pi/auth/login', 'http://painel/api/auth/login']
    for (const url of written) {
      const answer = await ask(url, '10.0.0.7')
      expect([answer.statusCode, answer.json()], url).toEqual([
        403,
        { message: 'Use o endereço seguro (https) do painel.', code: 'plain_http' },
      ])
    }
    for (const loopback of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect((await ask('/api/auth/login', loopback)).statusCode, loopback).toBe(200)
    }
    const allowed = await setUp({ env: { ...plant, ALLOW_PLAIN_HTTP: 'on' } })
    const browser = { 'sec-fetch-site': 'same-origin', host: 'painel.fabrica:3000' }
    const answer = await allowed.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: '10.0.0.7',
      headers: browser,
      payload: { username: 'operador', password: PASSWORD },
    })
    // browsers refuse the __Host- prefix and Secure on a plain address that is not their own
    expect(cookieOf(answer, 'sid')).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(cookieOf(answer, 'sid')?.secure).toBeUndefined()
    const { token } = answer.json()
    const sid = cookieOf(answer, 'sid')?.value
    const validate = (cookie: string, host: string) =>
      validateAs(allowed, { ...browser, host, authorization: `Bearer ${token}`, cookie })
    expect(await said(validate(`sid=${sid}`, browser.host))).toEqual(YES)
    // what another host of the domain, or somebody on the line, can set opens nothing where the prefix can be had
    expect(await said(validate(`sid=${sid}`, 'localhost'))).toEqual(NO)
    expect(await said(validate(`__Host-sid=${sid}`, browser.host))).toEqual(NO)
  })

  test('behind a trusted proxy the visitor is the one it names; nobody else may name one', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.7', 'x-forwarded-proto': 'https' }
    const enter = async (env: Record<string, string>, remoteAddress: string) => {
      const panel = await setUp({ env: { ...plant, ...env } })
      return await panel.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        headers: { ...headers, 'sec-fetch-site': 'same-origin', host: 'painel.fabrica' },
        payload: { username: 'operador', password: PASSWORD },
      })
    }
    const trusted = await enter({ TRUSTED_PROXIES: '10.0.0.1, 10.0.1.0/24' }, '10.0.0.1')
    expect(trusted.statusCode).toBe(200)
    expect(cookieOf(trusted)).toMatchObject({ secure: true })
    expect(trusted.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(await said(await enter({ TRUSTED_PROXIES: '10.0.0.1' }, '10.0.0.2'))).toEqual([403, 'plain_http'])
  })

  test('who is no trusted proxy and names a visitor is written down, once', async () => {
    const known = { env: { TRUSTED_PROXIES: '10.0.0.1', LOG_LEVEL: 'warn' } } as const
    for (const headers of [{ 'x-forwarded-for': '10.0.0.7' }, { 'x-forwarded-proto': 'https' }]) {
      const panel = await setUp(known)
      const ask = (remoteAddress: string) => panel.app.inject({ url: '/api/status', remoteAddress, headers })
      await ask('10.0.0.1')
      await panel.app.inject({ url: '/api/status', remoteAddress: '10.0.0.2' })
      expect(panel.logs).toEqual([])
      for (const address of ['10.0.0.2', '10.0.0.2', '10.0.0.3']) await ask(address)
      expect(panel.logs.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, address: '10.0.0.2' }])
    }
    const panel = await setUp({ env: { LOG_LEVEL: 'warn' } })
    await panel.app.inject({ url: '/api/status', headers: { 'x-forwarded-for': '10.0.0.7' } })
    expect(panel.logs).toHaveLength(1)
  })
})

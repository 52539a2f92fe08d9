import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import { addUser, openTestPanel, PASSWORD } from '../support/harness.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

type Route = { method: string; url: string }
type Headers = Record<string, string>

const MINUTE_MS = 60_000
const LEAVES_THIS_MACHINE = '10.0.0.7'
const sameOrigin = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }

/** The whole of it, as the framework has been told: what is no call of the contract is among them. */
async function setUp() {
  const routes: Route[] = []
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      routes.push(...[method].flat().map((one) => ({ method: one, url })))
    })
  subscribe('fastify.initialization', listen)
  onTestFinished(() => void unsubscribe('fastify.initialization', listen))
  // as a plant has it: else each guess below would be counted, and answered 429
  const panel = await openTestPanel({ env: { AUTH_BASIC_PASSWORD: 'off', METRICS_TOKEN: 'so-para-o-prometheus' } })
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const browser = browserOf(panel)
  const enter = async () => pairOf(await browser.login('operador'))

  const ask = ({ method, url }: Route, headers: Headers) =>
    panel.app.inject({
      method,
      url: url.replace(/:\w+|\*/g, 'x'),
      remoteAddress: LEAVES_THIS_MACHINE,
      headers,
    } as InjectOptions)
  /** The routes that tell such a caller more than that it must log in, or that nothing is there. */
  const openTo = async (headers: Headers): Promise<string[]> => {
    const open: string[] = []
    for (const route of routes) {
      const { statusCode, headers: said } = await ask(route, headers)
      const isTurnedAway = [401, 403, 404].includes(statusCode) || said.location === '/auth/login'
      if (!isTurnedAway) open.push(`${route.method} ${route.url}`)
    }
    return [...new Set(open)].toSorted()
  }
  return { ...panel, routes, browser, enter, ask, openTo }
}

/** The indicators, the entrance, and the files of the web app, which hold nothing of the plant. */
const OPEN_TO_ALL = [
  'GET /*',
  'GET /api/estacao',
  'GET /api/primeiro-acesso',
  'GET /api/status',
  'GET /docs/estilo.css',
  'GET /health',
  'GET /ready',
  'HEAD /*',
  'HEAD /api/estacao',
  'HEAD /api/primeiro-acesso',
  'HEAD /api/status',
  'HEAD /docs/estilo.css',
  'HEAD /health',
  'HEAD /ready',
  'POST /api/auth/cracha',
  'POST /api/auth/login',
  'POST /api/auth/saida',
  'POST /api/primeiro-acesso',
]

test('of all that the server answers, a stranger gets the indicators, the entrance and the files of the screens', async () => {
  const { routes, openTo } = await setUp()
  const contract = endpoints.map(({ method, path }) => ({ method, url: path as string }))
  expect(routes).toEqual(expect.arrayContaining(contract))
  expect(await openTo({})).toEqual(OPEN_TO_ALL)
  const guesses: Headers[] = [
    { authorization: 'Bearer x', cookie: '__Host-sid=x; sid=x' },
    { authorization: `Basic ${Buffer.from('operador:operador').toString('base64')}` },
    { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', forwarded: 'for=127.0.0.1', 'x-real-ip': '::1' },
  ]
  for (const guess of guesses) {
    expect(await openTo({ ...sameOrigin, ...guess }), JSON.stringify(guess)).toEqual(OPEN_TO_ALL)
  }
})

test('what a script steals from the local storage of a browser opens nothing elsewhere', async () => {
  const { enter, openTo } = await setUp()
  const { token } = await enter()
  const thief = `__Host-sid=${(await enter()).cookie}`
  // with a cookie alone one reads what the API is, and never whose token comes beside it
  const openToThief = [...OPEN_TO_ALL, 'GET /docs', 'HEAD /docs', 'GET /docs/notas', 'HEAD /docs/notas']
  const stolen = [`Bearer ${token}`, `Basic ${Buffer.from(`operador:${token}`).toString('base64')}`]
  for (const authorization of stolen) {
    expect(await openTo({ authorization })).toEqual(OPEN_TO_ALL)
    expect(await openTo({ ...sameOrigin, authorization })).toEqual(OPEN_TO_ALL)
    expect(await openTo({ ...sameOrigin, authorization, cookie: thief })).toEqual(openToThief.toSorted())
  }
})

test('whoever held both secrets of a session holds nothing after logging out, nor an older pair after its end', async () => {
  const { browser, clock, enter, openTo, ask } = await setUp()
  const [left, old] = [await enter(), await enter()]
  const headersOf = ({ token, cookie }: typeof left) => ({
    ...sameOrigin,
    authorization: `Bearer ${token}`,
    cookie: `__Host-sid=${cookie}`,
  })
  const configuration = { method: 'GET', url: '/api/configuracao' }
  expect((await ask(configuration, headersOf(left))).statusCode).toBe(200)
  expect((await browser.logout(left)).statusCode).toBe(200)
  expect(await openTo(headersOf(left))).toEqual(OPEN_TO_ALL)

  const young = pairOf(await browser.refresh(old))
  expect((await browser.validate(young)).statusCode).toBe(200)
  expect((await ask(configuration, headersOf(old))).statusCode).toBe(200)
  clock.advance(MINUTE_MS + 1)
  expect(await openTo(headersOf(old))).toEqual(OPEN_TO_ALL)
  expect(await openTo(headersOf(young)), 'used after its end: the whole family is gone').toEqual(OPEN_TO_ALL)
})

test('what a browser sends by itself as Basic opens nothing to a page of another site, and no password is tried', async () => {
  const panel = await openTestPanel({ env: { AUTH_BASIC_PASSWORD: 'on' } })
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const { token } = await panel.login('operador')
  const ask = async (secret: string, headers: Headers, method: 'GET' | 'PUT' = 'GET') => {
    const authorization = `Basic ${Buffer.from(`operador:${secret}`).toString('base64')}`
    const answer = await panel.app.inject({ method, url: '/api/configuracao', headers: { authorization, ...headers } })
    return [answer.statusCode, answer.json().code]
  }
  const elsewhere: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost' },
    { origin: 'https://mau.example' },
    { origin: 'null' },
  ]
  for (const secret of [PASSWORD, token]) {
    for (const site of elsewhere) {
      for (const method of ['GET', 'PUT'] as const) {
        expect(await ask(secret, site, method), `${method} ${JSON.stringify(site)}`).toEqual([403, 'cross_origin'])
      }
    }
    // a program says nothing of a page
    for (const site of [sameOrigin, {}]) expect((await ask(secret, site))[0]).toBe(200)
  }
  for (let guess = 0; guess < 40; guess++) await ask(`errada ${guess}`, elsewhere[0] ?? {})
  expect(await ask(PASSWORD, {}), 'nobody has to wait for what another site guesses').toEqual([200, undefined])
})

test('no call that changes anything can be made from another site, nor with what a browser sends by itself', async () => {
  const { browser, enter, routes, ask } = await setUp()
  const pair = await enter()
  const both = { authorization: `Bearer ${pair.token}`, cookie: `__Host-sid=${pair.cookie}` }
  const elsewhere: Headers[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
    { origin: 'https://mau.example' },
    { origin: 'null' },
    {},
  ]
  // each takes a secret that no other site has
  const entrances = ['/api/auth/login', '/api/auth/saida', '/api/auth/cracha', '/api/primeiro-acesso']
  const changing = routes.filter(
    ({ method, url }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !entrances.includes(url),
  )
  expect(changing.length).toBeGreaterThan(15)
  for (const route of changing) {
    const name = `${route.method} ${route.url}`
    for (const site of elsewhere) {
      const answer = await ask(route, { ...both, ...site })
      expect([answer.statusCode, answer.json().code], `${name} ${JSON.stringify(site)}`).toEqual([403, 'cross_origin'])
      // what a browser sends by itself, should SameSite ever fail
      const byItself = await ask(route, { cookie: both.cookie, ...site })
      expect([byItself.statusCode, byItself.json().code], name).toEqual([401, 'session_missing'])
    }
  }
  // a foreign form cannot log its visitor in as somebody else either: it can send no JSON
  const form = await browser.login('operador', undefined, { 'content-type': 'text/plain' })
  expect(form.statusCode).toBe(415)
  expect((await browser.validate(pair)).statusCode).toBe(200)
})

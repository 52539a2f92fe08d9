import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { OpenSession, Session } from '../../src/contract/sessions.ts'
import type { Station, StationKind } from '../../src/contract/stations.ts'
import type { Role } from '../../src/contract/values.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { browserOf, cookieOf, type Pair, pairOf, sameOrigin } from '../support/visitor.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

async function setUp() {
  const panel = await openTestPanel()
  for (const [username, role] of Object.entries({ ana: 'admin', carla: 'consulta', maria: 'operador' })) {
    await addUser(panel.context, { username, role: role as Role })
  }
  const browser = browserOf(panel)
  const admin = pairOf(await browser.login('ana'))
  let secret = ''
  const cookieOn = (device: string | null) => `__Host-device=${device}; __Host-station=${secret}`
  const as = async (pair: Pair, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    await browser.ask(pair, {
      method,
      url,
      headers: { cookie: `__Host-sid=${pair.cookie}; ${cookieOn(admin.device)}` },
      ...(payload ? { payload } : {}),
    })
  /** On the device that the administrator is at. */
  const enrol = async (kind: StationKind) => {
    const answer = await as(admin, 'POST', '/api/estacao', { name: 'Parede 1', kind })
    secret = cookieOf(answer, '__Host-station')?.value ?? ''
    return answer.json<Station[]>()
  }
  const enter = async (username: string, device = admin.device) => {
    const answer = await browser.login(username, undefined, { ...sameOrigin, cookie: cookieOn(device) })
    return { ...pairOf(answer), device, answer }
  }
  /** As a browser that has lost all but its cookies. */
  const byCookie = async ({ cookie }: Pick<Pair, 'cookie'>, url: string, method: 'GET' | 'POST' = 'GET') =>
    await panel.app.inject({ method, url, headers: { ...sameOrigin, cookie: `__Host-sid=${cookie}` } })
  return { ...panel, browser, admin, as, enrol, enter, byCookie }
}

const saidOf = (answer: { statusCode: number; json: () => unknown }) =>
  [answer.statusCode, (answer.json() as ErrorReply).code] as const
const OUT = [401, 'session_missing']
const EQUIPMENT = '/api/equipamentos?filial=010101'

test('on a board consulta stays in for 30 days by the cookie alone', async () => {
  const { clock, enrol, enter, byCookie, browser } = await setUp()
  expect(await enrol('board')).toMatchObject([{ name: 'Parede 1', kind: 'board', isCurrent: true }])
  const board = await enter('carla')
  expect(board.answer.json<Session>()).toMatchObject({ isBoard: true, deliveryGrant: null })
  expect(cookieOf(board.answer)?.maxAge).toBe((30 * DAY_MS) / 1000)
  clock.advance(30 * DAY_MS - HOUR_MS)
  expect((await byCookie(board, EQUIPMENT)).statusCode).toBe(200)
  expect((await byCookie(board, '/api/configuracao')).statusCode).toBe(200)
  expect((await browser.validate(board)).json()).toMatchObject({ valid: true, isBoard: true })
  expect((await browser.refresh(board)).statusCode, 'for no longer').toBe(403)
  clock.advance(HOUR_MS)
  expect(saidOf(await byCookie(board, EQUIPMENT))).toEqual(OUT)
})

test('its session opens what a board shows and its own end, and of all calls of the contract no other one', async () => {
  const { as, enrol, enter, byCookie } = await setUp()
  await enrol('board')
  const board = await enter('carla')
  // what nobody may send: whoever is let in hears of that, and nothing is changed
  const urlOf = (path: string) => `${path.replace(/:\w+/g, 'x')}?desconhecido=1`
  const open: string[] = []
  const openByCookie: string[] = []
  for (const { method, path, access, upload } of endpoints) {
    if (access === 'public') continue
    const body = method === 'GET' || upload ? undefined : { desconhecido: 1 }
    const [status, code] = saidOf(await as(board, method, urlOf(path), body))
    if (code === 'input_invalid') open.push(`${method} ${path}`)
    else expect([status, code], path).toEqual([403, 'not_allowed'])
    if (method !== 'GET' && method !== 'POST') continue
    const alone = saidOf(await byCookie(board, urlOf(path), method))
    if (alone[1] === 'input_invalid') openByCookie.push(`${method} ${path}`)
    else expect([401, 403], path).toContain(alone[0])
  }
  const shown = endpoints.flatMap(({ method, path, access }) =>
    method === 'GET' && access === 'board' ? `${method} ${path}` : [],
  )
  expect(shown).toEqual(expect.arrayContaining(['GET /api/configuracao', 'GET /api/equipamentos', 'GET /api/eventos']))
  expect(openByCookie).toEqual(shown)
  const ends = ['POST /api/auth/logout', 'POST /api/auth/validate']
  expect(open.toSorted()).toEqual([...shown, ...ends].toSorted())
  for (const url of ['/docs', '/docs/notas']) expect((await byCookie(board, url)).statusCode, url).toBe(302)
  expect((await byCookie(board, '/docs/openapi.json')).statusCode).toBe(403)
})

test('elsewhere consulta lives as everybody, and so does everybody else on a board', async () => {
  const { enrol, enter, byCookie, browser, as, clock } = await setUp()
  await enrol('board')
  for (const [username, device] of [
    ['carla', 'another-device'],
    ['maria', undefined],
  ] as const) {
    const pair = await enter(username, device)
    expect(pair.answer.json<Session>()).toMatchObject({ isBoard: false })
    expect(saidOf(await byCookie(pair, EQUIPMENT)), 'the cookie alone').toEqual(OUT)
    expect((await as(pair, 'GET', '/api/crimpagens')).statusCode).toBe(200)
    clock.advance(12 * HOUR_MS)
    expect(saidOf(await browser.validate(pair))).toEqual(OUT)
  }
})

test('whoever reads only is given nothing to deliver recordings with', async () => {
  const { enter } = await setUp()
  const grants = [await enter('carla', 'one'), await enter('maria', 'one')].map((pair) => pair.deliveryGrant !== null)
  expect(grants).toEqual([false, true])
})

test('a board is ended in the list of sessions, taken back, made a station, or left with another role', async () => {
  const { db, enrol, enter, byCookie, as, admin } = await setUp()
  const begin = async () => {
    await enrol('board')
    const board = await enter('carla')
    expect((await byCookie(board, EQUIPMENT)).statusCode).toBe(200)
    return board
  }
  const ends: [what: string, end: () => Promise<unknown>][] = [
    [
      'Sessões',
      async () => {
        const list = (await as(admin, 'GET', '/api/sessoes')).json<OpenSession[]>()
        await as(admin, 'DELETE', `/api/sessoes/${list.find(({ username }) => username === 'carla')?.id}`)
      },
    ],
    [
      'Retirar',
      async () => {
        const [station] = (await as(admin, 'GET', '/api/estacoes')).json<Station[]>()
        await as(admin, 'DELETE', `/api/estacoes/${station?.id}`)
      },
    ],
    ['a station', () => enrol('shared')],
    [
      'another role',
      () =>
        db.transaction((tx) =>
          tx.updateTable('users').set({ role: 'admin' }).where('username', '=', 'carla').execute(),
        ),
    ],
  ]
  for (const [what, end] of ends) {
    const board = await begin()
    await end()
    expect(saidOf(await byCookie(board, EQUIPMENT)), what).toEqual(OUT)
  }
  const trail = await db.read.selectFrom('audit_entries').select('action').orderBy('id').execute()
  const ofStations = trail.map(({ action }) => action).filter((action) => /^(board|station)_/.test(action))
  expect(ofStations).toEqual([
    'board_enrolled',
    'board_enrolled',
    'board_removed',
    'board_enrolled',
    'station_enrolled',
    'board_enrolled',
  ])
})

test('badges hold on no board', async () => {
  const { app, admin, enrol } = await setUp()
  await enrol('board')
  const headers = { ...sameOrigin, cookie: `__Host-device=${admin.device}` }
  expect((await app.inject({ method: 'GET', url: '/api/estacao', headers })).json()).toEqual({ isShared: false })
  const payload = { codigo: 'PIC-7Q2M4X9KAAAAAAA', pin: '7302' }
  const answer = await app.inject({ method: 'POST', url: '/api/auth/cracha', headers, payload })
  expect(saidOf(answer)).toEqual([403, 'badge_elsewhere'])
})

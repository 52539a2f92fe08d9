import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SystemHealth } from '../../src/contract/health.ts'
import type { Session } from '../../src/contract/sessions.ts'
import type { Station, StationKind } from '../../src/contract/stations.ts'
import { addUser, crimpOf, openTestPanel } from '../support/harness.ts'
import { PIN } from '../support/station.ts'
import { browserOf, cookieOf, grantOf, type Pair, pairOf, sameOrigin } from '../support/visitor.ts'

/** Planted in the tablet's browser before anybody came in there. */
const PLANTED = 'a'
const HOUR_MS = 3_600_000

async function setUp() {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  await addUser(panel.context, { username: 'maria' })
  await addUser(panel.context, { username: 'carla', role: 'consulta' })
  const browser = browserOf(panel)
  const jar = (station: string | null, session: string | null = null) =>
    [
      `__Host-device=${PLANTED}`,
      ...(station === null ? [] : [`__Host-station=${station}`]),
      ...(session === null ? [] : [`__Host-sid=${session}`]),
    ].join('; ')
  const enter = async (username: string, station: string | null = null) =>
    await browser.login(username, undefined, { ...sameOrigin, cookie: jar(station) })
  /** On the tablet, where a badge may have taken the place of the session before. */
  const asAdmin = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const pair = pairOf(await enter('ana'))
    return await browser.ask(pair, {
      ...{ method, url: `/api/${url}`, headers: { cookie: jar(null, pair.cookie) } },
      ...(payload ? { payload } : {}),
    })
  }
  const people = (await asAdmin('GET', 'usuarios')).json<{ id: number; username: string }[]>()
  const id = people.find(({ username }) => username === 'maria')?.id
  await asAdmin('PUT', `usuarios/${id}/pin`, { pin: PIN })
  const { codigo } = (await asAdmin('POST', `usuarios/${id}/cracha`)).json<{ codigo: string }>()
  /** From whatever machine; `station`: the secret that it shows. */
  const scan = (station: string | null) =>
    panel.app.inject({
      ...{ method: 'POST', url: '/api/auth/cracha', headers: { ...sameOrigin, cookie: jar(station) } },
      payload: { codigo, pin: PIN },
    })
  const isShared = async (station: string | null) =>
    (await panel.app.inject({ url: '/api/estacao', headers: { cookie: jar(station) } })).json<{ isShared: boolean }>()
      .isShared
  const enrol = async (kind: StationKind = 'shared') => {
    const answer = await asAdmin('POST', 'estacao', { name: 'Bancada 1', kind })
    return { answer, secret: cookieOf(answer, '__Host-station')?.value ?? '' }
  }
  /** As a version before has left it. */
  const enrolBefore = async () => {
    await enrol()
    await panel.db.transaction((tx) => tx.updateTable('stations').set({ secret_hash: null }).execute())
  }
  const withoutSecret = async () => (await asAdmin('GET', 'sistema')).json<SystemHealth>().stationsWithoutSecret
  const deliver = async (pair: Pair) =>
    await panel.app.inject({
      ...{ method: 'POST', url: '/api/apontamentos/corte-crimpagem' },
      headers: { ...grantOf({ ...pair, device: PLANTED }), 'idempotency-key': randomUUID() },
      payload: { ...crimpOf(1), captura: { salvoNoDispositivo: true } },
    })
  return { ...panel, browser, asAdmin, enter, scan, isShared, enrol, enrolBefore, withoutSecret, deliver }
}

test('whoever has planted the device cookie of a tablet is not the station that it becomes', async () => {
  const { scan, isShared, enrol, asAdmin } = await setUp()
  const { answer, secret } = await enrol()
  expect(answer.json<Station[]>()).toMatchObject([{ name: 'Bancada 1', hasSecret: true }])
  for (const shown of [null, PLANTED, `${secret}x`]) {
    expect((await scan(shown)).json(), String(shown)).toMatchObject({ code: 'badge_elsewhere' })
    expect(await isShared(shown)).toBe(false)
  }
  expect((await asAdmin('GET', 'estacoes')).json(), 'elsewhere it is not this device').toMatchObject([
    { isCurrent: false },
  ])
  expect(await isShared(secret)).toBe(true)
  expect((await scan(secret)).json<Session>().username).toBe('maria')
})

test('the server makes the secret anew at each enrolment, keeps its hash, and renews its cookie at each log-in', async () => {
  const { enrol, scan, enter, db } = await setUp()
  const [first, second] = [await enrol(), await enrol()]
  expect(cookieOf(second.answer, '__Host-station')).toMatchObject({
    ...{ httpOnly: true, secure: true, sameSite: 'Strict', path: '/', maxAge: 400 * 86_400 },
  })
  expect(second.secret).toHaveLength(43)
  expect(second.secret).not.toBe(first.secret)
  expect((await scan(first.secret)).statusCode).toBe(403)
  for (const answer of [await scan(second.secret), await enter('maria', second.secret)]) {
    expect(cookieOf(answer, '__Host-station')).toMatchObject({ value: second.secret, maxAge: 400 * 86_400 })
  }
  expect(JSON.stringify(await db.read.selectFrom('stations').selectAll().execute())).not.toContain(second.secret)
})

test('enrolment leaves the device what it was: what waits under a former shift’s grant is taken', async () => {
  const { enter, enrol, deliver, scan } = await setUp()
  const maria = pairOf(await enter('maria'))
  const { secret } = await enrol()
  expect((await deliver(maria)).json().retido).toBeUndefined()
  const byBadge = await scan(secret)
  expect(cookieOf(byBadge, '__Host-device')?.value).toBe(PLANTED)
  await enrol()
  expect((await deliver(pairOf(byBadge))).json().retido).toBeUndefined()
})

test('a station of before holds until it is enrolled anew, and until then the health of the system names it', async () => {
  const { scan, isShared, enrol, enrolBefore, withoutSecret } = await setUp()
  await enrolBefore()
  expect(await withoutSecret()).toEqual(['Bancada 1'])
  expect([await isShared(null), await isShared('anything')]).toEqual([true, true])
  expect((await scan(null)).statusCode).toBe(200)
  const { secret } = await enrol()
  expect(await withoutSecret()).toEqual([])
  expect((await scan(null)).statusCode).toBe(403)
  expect((await scan(secret)).statusCode).toBe(200)
})

test('enrolling a station of before anew ends what a planted cookie had opened there, and casts no doubt on its work', async () => {
  const { browser, scan, enrol, enrolBefore, deliver } = await setUp()
  await enrolBefore()
  const opened = pairOf(await scan(null))
  await enrol()
  expect((await browser.validate(opened)).statusCode).toBe(401)
  expect((await deliver(opened)).json().retido).toBeUndefined()
})

test('a board’s thirty days are for the enrolled board alone', async () => {
  const { enter, enrol, clock } = await setUp()
  const { secret } = await enrol('board')
  const lasts = async (station: string | null) => {
    const { isBoard, expiresAt } = (await enter('carla', station)).json<Session>()
    return [isBoard, Math.round((Date.parse(expiresAt) - clock.now()) / HOUR_MS)]
  }
  expect(await lasts(null)).toEqual([false, 12])
  expect(await lasts(secret)).toEqual([true, 720])
})

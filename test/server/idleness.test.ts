import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { TOUCH_HEADER } from '../../src/contract/endpoint.ts'
import type { Settings } from '../../src/contract/settings.ts'
import { addUser, crimpOf, openTestPanel } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, grantOf, type Pair, pairOf, sameOrigin, sessionOf } from '../support/visitor.ts'

const minutesIn = async (env: Record<string, string>) => {
  const panel = await openTestPanel({ env })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  const station = await openStation(panel, 'ana')
  await addUser(panel.context, { username: 'maria' })
  const atStation = station.pairOf(await station.scan(await station.giveBadge('maria')))
  const elsewhere = pairOf(await browserOf(panel).login('maria'))
  const ask = async (headers: Record<string, string>) =>
    (await panel.app.inject({ url: '/api/configuracao', headers })).json<Settings>().idleMinutes
  return [await ask(sessionOf(atStation)), await ask(sessionOf(elsewhere))]
}

test.each([
  [{ MODE: 'plant' }, [15, 480]],
  [{ MODE: 'plant', IDLE_MINUTES: '30' }, [30, 30]],
  [{ MODE: 'plant', IDLE_MINUTES: '0' }, [0, 0]],
  [{ MODE: 'demonstration' }, [0, 0]],
] as const)(
  'with %j a shared station and another device are told after how many minutes untouched sessions end',
  async (env, minutes) => {
    expect(await minutesIn(env)).toEqual(minutes)
  },
)

const MINUTE_MS = 60_000

async function setUp(minutes = '30') {
  const panel = await openTestPanel({ env: { MODE: 'plant', IDLE_MINUTES: minutes } })
  await addUser(panel.context, { username: 'maria' })
  const pair = pairOf(await browserOf(panel).login('maria'))
  /** `touchedMin`: how many minutes ago, as the page says it. */
  const call = async (touchedMin: number | null) => {
    const said = touchedMin === null ? {} : { [TOUCH_HEADER]: String(touchedMin * 60) }
    const answer = await panel.app.inject({ url: '/api/configuracao', headers: { ...sessionOf(pair), ...said } })
    return answer.statusCode
  }
  const byCookie = async (said = {}) => {
    const headers = { ...sameOrigin, cookie: `__Host-sid=${pair.cookie}`, ...said }
    return (await panel.app.inject({ url: '/api/crimpagens', headers })).statusCode
  }
  const isRetained = async ({ deliveryGrant, device }: Pick<Pair, 'deliveryGrant' | 'device'>) => {
    const answer = await panel.app.inject({
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: { ...grantOf({ deliveryGrant, device }), 'idempotency-key': randomUUID() },
      payload: { ...crimpOf(1), captura: { salvoNoDispositivo: true } },
    })
    return answer.json<{ retido?: boolean }>().retido === true
  }
  const why = async () =>
    (await panel.db.read.selectFrom('sessions').select('ended_why as why').executeTakeFirst())?.why
  return { ...panel, pair, call, byCookie, isRetained, why }
}

test('a page that says that nobody has touched it for too long has its session ended, and its waiting work is taken', async () => {
  const { clock, call, why, pair, isRetained } = await setUp()
  expect(await call(0)).toBe(200)
  clock.advance(32 * MINUTE_MS)
  expect(await call(32)).toBe(200)
  clock.advance(MINUTE_MS)
  expect([await call(33), await call(0)]).toEqual([401, 401])
  expect(await why()).toBe('idle')
  expect(await isRetained(pair)).toBe(false)
})

test('touches out of the server’s reach count when it hears of them, in whatever order, and silence ends nothing', async () => {
  const { clock, call, why } = await setUp()
  await call(0)
  clock.advance(3 * 60 * MINUTE_MS)
  expect(await call(null), 'a call that says nothing').toBe(200)
  expect(await call(1), 'touched while it was away').toBe(200)
  expect(await call(60), 'overtaken').toBe(200)
  expect(await why()).toBeNull()
})

test('by the cookie alone nothing is answered once the last touch is too old, until the next one', async () => {
  const { clock, call, byCookie, why } = await setUp()
  expect(await byCookie(), 'a page of a version before says nothing').toBe(200)
  await call(0)
  clock.advance(33 * MINUTE_MS)
  expect(await byCookie()).toBe(401)
  expect(await why()).toBeNull()
  expect(await byCookie({ [TOUCH_HEADER]: '5' })).toBe(200)
  expect([await call(0), await byCookie()]).toEqual([200, 200])
})

test('with IDLE_MINUTES=0 nothing ends untouched', async () => {
  const { clock, call, byCookie } = await setUp('0')
  await call(0)
  clock.advance(11 * 60 * MINUTE_MS)
  expect([await byCookie(), await call(11 * 60)]).toEqual([200, 200])
})

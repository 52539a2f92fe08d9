import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { addUser, crimpOf, openTestPanel, PASSWORD } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, grantOf, type Pair, pairOf } from '../support/visitor.ts'

const NEW_PIN = '8403'
const OVER = [401, 'session_missing']
const LIVE = [200, undefined]

async function setUp() {
  const panel = await openTestPanel()
  for (const [username, role] of [['ana', 'admin'] as const, ['maria', 'lider'] as const]) {
    await addUser(panel.context, { username, role })
  }
  const browser = browserOf(panel)
  const station = await openStation(panel, 'ana')
  // the administrator works elsewhere
  const office = pairOf(await browser.login('ana'))
  const stateOf = async (pair: Pair) => {
    const answer = await browser.validate(pair)
    return [answer.statusCode, answer.json<Partial<ErrorReply>>().code]
  }
  const asOffice = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload: object = {}) => {
    const isBare = method === 'GET' || method === 'DELETE'
    return await browser.ask(office, { method, url: `/api/${path}`, ...(isBare ? {} : { payload }) })
  }
  const people = (await asOffice('GET', 'usuarios')).json<{ id: number; username: string }[]>()
  const maria = people.find(({ username }) => username === 'maria')?.id ?? 0
  /** Of Maria: her badge and PIN, and with `lifted` her password after them. */
  const enter = async ({ lifted }: { lifted: boolean }): Promise<Pair> => {
    const pair = station.pairOf(await station.scan(await station.giveBadge('maria')))
    if (!lifted) return pair
    const payload = { password: PASSWORD }
    const said = await browser.ask(pair, { method: 'POST', url: '/api/auth/confirm', payload })
    expect(said.statusCode).toBe(200)
    return pair
  }
  /** What she saved on the tablet, brought under her grant. */
  const isRetained = async (pair: Pair): Promise<boolean> => {
    const answer = await panel.app.inject({
      method: 'POST',
      url: '/api/apontamentos/corte-crimpagem',
      headers: { ...grantOf(pair), 'idempotency-key': randomUUID() },
      payload: { ...crimpOf(1), captura: { salvoNoDispositivo: true } },
    })
    expect(answer.statusCode).toBe(202)
    return answer.json<{ retido?: boolean }>().retido === true
  }
  return { ...panel, browser, station, maria, enter, stateOf, asOffice, isRetained }
}
type Plant = Awaited<ReturnType<typeof setUp>>

const isSuccess = (status: number) => status === 200 || status === 201

type End = { happens: (plant: Plant) => Promise<unknown>; retains: boolean }
const ends: Record<string, End> = {
  'an administrator replaces its PIN': {
    happens: ({ asOffice, maria }) => asOffice('PUT', `usuarios/${maria}/pin`, { pin: NEW_PIN }),
    retains: false,
  },
  'its owner replaces the PIN elsewhere': {
    happens: async ({ browser }) => {
      const pair = pairOf(await browser.login('maria'))
      const payload = { currentPassword: PASSWORD, pin: NEW_PIN }
      return await browser.ask(pair, { method: 'PUT', url: '/api/auth/pin', payload })
    },
    retains: false,
  },
  'the badge is revoked': {
    happens: ({ asOffice, maria }) => asOffice('DELETE', `usuarios/${maria}/cracha`),
    retains: true,
  },
  'another badge is printed': {
    happens: ({ asOffice, maria }) => asOffice('POST', `usuarios/${maria}/cracha`),
    retains: true,
  },
  'the station is taken back': {
    happens: async ({ asOffice }) => {
      const [station] = (await asOffice('GET', 'estacoes')).json<{ id: number }[]>()
      return await asOffice('DELETE', `estacoes/${station?.id}`)
    },
    retains: true,
  },
}

for (const [what, { happens, retains }] of Object.entries(ends))
  test.each([
    { lifted: false, with: 'badge and PIN' },
    { lifted: true, with: 'badge, PIN and then the password' },
  ])(
    `once ${what}, a session opened by $with is over, and its waiting work is ${retains ? 'retained' : 'taken'}`,
    async ({ lifted }) => {
      const plant = await setUp()
      const pair = await plant.enter({ lifted })
      expect(await plant.stateOf(pair)).toEqual(LIVE)
      expect((await happens(plant)) as { statusCode: number }).toMatchObject({
        statusCode: expect.toSatisfy(isSuccess),
      })
      expect(await plant.stateOf(pair)).toEqual(OVER)
      expect(await plant.isRetained(pair)).toBe(retains)
    },
  )

test('a station that is taken back ends what the password has lifted also in a browser that has lost its device', async () => {
  const plant = await setUp()
  const lifted = await plant.enter({ lifted: true })
  const pair = pairOf(await plant.browser.refresh(lifted))
  expect(pair.device, 'a new one').not.toBe(lifted.device)
  await plant.station.takeBack()
  expect(await plant.stateOf(pair)).toEqual(OVER)
})

test('who replaces the own PIN goes on there, and so does whoever came in by the password alone', async () => {
  const plant = await setUp()
  const pair = await plant.enter({ lifted: true })
  const elsewhere = pairOf(await plant.browser.login('maria'))
  const payload = { currentPassword: PASSWORD, pin: NEW_PIN }
  await plant.browser.ask(pair, { method: 'PUT', url: '/api/auth/pin', payload })
  expect([await plant.stateOf(pair), await plant.stateOf(elsewhere)]).toEqual([LIVE, LIVE])
  await plant.asOffice('DELETE', `usuarios/${plant.maria}/cracha`)
  expect([await plant.stateOf(pair), await plant.stateOf(elsewhere)]).toEqual([OVER, LIVE])
})

test('another role ends nothing, and holds from the next call', async () => {
  const plant = await setUp()
  const pair = await plant.enter({ lifted: true })
  await plant.asOffice('PUT', `usuarios/${plant.maria}`, { role: 'operador' })
  expect((await plant.browser.validate(pair)).json()).toMatchObject({ valid: true, role: 'operador' })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { sign } from '../../src/server/http/signatures.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { crimpOf, databases, joinOf, UNTOUCHED } from '../support/harness.ts'
import { browserOf, grantOf, pairOf } from '../support/visitor.ts'
import { savedOnTablet, setUp as setUpWaiting } from '../support/waiting.ts'

const DAY_MS = 86_400_000
const RETAINED = { message: 'Guardado. Um administrador decide.', status: 'pendente', retido: true, item: null }

const setUp = async (options: Parameters<typeof setUpWaiting>[0] = {}) => {
  const panel = await setUpWaiting(options)
  const { app, ask, db, admin } = panel
  const browser = browserOf(panel)
  type Grant = Parameters<typeof grantOf>[0]
  const post = (grant: Grant, url: string, payload: object, id: string) =>
    app.inject({ method: 'POST', url, headers: { ...grantOf(grant), 'idempotency-key': id }, payload })
  const deliver = (grant: Grant, payload: CutCrimpRecording, id: string = randomUUID()) =>
    post(grant, '/api/apontamentos/corte-crimpagem', savedOnTablet(payload), id)
  const listRetained = async () => (await ask((await panel.login('admin')).token, { url: '/api/retidos' })).json()
  const decideRetained = (who: string, ids: string[], decisao: 'aceitar' | 'descartar') =>
    ask(who, { method: 'POST', url: '/api/retidos/decisao', payload: { ids, decisao, motivo: 'conferido' } })
  const idsOf = async (username: string) => {
    const sessions = (await ask(admin, { url: '/api/sessoes' })).json() as {
      id: string
      username: string
      isBrowser: boolean
    }[]
    return sessions.filter((one) => one.username === username && one.isBrowser).map(({ id }) => id)
  }
  const endAll = async (who = admin) => {
    for (const id of await idsOf('operador'))
      expect((await ask(who, { method: 'DELETE', url: `/api/sessoes/${id}` })).statusCode).toBe(200)
  }
  const userId = async () =>
    (await db.read.selectFrom('users').select('id').where('username', '=', 'operador').executeTakeFirstOrThrow()).id
  /** What must not have noticed anything. */
  const traces = async () => ({
    crimps: await panel.crimps(),
    production: await panel.production(),
    writes: panel.simulator.state.writes.length,
    onWay: await panel.onWay(),
    recordings: (await db.read.selectFrom('recordings').select('id').execute()).length,
  })
  return { ...panel, browser, post, deliver, listRetained, decideRetained, endAll, userId, traces }
}
type Panel = Awaited<ReturnType<typeof setUp>>

const ends: [who: string, why: string | null, end: (panel: Panel) => Promise<unknown>][] = [
  ['the person logged out', null, ({ browser, tablet }) => browser.logout(tablet)],
  ['it ended by itself, less than 7 days ago', null, async ({ clock }) => clock.advance(7 * DAY_MS)],
  ['it ended by itself, 7 days ago', 'expired', async ({ clock }) => clock.advance(8 * DAY_MS)],
  ['an admin ended it', 'admin', ({ endAll }) => endAll()],
  [
    'its person ended it elsewhere',
    'other_device',
    async ({ endAll, browser, ask, token }) => {
      await browser.login('operador')
      for (const { id, isCurrent } of (await ask(token, { url: '/api/sessoes' })).json())
        if (!isCurrent) await ask(token, { method: 'DELETE', url: `/api/sessoes/${id}` })
      void endAll
    },
  ],
  [
    'an admin set another password',
    'admin_password',
    async ({ ask, admin, userId }) =>
      ask(admin, {
        method: 'PUT',
        url: `/api/usuarios/${await userId()}/senha`,
        payload: { password: 'outra-senha-longa' },
      }),
  ],
  [
    'an admin did so after a log-out',
    'admin_password',
    async ({ browser, tablet, ask, admin, userId }) => {
      await browser.logout(tablet)
      await ask(admin, {
        method: 'PUT',
        url: `/api/usuarios/${await userId()}/senha`,
        payload: { password: 'outra-senha-longa' },
      })
    },
  ],
  [
    'its person is out',
    'deactivated',
    async ({ ask, admin, userId }) =>
      ask(admin, { method: 'PUT', url: `/api/usuarios/${await userId()}`, payload: { active: false } }),
  ],
  [
    'a younger one took its place on the device',
    null,
    ({ browser, tablet }) =>
      browser.login('operador', undefined, {
        'sec-fetch-site': 'same-origin',
        cookie: `__Host-device=${tablet.device}`,
      }),
  ],
]

test.each(ends)('what comes under the grant of a session after %s', async (_, why, end) => {
  const panel = await setUp()
  const before = await panel.traces()
  await end(panel)
  const id = randomUUID()
  const answer = await panel.deliver(panel.tablet, crimpOf(5), id)
  const { retidos } = await panel.listRetained()
  if (why === null) {
    expect([answer.statusCode, answer.json().retido, retidos]).toEqual([202, undefined, []])
    expect(await panel.crimps()).toBe(5)
    return
  }
  expect([answer.statusCode, answer.json()]).toEqual([202, RETAINED])
  expect(retidos).toMatchObject([{ id, motivo: why, autor: 'Maria Souza' }])
  expect(await panel.traces()).toEqual(before)
})

describe.each(databases)('what is retained on %s', (database) => {
  test('is no part of anything until an admin takes it: then it counts once, and goes to the ERP once', async () => {
    const panel = await setUp({ database })
    await panel.endAll()
    const before = await panel.traces()
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const
    for (const [at, id] of ids.entries()) await panel.deliver(panel.tablet, crimpOf(at + 1), id)
    await panel.deliver(panel.tablet, crimpOf(1), ids[0])
    expect(await panel.traces()).toEqual(before)
    expect(await panel.status()).toMatchObject({ pending: 3, needPerson: 3 })
    expect(await panel.list()).toEqual([])
    expect((await panel.decideRetained(panel.token, [...ids], 'aceitar')).statusCode).toBe(403)
    expect((await panel.decideRetained(panel.admin, [ids[1]], 'descartar')).json()).toEqual({
      message: '1 apontamento descartado.',
      decididos: 1,
      mantidos: 0,
    })
    expect((await panel.decideRetained(panel.admin, [...ids], 'aceitar')).json()).toMatchObject({
      decididos: 2,
      mantidos: 1,
    })
    await panel.deliverAll()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces).toSorted()).toEqual([1, 3])
    expect([await panel.crimps(), await panel.production()]).toEqual([4, 4])
    expect((await panel.listRetained()).total).toBe(0)
    const [row] = await panel.db.read.selectFrom('recordings').select(['operator', 'user_id']).execute()
    expect(row).toEqual({ operator: 'Maria Souza', user_id: await panel.userId() })
    // the tablet asks again, and hears what became of each
    const again = await panel.deliver(panel.tablet, crimpOf(1), ids[0])
    const discarded = await panel.deliver(panel.tablet, crimpOf(2), ids[1])
    expect([again.statusCode, discarded.json().message]).toEqual([
      201,
      'Apontamento recebido e depois descartado em Pendências.',
    ])
    expect(await panel.crimps()).toBe(4)
    const decided = (await panel.audit()).filter(({ action }) => action.startsWith('retained'))
    expect(decided.map(({ action, reason, user_name }) => [action, reason, user_name])).toEqual([
      ['retained_discarded', 'conferido', 'admin'],
      ['retained_taken', 'conferido', 'admin'],
      ['retained_taken', 'conferido', 'admin'],
    ])
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('is accepted as ever when its author brings it under a session that is good', async () => {
    const panel = await setUp({ database })
    await panel.endAll()
    const [id, left] = [randomUUID(), randomUUID()]
    await panel.deliver(panel.tablet, crimpOf(5), id)
    await panel.deliver(panel.tablet, crimpOf(6), left)
    const { token } = await panel.login('operador')
    expect((await panel.record(token, savedOnTablet(crimpOf(5)), id)).statusCode).toBe(202)
    expect((await panel.listRetained()).retidos.map((one: { id: string }) => one.id)).toEqual([left])
    expect((await panel.decideRetained(panel.admin, [id], 'aceitar')).json()).toMatchObject({
      decididos: 0,
      mantidos: 1,
    })
    await panel.deliverAll()
    expect([panel.simulator.state.writes.length, await panel.crimps()]).toEqual([1, 5])
  })

  test('is decided once, whoever decides at the same instant', async () => {
    const panel = await setUp({ database })
    await panel.endAll()
    const id = randomUUID()
    await panel.deliver(panel.tablet, crimpOf(5), id)
    const { token } = await panel.login('operador')
    const [taken, discarded, arrived] = await Promise.all([
      panel.decideRetained(panel.admin, [id], 'aceitar'),
      panel.decideRetained(panel.admin, [id], 'descartar'),
      panel.record(token, savedOnTablet(crimpOf(5)), id),
    ])
    expect([taken.statusCode, discarded.statusCode, arrived.statusCode]).toEqual([200, 200, 202])
    await panel.deliverAll()
    const isThere = (await panel.stateOf(id)) === 'delivered'
    expect(discarded.json().decididos === 1 && !isThere ? 0 : 1).toBe(isThere ? 1 : 0)
    expect(panel.simulator.state.writes).toHaveLength(isThere ? 1 : 0)
    expect(await panel.crimps()).toBe(isThere ? 5 : 0)
  })
})

test.each(databases)(
  'of two admins who decide otherwise at the same instant one is told that it was done, on %s',
  async (database) => {
    const panel = await setUp({ database })
    await panel.endAll()
    const ids = Array.from({ length: 6 }, () => randomUUID())
    for (const id of ids) await panel.deliver(panel.tablet, crimpOf(5), id)
    const statuses = await Promise.all(
      ids.map(async (id, at) => {
        const decisions = (['aceitar', 'descartar'] as const).map((decision) =>
          panel.decideRetained(panel.admin, [id], decision),
        )
        const [taken, discarded] = await Promise.all(at % 2 === 0 ? decisions : decisions.toReversed())
        return (taken?.json().decididos ?? 0) + (discarded?.json().decididos ?? 0)
      }),
    )
    expect(statuses).toEqual(ids.map(() => 1))
    const lines = await panel.db.read
      .selectFrom('audit_entries')
      .select('subject_id')
      .where('action', 'in', ['retained_taken', 'retained_discarded'])
      .execute()
    expect(lines.map((line) => line.subject_id).toSorted()).toEqual(ids.toSorted())
  },
)

test('a grant is good in the browser that it was given to: another one, or none, is retained', async () => {
  const panel = await setUp()
  const other = pairOf(await panel.browser.login('operador'))
  const id = randomUUID()
  for (const device of [other.device, null]) {
    expect((await panel.deliver({ ...panel.tablet, device }, crimpOf(1))).json()).toEqual(RETAINED)
  }
  expect((await panel.deliver({ ...panel.tablet, device: null }, crimpOf(1), id)).json()).toEqual(RETAINED)
  const { retidos, total } = await panel.listRetained()
  expect([total, new Set(retidos.map(({ motivo }: { motivo: string }) => motivo))]).toEqual([
    3,
    new Set(['other_browser']),
  ])
  expect(new Set(retidos.map(({ grupo }: { grupo: string }) => grupo)).size, 'for one device').toBe(1)
  expect(await panel.crimps()).toBe(0)
})

test('what is known already is answered, not retained, and one id has one content', async () => {
  const panel = await setUp()
  const [known, id] = [randomUUID(), randomUUID()]
  await panel.deliver(panel.tablet, crimpOf(3), known)
  await panel.endAll()
  expect((await panel.deliver(panel.tablet, crimpOf(3), known)).json().retido).toBeUndefined()
  expect((await panel.deliver(panel.tablet, crimpOf(4), known)).statusCode).toBe(409)
  await panel.deliver(panel.tablet, crimpOf(5), id)
  expect((await panel.deliver(panel.tablet, crimpOf(6), id)).statusCode).toBe(409)
  expect(await panel.crimps()).toBe(3)
})

test('every kind of work is retained, and taken as what it is', async () => {
  const panel = await setUp()
  await panel.ask(panel.token, { url: '/api/juncao/obter-juncoes?filial=010101&numeroOp=01621401001' })
  await panel.endAll()
  const [junction, received] = [randomUUID(), randomUUID()]
  const captura = { salvoNoDispositivo: true }
  await panel.post(panel.tablet, '/api/juncao/registrar-apontamento', { ...joinOf(2), captura }, junction)
  await panel.post(
    panel.tablet,
    '/api/conferencia-corte/recebimentos',
    { filial: '010101', codigoBarras: UNTOUCHED, captura },
    received,
  )
  const { retidos } = await panel.listRetained()
  expect(retidos.map(({ tipo }: { tipo: string }) => tipo).toSorted()).toEqual(['juncao', 'recebimento'])
  expect((await panel.decideRetained(panel.admin, [junction, received], 'aceitar')).json()).toMatchObject({
    decididos: 2,
  })
  await panel.deliverAll()
  expect([await panel.stateOf(junction), await panel.stateOf(received)]).toEqual(['delivered', 'delivered'])
})

test('a device has at most a thousand retained; its tablet keeps the rest', async () => {
  const panel = await setUp()
  await panel.endAll()
  const first = randomUUID()
  await panel.deliver(panel.tablet, crimpOf(1), first)
  await panel.db.transaction(async (tx) => {
    const { id: _, ...row } = await tx.selectFrom('retained_deliveries').selectAll().executeTakeFirstOrThrow()
    await tx
      .insertInto('retained_deliveries')
      .values(Array.from({ length: 999 }, () => ({ ...row, id: randomUUID() })))
      .execute()
  })
  const refused = await panel.deliver(panel.tablet, crimpOf(1))
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([
    429,
    'too_many_retained',
    '600',
  ])
  expect((await panel.deliver(panel.tablet, crimpOf(1), first)).statusCode, 'what is there is answered').toBe(202)
})

describe('a session that this database does not know', () => {
  const forget = async (panel: Panel, restoredFrom: number) => {
    await panel.db.transaction(async (tx) => {
      await tx.deleteFrom('sessions').where('browser', '=', 1).execute()
      await tx
        .insertInto('settings')
        .values({ name: 'restored-from', value: String(restoredFrom) })
        .execute()
    })
  }

  test('began after the backup: what comes under its grant is taken once the ERP was asked about it', async () => {
    const panel = await setUp({ simulator: { dedup: false } })
    const id = randomUUID()
    await panel.deliver(panel.tablet, crimpOf(120), id)
    await panel.deliverAll()
    await panel.db.transaction(async (tx) => {
      for (const table of ['recordings', 'erp_outbox', 'crimp_ledger', 'daily_production'] as const)
        await tx.deleteFrom(table).execute()
    })
    await forget(panel, panel.clock.now() - DAY_MS)
    expect((await panel.deliver(panel.tablet, crimpOf(120), id)).json().retido).toBeUndefined()
    await panel.deliverAll()
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(await panel.stateOf(id)).toBe('delivered')
  })

  test('began before it, and went: an admin decides', async () => {
    const panel = await setUp()
    await forget(panel, panel.clock.now() + 1)
    expect((await panel.deliver(panel.tablet, crimpOf(1))).json()).toEqual(RETAINED)
  })
})

test('a grant of the version before names no browser: its session and its own end decide', async () => {
  const panel = await setUp()
  const { id: session } = await panel.db.read
    .selectFrom('sessions')
    .select('id')
    .where('browser', '=', 1)
    .executeTakeFirstOrThrow()
  const former = { user: await panel.userId(), username: 'operador', fullName: 'Maria Souza', session }
  const grantUntil = (expiresAt: number) => ({
    deliveryGrant: sign(panel.context.keys, 'delivery-grant', { ...former, expiresAt }),
    device: null,
  })
  const [good, over] = [grantUntil(panel.clock.now() + 1), grantUntil(panel.clock.now())]
  expect((await panel.deliver(good, crimpOf(2))).json().retido).toBeUndefined()
  expect((await panel.deliver(over, crimpOf(3))).json()).toEqual(RETAINED)
  await panel.endAll()
  expect((await panel.deliver(good, crimpOf(4))).json()).toEqual(RETAINED)
  expect(await panel.crimps()).toBe(2)
})

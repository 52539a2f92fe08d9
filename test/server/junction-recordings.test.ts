import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import type { ErpJunction, Junction, JunctionDetails, JunctionRecording } from '../../src/contract/junctions.ts'
import type { PendingRecording } from '../../src/contract/pending-recordings.ts'
import { readMilli } from '../../src/domain/quality/control-plans.ts'
import type { Rows } from '../../src/server/erp/gateway.ts'
import { addUser, cutOf, databases, joinOf, ORDER, openTestPanel } from '../support/harness.ts'

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'colega', fullName: 'Ana Lima' })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Dias' })
  const { token } = await panel.login('operador')
  const { token: otherToken } = await panel.login('colega')
  const { token: adminToken } = await panel.login('admin')
  const join = async (payload: JunctionRecording, id = randomUUID() as string, by = token) => {
    const answer = await panel.ask(by, {
      method: 'POST',
      url: '/api/juncao/registrar-apontamento',
      headers: { 'idempotency-key': id },
      payload,
    })
    return {
      status: answer.statusCode,
      body: answer.json() as { message: string; code?: string; item: Junction | null },
    }
  }
  const positions = async () => {
    const url = `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}`
    const { items } = (await panel.ask(token, { method: 'GET', url })).json() as { items: Junction[] }
    return Object.fromEntries(items.map((one) => [one.Z8_POSICAO, [one.Z8_PJUNCAO, one.aguardandoErp]]))
  }
  const pending = async (): Promise<PendingRecording[]> =>
    (await panel.ask(adminToken, { method: 'GET', url: '/api/pendencias' })).json().pendencias
  const decide = (id: string, act: 'entregue' | 'descarte') =>
    panel.ask(adminToken, { method: 'POST', url: `/api/pendencias/${id}/${act}`, payload: { motivo: 'Conferido' } })
  const correct = (id: string, payload: JunctionRecording, newId = randomUUID() as string) =>
    panel.ask(token, {
      method: 'POST',
      url: `/api/pendencias/${id}/correcao-juncao`,
      headers: { 'idempotency-key': newId },
      payload,
    })
  const turnAway = () => panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused', count: null }])
  const letIn = () => panel.simulator.state.setFaults([])
  const deliver = async () => {
    for (let round = 0; round < 8; round++) {
      panel.clock.advance(200_000)
      await panel.context.outbox.deliverDue()
    }
  }
  const stored = () =>
    panel.simulator.state.junctionWrites.map(({ id, position, pieces }) => ({ id, position, pieces }))
  return {
    ...panel,
    token,
    otherToken,
    adminToken,
    join,
    positions,
    pending,
    decide,
    correct,
    turnAway,
    letIn,
    deliver,
    stored,
  }
}

const saved = (payload: JunctionRecording): JunctionRecording => ({ ...payload, captura: { salvoNoDispositivo: true } })
const ultrasonic: JunctionRecording = (() => {
  const { ALTURA: _h, LOTE_TERMINAL: _l, TERMINAL: _t, ESTANQUEIDADE: _e, ...rest } = joinOf(10, 'J02')
  return { ...rest, GRUPO_MP: 'M500US01' }
})()

/** What is asked at once is not found out yet. */
const LOOK_UP_FAILS = { id: 'F11', operation: 'integracoes' } as const

describe.each(databases)('joining on %s', (database) => {
  test('a recording reaches the ERP once, and the percentage rises here and there', async () => {
    const { join, positions, stored } = await setUp({ database })
    const id = randomUUID()
    const first = await join(joinOf(30), id)
    expect(first).toMatchObject({
      status: 201,
      body: { message: 'Apontamento de junção registrado com sucesso!', item: { Z8_PJUNCAO: 25, aguardandoErp: 0 } },
    })
    expect(await join(joinOf(30), id)).toEqual(first)
    expect((await join(joinOf(31), id)).body.code).toBe('idempotency_key_reused')
    expect((await join(ultrasonic)).status).toBe(201)
    expect((await positions()).J01).toEqual([25, 0])
    expect(stored().map(({ position, pieces }) => [position, pieces])).toEqual([
      ['J01', 30],
      ['J02', 10],
    ])
  })

  test('a recording has the gauge of the pull test, where its details were read', async () => {
    const { join, ask, token, db } = await setUp({ database })
    expect((await join(joinOf(30))).status).toBe(201)
    const url = `/api/juncao/obter-detalhes?filial=010101&numeroOp=${ORDER}&posicao=J01`
    const { teste } = (await ask(token, { url })).json().data as JunctionDetails
    expect((await join(joinOf(10))).status).toBe(201)
    const gauges = await db.read.selectFrom('recordings').select('gauge_milli').orderBy('pieces', 'desc').execute()
    expect(gauges).toEqual([{ gauge_milli: null }, { gauge_milli: readMilli(teste?.ZTB_BITOLA ?? '') }])
    expect(gauges[1]?.gauge_milli).toEqual(expect.any(Number))
  })

  test('with the ERP away it is saved, marked, and delivered in order when the ERP is back', async () => {
    const { join, positions, turnAway, letIn, deliver, stored } = await setUp({ database })
    await positions()
    await turnAway()
    expect(await join(joinOf(30))).toMatchObject({ status: 202, body: { item: { aguardandoErp: 30 } } })
    expect((await join(joinOf(20))).status).toBe(202)
    expect((await positions()).J01).toEqual([0, 50])
    await letIn()
    await deliver()
    expect(stored().map(({ pieces }) => pieces)).toEqual([30, 20])
    expect((await positions()).J01).toEqual([41.67, 0])
  })

  test('stored by the ERP but unanswered, and no look-up: its percentage tells, and nothing is sent twice', async () => {
    const panel = await setUp({
      database,
      env: { ERP_LOOKUP: 'none' },
      simulator: { lookup: false, dedup: false },
    })
    const { join, positions, simulator, deliver, stored } = panel
    await positions()
    await simulator.state.setFaults([{ id: 'F06', variant: 'reset' }])
    expect((await join(joinOf(30))).status).toBe(201)
    await deliver()
    expect(stored()).toHaveLength(1)
    expect((await positions()).J01).toEqual([25, 0])
    expect(await panel.pending()).toEqual([])
  })

  test('a position fills up once, however many want to fill it', async () => {
    const { join, positions, token, otherToken } = await setUp({ database })
    expect((await join(joinOf(1, 'J03'))).body.code).toBe('section_complete')
    expect((await join(joinOf(121))).body).toMatchObject({ code: 'quantity_exceeds_junction' })
    expect((await join(joinOf(1, 'J99'))).body.code).toBe('junction_not_found')
    const both = await Promise.all([token, otherToken].map((by) => join(joinOf(120), randomUUID(), by)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect((await positions()).J01).toEqual([100, 0])
  })

  test('what the ERP refuses after it was called saved waits for a person, who corrects, discards or delivers', async () => {
    const panel = await setUp({ database })
    const { join, positions, pending, correct, decide, stored, deliver } = panel
    await positions()
    const refused = { ...joinOf(10, 'J 02/A'), TERMINAL: 'T1062914', LOTE_TERMINAL: sampleBlockedLot }
    for (let n = 0; n < 3; n++) {
      expect((await join(saved(refused))).status).toBe(202)
      await deliver()
    }
    const waiting = await pending()
    expect(waiting.map(({ tipo, situacao, motivo }) => [tipo, situacao, motivo])).toEqual(
      Array(3).fill(['juncao', 'recusado', 'Lote bloqueado']),
    )
    expect(await positions()).toMatchObject({ 'J 02/A': [25, 0] })
    const [first, second, third] = waiting
    if (!first || !second || !third) throw new Error('three wait')
    const corrected = await correct(first.id, { ...refused, QTD_APONTADA: 12, LOTE_TERMINAL: 'L261118004' })
    expect([corrected.statusCode, corrected.json().item.Z8_PJUNCAO]).toEqual([201, 35])
    expect((await decide(second.id, 'descarte')).statusCode).toBe(200)
    expect((await decide(third.id, 'entregue')).statusCode).toBe(200)
    expect((await decide(third.id, 'descarte')).json()).toMatchObject({ code: 'pending_settled' })
    expect(stored().map(({ pieces }) => pieces)).toEqual([12])
    expect(await pending()).toEqual([])
  })

  test('more pieces than were planned for the position count nowhere until an admin takes them', async () => {
    const { join, positions, decide, db } = await setUp({ database })
    await positions()
    const produced = async () => {
      const rows = await db.read.selectFrom('daily_production').select('pieces').execute()
      return rows.reduce((sum, { pieces }) => sum + pieces, 0)
    }
    const ids = [randomUUID(), randomUUID()] as const
    for (const id of ids) expect((await join(saved(joinOf(121)), id)).status).toBe(202)
    expect(await produced()).toBe(0)
    expect((await decide(ids[0], 'descarte')).statusCode).toBe(200)
    expect(await produced()).toBe(0)
    expect((await decide(ids[1], 'entregue')).statusCode).toBe(200)
    expect(await produced()).toBe(121)
  })
})

test('a junction whose ids the ERP does not keep is not sent again because it keeps those of cuts', async () => {
  const gateway: NonNullable<Parameters<typeof openTestPanel>[0]>['gateway'] = (erp) => ({
    ...erp,
    findByIntegrationId: async (query) =>
      cutIds.has(query.integrationId) ? await erp.findByIntegrationId(query) : null,
  })
  const cutIds = new Set<string>()
  const panel = await setUp({ gateway, simulator: { dedup: false } })
  const { join, positions, simulator, deliver, stored, token } = panel
  await positions()
  const cutId = randomUUID()
  cutIds.add(cutId)
  expect((await panel.record(token, cutOf(1), cutId)).statusCode).toBe(201)
  await simulator.state.setFaults([{ id: 'F06', variant: 'reset' }])
  expect((await join(joinOf(30))).status).toBe(202)
  await deliver()
  expect(stored()).toHaveLength(1)
  expect((await positions()).J01).toEqual([25, 0])
})

test('where the ERP plans no quantity its percentage proves nothing: a person is asked', async () => {
  const unplanned = ({ rows, unusable }: Rows<ErpJunction>) => ({
    rows: rows.map((row) => ({ ...row, Z8_QTDPECA: 0, Z8_PJUNCAO: 0 })),
    unusable,
  })
  const gateway: NonNullable<Parameters<typeof openTestPanel>[0]>['gateway'] = (erp) => ({
    ...erp,
    searchJunctions: async (query) => unplanned(await erp.searchJunctions(query)),
  })
  const simulated = { lookup: false, dedup: false }
  const panel = await setUp({ gateway, env: { ERP_LOOKUP: 'none' }, simulator: simulated })
  const { join, positions, simulator, deliver, stored, pending, errors } = panel
  await positions()
  await simulator.state.setFaults([{ id: 'F06', variant: 'reset' }])
  expect((await join({ ...joinOf(30), QTD_PECAS: 1000 })).status).toBe(202)
  await deliver()
  expect(stored()).toHaveLength(1)
  expect((await pending()).map(({ situacao }) => situacao)).toEqual(['incerto'])
  expect(errors.splice(0)).toHaveLength(1)
})

test('pieces that were read before their confirmation are there once', async () => {
  const panel = await setUp({})
  const { join, positions, simulator, deliver, turnAway } = panel
  await positions()
  await simulator.state.setFaults([{ id: 'F06', variant: 'reset' }, LOOK_UP_FAILS])
  expect((await join(joinOf(60))).status).toBe(202)
  expect((await positions()).J01).toEqual([50, 60])
  await deliver()
  await turnAway()
  expect((await positions()).J01).toEqual([50, 0])
})

test("plan, group and day are the ERP's and the server's word, not the tablet's", async () => {
  const { join, positions, db, clock } = await setUp()
  await positions()
  const answer = await join({ ...joinOf(10), QTD_PECAS: 7, DATA: '2019-02-03' })
  expect(answer).toMatchObject({ status: 201, body: { item: { Z8_PJUNCAO: 8.33 } } })
  const row = await db.read.selectFrom('erp_outbox').select(['payload_json', 'raises']).executeTakeFirstOrThrow()
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  expect(JSON.parse(row.payload_json)).toMatchObject({ QTD_PECAS: 120, DATA: day })
  expect(row.raises).toBeCloseTo(8.333)
  const { ALTURA: _h, LOTE_TERMINAL: _l, TERMINAL: _t, ESTANQUEIDADE: _e, ...welded } = joinOf(1)
  expect((await join({ ...welded, GRUPO_MP: 'M500X' })).body.code).toBe('group_mismatch')
})

test('a junction by ultrasound names no terminal, and every other one names what its group needs', async () => {
  const { join, stored } = await setUp()
  const { ALTURA: _, ...heightless } = joinOf(1)
  const wrong = [
    ...(['ALTURA', 'LOTE_TERMINAL', 'TERMINAL', 'ESTANQUEIDADE'] as const).map((name) => ({
      ...ultrasonic,
      [name]: joinOf(1)[name] ?? 'T-1',
    })),
    heightless,
  ]
  for (const payload of wrong) expect((await join(payload)).body.code, JSON.stringify(payload)).toBe('input_invalid')
  expect(stored()).toEqual([])
})

test('an empty answer of the ERP forgets no position', async () => {
  const { positions, simulator, turnAway } = await setUp()
  const before = await positions()
  await simulator.state.setFaults([{ id: 'F10', operation: 'juncoes' }])
  expect(await positions()).toEqual({})
  await turnAway()
  expect(await positions()).toEqual(before)
})

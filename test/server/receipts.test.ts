import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { addUser, databases, HALF_CUT, openTestPanel, testClock, UNTOUCHED } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const confirm = async (codigoBarras: string, captura?: object, id = randomUUID() as string) => {
    const answer = await panel.ask(token, {
      method: 'POST',
      url: '/api/conferencia-corte/recebimentos',
      headers: { 'idempotency-key': id },
      payload: { filial: '010101', codigoBarras, ...(captura ? { captura } : {}) },
    })
    const { message, status, item, code } = answer.json() as {
      message: string
      status: string
      item: CutItem | null
      code?: string
    }
    return {
      http: answer.statusCode,
      message,
      status,
      received: item?.Z1_CONFERE,
      onWay: item?.recebimentoAguardandoErp,
      code,
    }
  }
  const rows = () => panel.db.read.selectFrom('recordings').select(['part', 'state', 'pieces']).execute()
  const deliver = async () => {
    for (let round = 0; round < 8; round++) {
      panel.clock.advance(200_000)
      await panel.context.outbox.deliverDue()
    }
  }
  return { ...panel, token, confirm, rows, deliver }
}

const before = { http: 200, message: 'Item já recebido', status: 'enviado', received: 'S' }

describe.each(databases)('receipts on %s', (database) => {
  test('an item is received once; confirming it again says so and changes nothing', async () => {
    const { confirm, rows, simulator } = await setUp({ database })
    const id = randomUUID()
    const first = await confirm(UNTOUCHED, undefined, id)
    expect(first).toMatchObject({ http: 201, message: 'Recebimento confirmado', status: 'enviado', received: 'S' })
    expect(await confirm(UNTOUCHED, undefined, id)).toEqual(first)
    expect(await confirm(UNTOUCHED)).toMatchObject(before)
    expect(await confirm(UNTOUCHED, { salvoNoDispositivo: true })).toMatchObject(before)
    expect(await rows()).toEqual([{ part: 'recebimento', state: 'delivered', pieces: 0 }])
    expect(simulator.state.receipts).toHaveLength(1)
  })

  test('two people who confirm at the same instant are one receipt', async () => {
    const { confirm, rows, simulator } = await setUp({ database })
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(UNTOUCHED)))
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
    expect(await rows()).toHaveLength(1)
    expect(simulator.state.receipts).toHaveLength(1)
  })

  test('with the ERP away it is saved, marked, and delivered once when the ERP is back', async () => {
    const { confirm, simulator, deliver, rows } = await setUp({ database })
    await confirm(HALF_CUT)
    await simulator.state.setFaults([
      { id: 'F06', variant: 'reset' },
      { id: 'F31', variant: 'refused', count: null },
    ])
    expect((await confirm('X'.repeat(22))).code).toBe('erp_unavailable')
    await simulator.state.setFaults([])
    expect((await confirm('X'.repeat(22))).code).toBe('item_not_found')
    await simulator.state.setFaults([
      { id: 'F06', variant: 'reset', operation: 'conferencia' },
      { id: 'F11', operation: 'integracoes' },
    ])
    expect(await confirm(UNTOUCHED)).toMatchObject({
      http: 202,
      message: 'Recebimento salvo. Será enviado ao ERP assim que ele responder.',
      onWay: true,
    })
    expect(await confirm(UNTOUCHED)).toMatchObject({
      http: 200,
      message: 'Recebimento já confirmado, aguardando ERP',
      status: 'pendente',
    })
    await deliver()
    expect(await confirm(UNTOUCHED)).toMatchObject(before)
    expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    expect(simulator.state.receipts).toHaveLength(2)
  })

  test('no roll-up and no counter hears of a receipt', async () => {
    const { confirm, db } = await setUp({ database })
    await confirm(UNTOUCHED)
    expect(await db.read.selectFrom('daily_production').selectAll().execute()).toEqual([])
    expect(await db.read.selectFrom('crimp_ledger').selectAll().execute()).toEqual([])
  })
})

test('a receipt bears the day and the time that the clock on the wall of the plant shows', async () => {
  const lateEvening = testClock(Date.UTC(2026, 10, 22, 1, 30))
  const { confirm, db } = await setUp({ clock: lateEvening })
  await confirm(UNTOUCHED)
  const { payload_json } = await db.read.selectFrom('erp_outbox').select('payload_json').executeTakeFirstOrThrow()
  expect(JSON.parse(payload_json)).toMatchObject({ momento: { day: '2026-11-21', time: '22:30:00' } })
})

test('what a second person was told is saved is not undone by a refusal of the first', async () => {
  const gate = Promise.withResolvers<void>()
  let isShut = false
  const gateway = (erp: ErpGateway): ErpGateway => ({
    ...erp,
    async confirmReceipt(write) {
      if (isShut) await gate.promise
      return await erp.confirmReceipt(write)
    },
  })
  const { confirm, simulator, rows, context } = await setUp({ gateway })
  await confirm(HALF_CUT)
  await simulator.state.setFaults([{ id: 'F09', operation: 'conferencia' }])
  isShut = true
  const confirming = confirm(UNTOUCHED)
  await vi.waitFor(async () => expect(await rows()).toHaveLength(2), SOON)
  const second = await confirm(UNTOUCHED, { salvoNoDispositivo: true })
  gate.resolve()
  const first = await confirming
  await context.outbox.deliverDue()
  expect(second).toMatchObject({ http: 200, status: 'pendente' })
  expect(first).toMatchObject({ http: 202, message: 'O ERP não aceitou o recebimento: veja Pendências.' })
  expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'parked'])
})

test('a receipt that an earlier life of the database had answered is found by its mark', async () => {
  const { confirm, simulator, deliver, rows } = await setUp({
    env: { ERP_LOOKUP: 'none' },
    simulator: { lookup: false, dedup: false },
  })
  await confirm(HALF_CUT)
  await simulator.state.setFaults([{ id: 'F31', variant: 'refused', count: null }])
  await confirm(HALF_CUT)
  await simulator.state.setFaults([])
  expect(await confirm(UNTOUCHED, { respondidoAntes: true })).toMatchObject({ http: 202 })
  await deliver()
  await deliver()
  expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(simulator.state.receipts).toHaveLength(2)
})

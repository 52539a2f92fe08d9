import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  addUser,
  crimpOf,
  cutOf,
  endlessWait,
  ORDER,
  openTestPanel,
  UNTOUCHED,
  waitUntilCalled,
} from '../support/harness.ts'
import { limitMs, SOON } from '../support/slowness.ts'

const copies = (termo: string) => ({ url: `/api/apontamentos/copias?filial=010101&termo=${termo}` })
const junctionCopies = (order: string) => ({ url: `/api/juncao/copias?filial=010101&numeroOp=${order}` })
const item = { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` }
const MINUTE_MS = 60_000

async function setUp(options: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const reads = () => panel.simulator.state.log.filter(({ operation }) => operation === 'itens').length
  return { ...panel, token, reads, get: async (request: { url: string }) => (await panel.ask(token, request)).json() }
}

describe('what was read before is known without the ERP', () => {
  test('an order and each of its items answer at once though the ERP is silent, with the time of the reading', async () => {
    const panel = await setUp()
    const list = await panel.get({ url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
    const readAt = new Date(panel.clock.now()).toISOString()
    await panel.simulator.state.setFaults([{ id: 'F01', operation: 'itens', ms: MINUTE_MS, count: null }])
    panel.clock.advance(MINUTE_MS)
    expect(await panel.get(copies(ORDER))).toEqual({ items: list.items, dadosDe: readAt })
    const one = list.items.find(({ Z1_CODBAR }: { Z1_CODBAR: string }) => Z1_CODBAR === UNTOUCHED)
    expect(await panel.get(copies(` ${UNTOUCHED} `))).toEqual({ items: [one], dadosDe: readAt })
    expect(panel.reads()).toBe(1)
  })

  test('of what nobody has read there is nothing, and the ERP hears nothing', async () => {
    const panel = await setUp()
    expect(await panel.get(copies('99999999999'))).toEqual({ items: [], dadosDe: null })
    expect(await panel.get(junctionCopies('99999999999'))).toEqual({ items: [], dadosDe: null })
    expect((await panel.ask(panel.token, { url: '/api/apontamentos/copias?filial=990199&termo=1' })).statusCode).toBe(
      400,
    )
    expect(panel.reads()).toBe(0)
  })

  test('an order of which one item was read by its barcode is not known: a part would pass for the whole', async () => {
    const panel = await setUp()
    await panel.get(item)
    expect(await panel.get(copies(ORDER))).toEqual({ items: [], dadosDe: null })
    const list = await panel.get({ url: `/api/apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO` })
    expect((await panel.get(copies(ORDER))).items).toEqual(list.items)
    await panel.get(item)
    expect((await panel.get(copies(ORDER))).items).toEqual(list.items)
  })

  test('junctions of an order likewise', async () => {
    const panel = await setUp()
    const list = await panel.get({ url: `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}` })
    expect(list.items.length).toBeGreaterThan(0)
    const readAt = new Date(panel.clock.now()).toISOString()
    expect(await panel.get(junctionCopies(ORDER))).toEqual({ items: list.items, dadosDe: readAt })
  })
})

describe('at Registrar an old copy is read again first', () => {
  test('what others did at the ERP meanwhile counts; within a minute the copy judges', async () => {
    const panel = await setUp()
    await panel.get(item)
    const registered = async (pieces: number) =>
      (await panel.record(panel.token, crimpOf(pieces))).json().item.Z1_QTREGL1
    expect(await registered(5)).toBe(5)
    // somebody at the ERP takes back what was recorded
    panel.simulator.state.reset()
    panel.clock.advance(MINUTE_MS)
    expect(await registered(1)).toBe(6)
    panel.clock.advance(1)
    expect(await registered(1)).toBe(2)
  })

  test('an ERP that does not answer in time is not waited for twice: the copy judges, the delivery follows when it does', async () => {
    let answerWait = endlessWait
    const panel = await setUp({ answerWait: () => answerWait(), timeouts: { readMs: limitMs(2000) } })
    await panel.record(panel.token, cutOf(1))
    panel.clock.advance(MINUTE_MS + 1)
    await panel.simulator.state.setFaults([{ id: 'F01', operation: 'itens', ms: MINUTE_MS, count: null }])
    answerWait = () => waitUntilCalled(panel.simulator)
    const answer = await panel.record(panel.token, cutOf(1))
    expect([answer.statusCode, answer.json().status]).toEqual([202, 'pendente'])
    await panel.simulator.state.setFaults([])
    const row = async () => {
      panel.clock.advance(MINUTE_MS)
      await panel.context.outbox.deliverDue()
      return panel.simulator.state.row(UNTOUCHED)
    }
    await expect.poll(row, SOON).toMatchObject({ Z1_QTREGCO: 2 })
  })

  test('what a tablet had saved already was judged when it was pressed: nothing is read for it', async () => {
    const panel = await setUp()
    await panel.get(item)
    panel.clock.advance(MINUTE_MS + 1)
    const captura = { salvoNoDispositivo: true, registradoEm: new Date(panel.clock.now()).toISOString() }
    expect((await panel.record(panel.token, { ...cutOf(1), captura }, randomUUID())).statusCode).toBe(202)
    expect(panel.reads()).toBe(1)
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { cutOf, ORDER, UNTOUCHED } from '../support/harness.ts'
import { savedOnTablet, setUp } from '../support/waiting.ts'

const OTHER = '01621501001'
const MOVED = `Este apontamento é da ordem ${ORDER}; no ERP este código de barras é agora da ordem ${OTHER}.`

type Panel = Awaited<ReturnType<typeof setUp>>

/** The ERP gives the barcode to another order, and somebody searches it here. */
async function moveOrder({ simulator, ask, token }: Panel): Promise<void> {
  Object.assign(simulator.state.row(UNTOUCHED) ?? {}, { Z1_OP: OTHER })
  const found = await ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  expect(found.json()).toMatchObject({ item: { Z1_OP: OTHER } })
}

const resend = (panel: Panel, id: string) =>
  panel.ask(panel.admin, { method: 'POST', url: '/api/pendencias/reenvio', payload: { ids: [id] } })

test('what a tablet had saved for an order is parked where its barcode is of another one now, until an admin sends it', async () => {
  const panel = await setUp({})
  await moveOrder(panel)
  const id = randomUUID()
  expect((await panel.record(panel.token, savedOnTablet(cutOf(2)), id)).statusCode).toBe(202)
  await panel.deliverDue()
  expect(await panel.list()).toMatchObject([{ id, situacao: 'recusado', motivo: MOVED, tentativas: 0 }])
  expect(panel.simulator.state.writes).toEqual([])
  expect((await resend(panel, id)).json()).toMatchObject({ reenviados: 1 })
  await panel.deliverDue()
  expect(panel.simulator.state.writes).toMatchObject([{ id, pieces: 2 }])
})

test('what waits for the ERP is parked, not sent, where its barcode has gone to another order meanwhile', async () => {
  const panel = await setUp({})
  const id = randomUUID()
  await panel.erpIs('down')
  expect((await panel.record(panel.token, cutOf(2), id)).statusCode).toBe(202)
  await panel.erpIs('up')
  panel.clock.advance(60_000)
  await moveOrder(panel)
  await panel.deliverAll()
  expect(await panel.list()).toMatchObject([{ id, situacao: 'recusado', motivo: MOVED, tentativas: 0 }])
  expect(panel.simulator.state.writes).toEqual([])
  expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })
  expect(await panel.production(), 'the work was done').toBe(2)
})

test('who registers in a form of the order of before is told both orders', async () => {
  const panel = await setUp({})
  await moveOrder(panel)
  const answer = await panel.record(panel.token, cutOf(2))
  expect([answer.statusCode, answer.json()]).toEqual([409, { code: 'order_moved', message: MOVED }])
})

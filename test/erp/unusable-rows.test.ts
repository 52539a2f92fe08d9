import { expect, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import type { WriteOutcome } from '../../src/server/erp/gateway.ts'
import { faults, listJoints, ORDER, search, startErp } from '../support/erp.ts'
import { addUser, crimpOf, joinOf, openTestPanel, UNTOUCHED } from '../support/harness.ts'

const WARNING = 'row dropped: a field is missing or cannot be read'
/** One row of the order only, or one of its positions. */
const withoutQuantity: Fault = { id: 'F40', variant: `Z1_QTREGL1@${UNTOUCHED}`, count: null }
const withoutPercent: Fault = { id: 'F40', variant: 'Z8_PJUNCAO@J01', count: null }

test('a row with a quantity that cannot be read is left out, and its field and value are warned of once an hour', async () => {
  await using erp = await startErp()
  await faults(erp, { ...withoutQuantity, message: '12 pcs' })
  const warnings = () => erp.logged.filter(({ message }) => message === WARNING)
  for (const warned of [1, 1, 1, 1, 1, 2]) {
    expect(await search(erp.gateway)).toHaveLength(23)
    expect(warnings()).toHaveLength(warned)
    erp.clock.ms += 12 * 60_000
  }
  expect(warnings()[0]).toMatchObject({ level: 'warn', fields: { field: 'Z1_QTREGL1', value: '"12 pcs"' } })
})

test('a blank quantity is 0', async () => {
  await using erp = await startErp()
  await faults(
    erp,
    { id: 'F40', operation: 'itens', variant: 'Z1_QUANT', message: '' },
    { id: 'F40', operation: 'juncoes', variant: 'Z8_PJUNCAO', message: '   ' },
  )
  expect(new Set((await search(erp.gateway)).map((item) => item.Z1_QUANT))).toEqual(new Set([0]))
  expect(new Set((await listJoints(erp.gateway)).map((row) => row.Z8_PJUNCAO))).toEqual(new Set([0]))
})

async function openBlind(more: Parameters<typeof openTestPanel>[0] = {}) {
  const panel = await openTestPanel({
    env: { ERP_LOOKUP: 'none' },
    simulator: { lookup: false, dedup: false },
    ...more,
  })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const ask = (url: string) => panel.ask(token, { url })
  return { ...panel, token, see: ask }
}
const searchOf = (term: string) => `/api/apontamentos/itens?filial=010101&termo=${term}&modo=APONTAMENTO`

test.each([
  ['a column of another name', { id: 'F40', variant: 'Z1_CODBAR' }, searchOf(ORDER)],
  ['no quantities', { id: 'F40' }, searchOf(ORDER)],
  ['no percentages of junctions', { id: 'F40' }, `/api/juncao/obter-juncoes?filial=010101&numeroOp=${ORDER}`],
] as [string, Fault, string][])('rows with %s are no empty list', async (_, fault, url) => {
  const panel = await openBlind()
  await panel.simulator.state.setFaults([{ ...fault, count: null }])
  const answer = await panel.see(url)
  expect([answer.statusCode, answer.json()]).toEqual([502, expect.objectContaining({ code: 'erp_unreadable' })])
})

test('the copy of an item whose row cannot be used is kept, and answers', async () => {
  const panel = await openBlind()
  await panel.see(searchOf(ORDER))
  await panel.simulator.state.setFaults([withoutQuantity])
  expect((await panel.see(searchOf(ORDER))).json().items).toHaveLength(23)
  const { item, dadosDe } = (await panel.see(`/api/apontamentos/itens/${UNTOUCHED}?filial=010101`)).json()
  expect([item.Z1_QUANT, dadosDe]).toEqual([120, expect.any(String)])
})

test.each([
  ['an item', withoutQuantity, 'apontamentos/corte-crimpagem', crimpOf(30)],
  ['a junction', withoutPercent, 'juncao/registrar-apontamento', joinOf(30)],
] as const)('a row of %s that cannot be used decides nothing in an inquiry', async (_, fault, path, payload) => {
  let afterSending = async () => {}
  const thenSpoil = async (sending: Promise<WriteOutcome>) => {
    const outcome = await sending
    await afterSending()
    return outcome
  }
  const panel = await openBlind({
    gateway: (erp) => ({
      ...erp,
      recordCutCrimp: async (write) => await thenSpoil(erp.recordCutCrimp(write)),
      recordJunction: async (write) => await thenSpoil(erp.recordJunction(write)),
    }),
  })
  const { state } = panel.simulator
  await state.setFaults([{ id: 'F06', variant: 'reset' }])
  afterSending = () => state.setFaults([fault])
  const headers = { 'idempotency-key': '6f1c6a0e-6a5e-4a4f-9b0b-2a3c0a7d11e2' }
  const answer = await panel.ask(panel.token, { method: 'POST', url: `/api/${path}`, headers, payload })
  expect(answer.statusCode).toBe(202)
  const wait = async () => {
    for (let round = 0; round < 12; round++) {
      panel.clock.advance(65_000)
      await panel.context.outbox.deliverDue()
    }
  }
  await wait()
  expect((await panel.see('/api/pendencias')).json().pendencias).toMatchObject([
    { situacao: 'aguardando', tentativas: 1 },
  ])
  afterSending = async () => {}
  await state.setFaults([])
  panel.clock.advance(900_000)
  await panel.context.outbox.deliverDue()
  expect((await panel.see('/api/pendencias')).json().pendencias).toEqual([])
  expect(state.writes.length + state.junctionWrites.length).toBe(1)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import { CONFIRMED_BY_QUANTITY_MESSAGE } from '../../src/contract/recordings.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { addUser, crimpOf, cutOf, openTestPanel, UNTOUCHED } from '../support/harness.ts'

const PIECES = 30
const SHARED = 'O ERP tem a quantidade esperada, mas parte dela pode ter sido apontada em outro lugar.'

/**
 * Where the ERP cannot be asked by id, what it had registered before a sending decides what became of it. A read that
 * said too little would make an unstored recording look stored: it is not believed, and a person decides.
 */
test.each([
  ['gives no rows', { id: 'F18', operation: 'itens' }],
  ['gives rows of the other plant', { id: 'F24' }],
  ['is 30 s behind its writes', { id: 'F28' }],
] as [string, Fault][])(
  'an ERP without look-up that %s before a sending that hangs: a person is asked',
  async (_, fault) => {
    const panel = await openTestPanel({
      env: { ERP_LOOKUP: 'none' },
      simulator: { lookup: false, dedup: false },
    })
    await addUser(panel.context, { username: 'operador' })
    const { token } = await panel.login('operador')
    await panel.record(token, crimpOf(PIECES))
    await panel.simulator.state.setFaults([fault, { id: 'F05' }])
    expect((await panel.record(token, crimpOf(PIECES))).statusCode).toBe(202)
    for (let round = 0; round < 12; round++) {
      panel.clock.advance(65_000)
      await panel.context.outbox.deliverDue()
    }
    const { pendencias } = (await panel.ask(token, { url: '/api/pendencias' })).json()
    expect(pendencias).toMatchObject([
      { situacao: 'incerto', motivo: 'O ERP não sabe dizer se já tem este apontamento.', tentativas: 1 },
    ])
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(panel.errors.some((line) => line.includes('a person must decide'))).toBe(true)
    panel.errors.length = 0
  },
)

/** What the office registered at the ERP after our last read would make an unstored recording look stored. */
test.each(['nothing yet', 'something'])(
  'an ERP said to have a look-up that has none and has confirmed %s: what others registered is not taken for ours',
  async (confirmed) => {
    let office: ErpGateway | undefined
    const panel = await openTestPanel({
      simulator: { lookup: false, dedup: false },
      gateway: (erp) => {
        office = erp
        return erp
      },
    })
    await addUser(panel.context, { username: 'operador' })
    const { token } = await panel.login('operador')
    await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    if (confirmed === 'something') await panel.record(token, cutOf(1))
    const elsewhere = { branch: '010101', payload: crimpOf(PIECES), integrationId: randomUUID() }
    expect(await office?.recordCutCrimp(elsewhere)).toMatchObject({ outcome: 'confirmed' })
    await panel.simulator.state.setFaults([{ id: 'F05' }])
    expect((await panel.record(token, crimpOf(PIECES))).statusCode).toBe(202)
    for (let round = 0; round < 12; round++) {
      panel.clock.advance(65_000)
      await panel.context.outbox.deliverDue()
    }
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 2 * PIECES })
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 0 })
  },
)

/** A copy that lacks what was confirmed is read again, however often, and never the measure of a sending. */
test('a copy behind what the ERP has confirmed twice is not taken for what it had before a sending', async () => {
  const panel = await openTestPanel({ simulator: { dedup: false } })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const loseOfCopy = () =>
    panel.db.transaction((tx) =>
      tx
        .updateTable('erp_items')
        .set((e) => ({ registered_l1: e('registered_l1', '-', PIECES) }))
        .where('barcode', '=', UNTOUCHED)
        .execute(),
    )
  await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  await panel.record(token, crimpOf(PIECES))
  await loseOfCopy()
  await panel.record(token, crimpOf(PIECES))
  await panel.simulator.state.setFaults([{ id: 'F05' }])
  await panel.record(token, crimpOf(PIECES))
  for (let round = 0; round < 12; round++) {
    panel.clock.advance(65_000)
    await panel.context.outbox.deliverDue()
  }
  expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 3 * PIECES })
  expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 0 })
})

/** Ours never got there, and the office registered as many pieces meanwhile. */
test.each([
  ['before the sending and after it', 0, 'incerto'],
  // two minutes after the sending, and inquiries come ever more rarely
  ['when ours could no longer be stored', 5, 'incerto'],
] as const)(
  'an ERP without look-up in which an equal batch is written elsewhere, %s: a person is asked',
  async (_, roundsBefore, situacao) => {
    let office: ErpGateway | undefined
    const panel = await openTestPanel({
      env: { ERP_LOOKUP: 'none' },
      simulator: { lookup: false, dedup: false },
      gateway: (erp) => {
        office = erp
        return erp
      },
    })
    await addUser(panel.context, { username: 'operador' })
    const { token } = await panel.login('operador')
    const writeElsewhere = async (pieces: number) => {
      const elsewhere = { branch: '010101', payload: crimpOf(pieces), integrationId: randomUUID() }
      expect(await office?.recordCutCrimp(elsewhere)).toMatchObject({ outcome: 'confirmed' })
    }
    await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    if (roundsBefore === 0) await writeElsewhere(1)
    await panel.simulator.state.setFaults([{ id: 'F05' }])
    expect((await panel.record(token, crimpOf(PIECES))).statusCode).toBe(202)
    const wait = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        panel.clock.advance(35_000)
        await panel.context.outbox.deliverDue()
      }
    }
    await wait(roundsBefore)
    await writeElsewhere(PIECES)
    await wait(30)
    const { pendencias } = (await panel.ask(token, { url: '/api/pendencias' })).json()
    expect(pendencias).toMatchObject([{ situacao, motivo: SHARED, tentativas: 1 }])
    expect(panel.errors.splice(0)).toHaveLength(1)
  },
)

test('an uncertain recording of ours is no sign of other hands', async () => {
  const panel = await openTestPanel({
    env: { ERP_LOOKUP: 'none' },
    simulator: { lookup: false, dedup: false },
  })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  await panel.simulator.state.setFaults([
    { id: 'F18', operation: 'itens' },
    { id: 'F06', variant: 'reset' },
  ])
  await panel.record(token, crimpOf(PIECES))
  panel.errors.length = 0
  await panel.simulator.state.setFaults([{ id: 'F06', variant: 'reset' }])
  const answer = await panel.record(token, crimpOf(PIECES))
  expect([answer.statusCode, answer.json().message]).toEqual([201, CONFIRMED_BY_QUANTITY_MESSAGE])
})

test.each([1, null])('an ERP without look-up that gives no row %s times when it is asked', async (count) => {
  let afterSending = async () => {}
  const panel = await openTestPanel({
    env: { ERP_LOOKUP: 'none' },
    simulator: { lookup: false, dedup: false },
    gateway: (erp) => ({
      ...erp,
      recordCutCrimp: async (write) => {
        const outcome = await erp.recordCutCrimp(write)
        await afterSending()
        return outcome
      },
    }),
  })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.simulator.state.setFaults([{ id: 'F06', variant: 'reset' }])
  // it is asked at once
  afterSending = () => panel.simulator.state.setFaults([{ id: 'F18', operation: 'itens', count }])
  expect((await panel.record(token, crimpOf(PIECES))).statusCode).toBe(202)
  for (let round = 0; round < 12; round++) {
    panel.clock.advance(65_000)
    await panel.context.outbox.deliverDue()
  }
  const { pendencias } = (await panel.ask(token, { url: '/api/pendencias' })).json()
  const gone = { situacao: 'incerto', motivo: 'O item não está mais no ERP.', tentativas: 1 }
  expect(pendencias).toMatchObject(count === null ? [gone] : [])
  expect(panel.errors.splice(0)).toHaveLength(count === null ? 1 : 0)
  expect(panel.simulator.state.writes).toHaveLength(1)
})

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import { startChores } from '../../src/server/panel.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { findItem } from '../../src/server/store/items.ts'
import { leaseDelivery, listDueIds, settleDelivery } from '../../src/server/store/outbox.ts'
import { findRecording, leaveUncertain } from '../../src/server/store/recordings.ts'
import {
  addUser,
  crimpOf,
  cutOf,
  databases,
  endlessWait,
  openTestPanel,
  type TestPanel,
  testClock,
  UNTOUCHED,
  waitUntilCalled,
} from '../support/harness.ts'
import { findUnit } from '../support/units.ts'

const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  return { ...panel, token }
}

const crimpsOf = async ({ db }: TestPanel, name = 'MA-0001') => (await findUnit(db.read, name))?.crimps ?? 0
const onWay = async ({ db }: TestPanel) => (await findItem(db.read, '010101', UNTOUCHED))?.item.aguardandoErp

describe.each(databases)('recording on %s', (database) => {
  test('a recording reaches the ERP, the counter and the percentages', async () => {
    const panel = await setUp({ database })
    const answer = await panel.record(panel.token, crimpOf(60))
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({
      message: 'Apontamento realizado com sucesso!',
      status: 'enviado',
      item: { Z1_QTREGL1: 60, Z1_PCRIML1: 50, aguardandoErp: { l1: 0 } },
    })
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 60 })
    expect(await crimpsOf(panel)).toBe(60)
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('the same id answers the same and counts once; with other content it is refused', async () => {
    const panel = await setUp({ database })
    const id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => panel.record(panel.token, crimpOf(10), id)))
    answers.push(await panel.record(panel.token, crimpOf(10), id.toUpperCase()))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201, 201])
    const other = await panel.record(panel.token, crimpOf(11), id)
    expect(other.statusCode).toBe(409)
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(await crimpsOf(panel)).toBe(10)
  })

  test('a refusal before anybody was told is undone as if it had never been', async () => {
    const panel = await setUp({ database })
    const id = randomUUID()
    const refused = await panel.record(panel.token, { ...crimpOf(10), LOTE_TERM_LD1: sampleBlockedLot }, id)
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toEqual({ message: 'Lote bloqueado', code: 'erp_refused' })
    expect(await crimpsOf(panel)).toBe(0)
    expect(await onWay(panel)).toMatchObject({ l1: 0 })
    const production = await panel.db.read.selectFrom('daily_production').selectAll().execute()
    expect(production).toMatchObject([{ pieces: 0, recordings: 0 }])
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
    const again = await panel.record(panel.token, { ...crimpOf(10), LOTE_TERM_LD1: sampleBlockedLot }, id)
    expect([again.statusCode, again.json().message]).toEqual([422, 'Lote bloqueado'])
  })

  test('with the ERP down it is saved, counted and delivered when the ERP is back', async () => {
    const panel = await setUp({ database })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    const id = randomUUID()
    const answer = await panel.record(panel.token, crimpOf(30), id)
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({
      message: 'Apontamento salvo. Será enviado ao ERP assim que ele responder.',
      status: 'pendente',
      item: { Z1_QTREGL1: 0, aguardandoErp: { l1: 30 } },
    })
    expect(await crimpsOf(panel)).toBe(30)
    await panel.simulator.state.setFaults([])
    panel.clock.advance(60_000)
    await panel.context.outbox.deliverDue()
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 30 })
    expect(await onWay(panel)).toMatchObject({ l1: 0 })
    const late = await panel.record(panel.token, crimpOf(30), id)
    expect([late.statusCode, late.json().status]).toEqual([201, 'enviado'])
    expect(await crimpsOf(panel)).toBe(30)
  })

  test('a refusal after it was called saved parks it: it stays counted, waiting for a person', async () => {
    const panel = await setUp({ database })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    const id = randomUUID()
    await panel.record(panel.token, { ...crimpOf(10), LOTE_TERM_LD1: sampleBlockedLot }, id)
    await panel.simulator.state.setFaults([])
    panel.clock.advance(60_000)
    await panel.context.outbox.deliverDue()
    expect(await findRecording(panel.db.read, id)).toMatchObject({ state: 'parked', erpMessage: 'Lote bloqueado' })
    expect(await crimpsOf(panel)).toBe(10)
    expect(await onWay(panel)).toMatchObject({ l1: 0 })
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 1 })
    const late = await panel.record(panel.token, { ...crimpOf(10), LOTE_TERM_LD1: sampleBlockedLot }, id)
    expect(late.statusCode).toBe(202)
  })

  test('when the ERP is back, what has not left yet goes at once', async () => {
    const panel = await setUp({ database })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    const id = randomUUID()
    await panel.record(panel.token, cutOf(1), id)
    for (let tries = 0; tries < 8; tries++) {
      // longer than any wait between two tries, so that each round is one
      panel.clock.advance(400_000)
      await panel.context.outbox.deliverDue()
    }
    await panel.simulator.state.setFaults([])
    // the breaker has rested; the next try is still minutes away
    panel.clock.advance(20_000)
    expect(await listDueIds(panel.db.read, panel.clock.now(), 1)).toEqual([])
    onTestFinished(startChores(panel.context))
    await expect.poll(() => panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 1 })
    await expect.poll(() => findRecording(panel.db.read, id)).toMatchObject({ state: 'delivered' })
  })

  test('a process that stood still before the bytes left lets none leave: its lease may be over', async () => {
    const clock = testClock()
    let standsStill = true
    const panel = await setUp({
      database,
      clock,
      gateway: (erp) => ({
        ...erp,
        recordCutCrimp: (write) => {
          if (standsStill) clock.advance(600_000)
          return erp.recordCutCrimp(write)
        },
      }),
    })
    expect((await panel.record(panel.token, cutOf(1))).statusCode).toBe(202)
    expect(panel.simulator.state.writes).toEqual([])
    standsStill = false
    panel.clock.advance(60_000)
    await panel.context.outbox.deliverDue()
    expect(panel.simulator.state.writes).toHaveLength(1)
  })

  test('stored by the ERP but unanswered: it is asked about at once, found, and not sent again', async () => {
    const panel = await setUp({ database })
    await panel.simulator.state.setFaults([{ id: 'F06', operation: 'apontamentos', variant: 'reset', count: 1 }])
    const answer = await panel.record(panel.token, crimpOf(30))
    expect(answer.statusCode).toBe(201)
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 30 })
    expect(await onWay(panel)).toMatchObject({ l1: 0 })
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 0 })
  })

  test.each([
    ['has none', {}],
    ['is said to have none', { ERP_LOOKUP: 'none' }],
  ])('an ERP that %s is not believed when it knows no id: the registered quantity decides', async (_, env) => {
    const simulator = { lookup: false, dedup: false }
    const panel = await setUp({ database, env, simulator })
    await panel.record(panel.token, cutOf(1))
    await panel.simulator.state.setFaults([
      { id: 'F06', operation: 'apontamentos', variant: 'reset', count: 1 },
      { id: 'F05', operation: 'apontamentos', count: 1 },
    ])
    expect((await panel.record(panel.token, crimpOf(30))).statusCode).toBe(202)
    await panel.record(panel.token, cutOf(2))
    for (let round = 0; round < 12; round++) {
      panel.clock.advance(65_000)
      await panel.context.outbox.deliverDue()
    }
    const { simulator: erp } = panel
    expect(erp.state.writes.map(({ section, pieces }) => `${section} ${pieces}`)).toHaveLength(3)
    expect(erp.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 3, Z1_QTREGL1: 30 })
    expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 0 })
  })

  test('two operators want the last piece at the same instant: one gets it, the other is told what is left', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, cutOf(110))
    const answers = await Promise.all([panel.record(panel.token, cutOf(8)), panel.record(panel.token, cutOf(8))])
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 409])
    const loser = answers.find((answer) => answer.statusCode === 409)
    expect(loser?.json()).toEqual({
      message: 'Quantidade maior que o saldo disponível. Restam 2 peças.',
      code: 'quantity_exceeds_balance',
    })
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 118 })
  })

  test('the order in which acts of one part were accepted is the order in which the ERP gets them', async () => {
    const panel = await setUp({ database })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    for (const [at, id] of ids.entries()) await panel.record(panel.token, cutOf(at + 1), id)
    await panel.simulator.state.setFaults([])
    for (let round = 0; round < 6; round++) {
      panel.clock.advance(60_000)
      await panel.context.outbox.deliverDue()
    }
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 2, 3])
  })
})

describe('recording', () => {
  test('the operator is the one of the session, whatever the tablet says', async () => {
    const panel = await setUp({})
    await panel.record(panel.token, { ...cutOf(1), OPERADOR: 'Outra Pessoa' })
    const stored = await panel.db.read.selectFrom('recordings').selectAll().execute()
    expect(stored).toMatchObject([{ operator: 'Maria Souza' }])
    expect(stored[0]?.payload_json).toContain('"OPERADOR":"Maria Souza"')
  })

  test('without an id nothing is stored', async () => {
    const panel = await setUp({})
    const url = '/api/apontamentos/corte-crimpagem'
    const answer = await panel.ask(panel.token, { method: 'POST', url, payload: crimpOf(1) })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'idempotency_key_missing' })
  })

  test('nobody waits for what this server cannot work on now', async () => {
    const panel = await setUp({ answerWait: endlessWait })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    const id = randomUUID()
    const statuses = [(await panel.record(panel.token, cutOf(1), id)).statusCode]
    // the one before it waits for its time
    statuses.push((await panel.record(panel.token, cutOf(2))).statusCode)
    const lease = { owner: 'outro servidor', now: panel.clock.now(), leaseUntil: panel.clock.now() + 60_000 }
    await panel.db.transaction((tx) => leaseDelivery(tx, id, lease))
    for (const again of [id, randomUUID()]) statuses.push((await panel.record(panel.token, cutOf(1), again)).statusCode)
    expect(statuses).toEqual([202, 202, 202, 202])
  })

  test.each(['a look-up', 'a person'])(
    'stored, unanswered and read again before %s confirms it: its pieces are there once',
    async (who) => {
      const env: Record<string, string> = who === 'a person' ? { ERP_LOOKUP: 'none' } : {}
      const panel = await setUp({ env })
      await addUser(panel.context, { username: 'admin', role: 'admin' })
      await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
      // what is asked at once is not found out yet
      const unasked: Fault = who === 'a person' ? { id: 'F28' } : { id: 'F11', operation: 'integracoes' }
      await panel.simulator.state.setFaults([
        { id: 'F06', operation: 'apontamentos', variant: 'reset' },
        { ...unasked, count: null },
      ])
      const id = randomUUID()
      expect((await panel.record(panel.token, crimpOf(30), id)).statusCode).toBe(202)
      await panel.simulator.state.setFaults([])
      await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
      expect((await findItem(panel.db.read, '010101', UNTOUCHED))?.item).toMatchObject({ Z1_QTREGL1: 30 })
      if (who === 'a look-up') {
        panel.clock.advance(2000)
        await panel.context.outbox.deliverDue()
      } else {
        await panel.db.transaction(async (tx) => {
          await settleDelivery(tx, id, { state: 'manual', message: 'não se sabe', at: panel.clock.now() })
          await leaveUncertain(tx, id, 'não se sabe', panel.clock.now())
        })
        const admin = (await panel.login('admin')).token
        await panel.ask(admin, { method: 'POST', url: `/api/pendencias/${id}/entregue`, payload: {} })
      }
      const copy = await findItem(panel.db.read, '010101', UNTOUCHED)
      expect(copy?.item).toMatchObject({ Z1_QTREGL1: 30, aguardandoErp: { l1: 0 } })
      expect((await panel.record(panel.token, crimpOf(90))).statusCode).toBe(201)
    },
  )

  test('a copy with too few pieces left is read again before it refuses; a silent ERP is not waited for', async () => {
    let answerWait = endlessWait
    const panel = await setUp({ answerWait: () => answerWait() })
    await panel.record(panel.token, crimpOf(120))
    await panel.simulator.state.setFaults([{ id: 'F01', operation: 'itens', ms: 60_000 }])
    panel.clock.advance(60_000)
    answerWait = () => waitUntilCalled(panel.simulator)
    expect((await panel.record(panel.token, crimpOf(1))).statusCode).toBe(409)
    answerWait = endlessWait
    // somebody at the ERP takes back what was recorded
    panel.simulator.state.reset()
    panel.clock.advance(60_000)
    expect((await panel.record(panel.token, crimpOf(1))).statusCode).toBe(201)
  })

  test('not stored and unanswered: it is sent again only when it surely was not executed', async () => {
    const panel = await setUp({})
    await panel.record(panel.token, cutOf(1))
    await panel.simulator.state.setFaults([{ id: 'F05', operation: 'apontamentos', count: 1 }])
    expect((await panel.record(panel.token, crimpOf(30))).statusCode).toBe(202)
    for (const waitMs of [2000, 10_000, 30_000]) {
      panel.clock.advance(waitMs)
      await panel.context.outbox.deliverDue()
      expect(panel.simulator.state.writes).toHaveLength(1)
    }
    panel.clock.advance(120_000)
    await panel.context.outbox.deliverDue()
    await panel.context.outbox.deliverDue()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 30])
  })

  test('sent again and again and never stored: after five sendings a person is asked', async () => {
    const panel = await setUp({})
    await panel.record(panel.token, cutOf(1))
    await panel.simulator.state.setFaults([{ id: 'F05', operation: 'apontamentos', count: null }])
    expect((await panel.record(panel.token, crimpOf(30))).statusCode).toBe(202)
    for (let round = 0; round < 30; round++) {
      panel.clock.advance(200_000)
      await panel.context.outbox.deliverDue()
    }
    const sent = panel.simulator.state.log.filter(({ operation }) => operation === 'apontamentos')
    expect(sent).toHaveLength(1 + 5)
    const { pendencias } = (await panel.ask(panel.token, { url: '/api/pendencias' })).json()
    expect(pendencias).toMatchObject([
      { situacao: 'incerto', motivo: 'Enviado 5 vezes, e o ERP não o registrou.', tentativas: 5 },
    ])
    expect(panel.errors.splice(0)).toHaveLength(1)
  })

  test.each([
    ['id', {}],
    ['none', { ERP_LOOKUP: 'none' }],
  ])('while the ERP is away the next try waits longer each time, asked by %s; it was never sent', async (_, env) => {
    const panel = await setUp({ env })
    await panel.ask(panel.token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
    await panel.simulator.state.setFaults([{ id: 'F31', variant: 'refused' }])
    await panel.record(panel.token, crimpOf(30))
    const dueInMs = async () => {
      const { due_at } = await panel.db.read.selectFrom('erp_outbox').select('due_at').executeTakeFirstOrThrow()
      return due_at - panel.clock.now()
    }
    const waitsMs: number[] = []
    for (let round = 0; round < 6; round++) {
      waitsMs.push(await dueInMs())
      panel.clock.advance(400_000)
      await panel.context.outbox.deliverDue()
    }
    expect(waitsMs.at(-1)).toBeGreaterThan(8 * (waitsMs[0] ?? 0))
    const { pendencias } = (await panel.ask(panel.token, { url: '/api/pendencias' })).json()
    expect(pendencias).toMatchObject([{ situacao: 'aguardando', tentativas: 0 }])
  })

  test('the rules hold whatever the tablet sends', async () => {
    const panel = await setUp({})
    const codeOf = async (payload: Parameters<typeof panel.record>[1]) => {
      const answer = await panel.record(panel.token, payload)
      return [answer.statusCode, answer.json().code]
    }
    expect(await codeOf(cutOf(121))).toEqual([409, 'quantity_exceeds_balance'])
    expect(await codeOf({ ...cutOf(1), EMPRESA: '999999' })).toEqual([400, 'unknown_plant'])
    expect(await codeOf({ ...cutOf(1), COD_BARRA: 'X'.repeat(22) })).toEqual([404, 'item_not_found'])
    await panel.record(panel.token, cutOf(120))
    expect(await codeOf(cutOf(1))).toEqual([409, 'section_complete'])
    const side2OfHalfCut = { ...crimpOf(1), COD_BARRA: '010162140100100002000S' }
    const {
      TERM_LD1,
      FORCA_LD1,
      ALTURA_LD1,
      LOTE_TERM_LD1,
      MA_LD1,
      SELO_LD1: _,
      SELADORA_LD1: __,
      ...rest
    } = side2OfHalfCut
    const onSide2 = {
      ...rest,
      TERM_LD2: TERM_LD1,
      FORCA_LD2: FORCA_LD1,
      ALTURA_LD2: ALTURA_LD1,
      LOTE_TERM_LD2: LOTE_TERM_LD1,
      MA_LD2: MA_LD1,
    }
    expect(await codeOf(onSide2)).toEqual([409, 'terminal_missing_on_side'])
  })

  test.each(['Sem Cadastro', ' '])('a tool that is not registered counts nowhere: %j', async (tool) => {
    const panel = await setUp({})
    expect((await panel.record(panel.token, crimpOf(5, tool))).statusCode).toBe(201)
    expect(await panel.db.read.selectFrom('applicator_units').selectAll().execute()).toEqual([])
    expect(await panel.db.read.selectFrom('crimp_ledger').selectAll().execute()).toEqual([])
  })
})

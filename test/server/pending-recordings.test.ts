import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PendingRecording } from '../../src/contract/pending-recordings.ts'
import { readMilli } from '../../src/domain/quality/control-plans.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { findItem } from '../../src/server/store/items.ts'
import { crimpOf, cutOf, databases, UNTOUCHED } from '../support/harness.ts'
import { findUnit } from '../support/units.ts'
import { blocked, savedOnTablet, setUp } from '../support/waiting.ts'

describe.each(databases)('what waits on %s', (database) => {
  test('the status says since when, and which life of the database this is', async () => {
    const panel = await setUp({ database })
    const { epoch, waitingSince } = await panel.status()
    expect([typeof epoch, waitingSince]).toEqual(['string', null])
    await panel.erpIs('down')
    await panel.record(panel.token, cutOf(1))
    panel.clock.advance(60_000)
    await panel.record(panel.token, cutOf(1))
    expect(await panel.status()).toMatchObject({
      epoch,
      waitingSince: '2026-11-21T15:00:00.000Z',
      pending: 2,
      needPerson: 0,
    })
    await panel.db.transaction((tx) =>
      tx.updateTable('settings').set({ value: randomUUID() }).where('name', '=', 'epoch').execute(),
    )
    expect((await panel.status()).epoch).not.toBe(epoch)
  })
})

describe.each(databases)('Pendências on %s', (database) => {
  test('lists what needs a person, then what waits however long, and says who may do what', async () => {
    const panel = await setUp({ database })
    await panel.erpIs('down')
    const ids = [randomUUID(), randomUUID()]
    await panel.record(panel.token, cutOf(1), ids[0])
    panel.clock.advance(1000)
    await panel.record(panel.token, savedOnTablet(cutOf(200)), ids[1])
    const may = (listed: PendingRecording[]) => listed.map((one) => [one.podeCorrigir, one.podeDecidir])
    const listed = await panel.list()
    expect(listed.map((one) => [one.id, one.situacao])).toEqual([
      [ids[1], 'recusado'],
      [ids[0], 'aguardando'],
    ])
    expect(listed[1]).toMatchObject({
      desde: '2026-11-21T15:00:00.000Z',
      apontamento: { QTD_REALIZADA: 1, OPERADOR: 'Maria Souza' },
      item: { Z1_CODBAR: UNTOUCHED, aguardandoErp: { cabo: 1 } },
    })
    expect(may(listed)).toEqual([
      [true, false],
      [false, false],
    ])
    expect(may(await panel.list(panel.other))[0]).toEqual([false, false])
    expect(may(await panel.list(panel.admin))[0]).toEqual([true, true])
    const total = (await panel.ask(panel.token, { url: '/api/pendencias' })).json().total
    expect(total).toBe(2)
  })

  test('a correction takes the place of what it corrects, in the same cycle, on the same day, in one commit', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    await panel.db.transaction((tx) => tx.updateTable('applicator_units').set({ cycle: 2, crimps: 0 }).execute())
    panel.clock.advance(86_400_000)
    const login = await panel.login('operador')
    const newId = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => panel.decide(login.token, id, 'correcao', crimpOf(7), newId)))
    answers.push(await panel.decide(login.token, id.toUpperCase(), 'correcao', crimpOf(7), newId))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201, 201])
    expect([await panel.stateOf(id), await panel.stateOf(newId)]).toEqual(['superseded', 'delivered'])
    // the cycle that was closed gets the difference, the open one nothing
    expect(await findUnit(panel.db.read, 'MA-0001')).toMatchObject({ cycle: 2, crimps: 0, lifetimeCrimps: 7 })
    const lines = await panel.db.read.selectFrom('crimp_ledger').select(['cycle', 'crimps']).orderBy('id').execute()
    expect(lines).toEqual([10, -10, 7].map((crimps) => ({ cycle: 1, crimps })))
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
    const days = await panel.db.read.selectFrom('daily_production').select(['production_day', 'pieces']).execute()
    expect(days).toEqual([{ production_day: '2026-11-21', pieces: 7 }])
    const gauge_milli = readMilli(String(panel.simulator.state.row(UNTOUCHED)?.Z1_BITOLA))
    const gauges = await panel.db.read.selectFrom('recordings').select('gauge_milli').execute()
    expect([gauge_milli, gauges]).toEqual([expect.any(Number), [{ gauge_milli }, { gauge_milli }]])
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 7 })
    expect(await panel.list(login.token)).toEqual([])
    const trail = await panel.audit()
    expect(trail).toMatchObject([{ user_name: 'operador', action: 'corrected', subject_id: id, reason: null }])
    expect(JSON.parse(trail[0]?.details_json ?? '')).toEqual({
      was: 'parked',
      because: 'Lote bloqueado',
      correctedBy: newId,
    })
    const late = await panel.record(login.token, savedOnTablet(blocked(crimpOf(10))), id)
    expect([late.statusCode, late.json().message]).toEqual([
      202,
      'Apontamento recebido e depois corrigido em Pendências.',
    ])
  })

  test('a correction with another tool moves the crimps to that tool', async () => {
    const panel = await setUp({ database })
    const id = await panel.leaveToPerson(crimpOf(10))
    expect(await panel.onWay()).toMatchObject({ l1: 10 })
    expect((await panel.decide(panel.token, id, 'correcao', crimpOf(12, 'MA-0002'))).statusCode).toBe(201)
    expect([await panel.crimps(), await panel.crimps('MA-0002'), await panel.production()]).toEqual([0, 12, 12])
    expect(await panel.onWay()).toMatchObject({ l1: 0 })
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('of two decisions at the same instant one is carried out, the other is told', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(crimpOf(200))
    const answers = await Promise.all([
      panel.decide(panel.token, id, 'correcao', crimpOf(5)),
      panel.decide(panel.admin, id, 'correcao', crimpOf(6)),
      panel.decide(panel.admin, id, 'descarte', { motivo: 'em dobro' }),
      panel.decide(panel.admin, id, 'entregue', {}),
    ])
    const losers = answers.filter((answer) => answer.statusCode >= 400)
    expect(losers.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
      [1, 2, 3].map(() => [409, 'pending_settled']),
    )
    expect(await panel.audit()).toHaveLength(1)
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('a decision whose commit got no answer is decided anew, and is not refused for itself', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(crimpOf(200))
    const { transaction } = panel.db
    panel.db.transaction = async (work) => {
      await transaction(work)
      return await transaction(work)
    }
    expect((await panel.decide(panel.admin, id, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(200)
    panel.db.transaction = transaction
    panel.clock.advance(1)
    expect((await panel.decide(panel.admin, id, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(409)
    expect(await panel.audit()).toHaveLength(1)
  })

  test('an admin marks as delivered what the ERP has', async () => {
    const panel = await setUp({ database })
    const ids = [await panel.leaveToPerson(crimpOf(10)), await panel.park(blocked(crimpOf(5)))]
    for (const id of ids) {
      expect((await panel.decide(panel.token, id, 'entregue', {})).statusCode).toBe(403)
      const answer = await panel.decide(panel.admin, id, 'entregue', { motivo: 'conferido' })
      expect([answer.statusCode, await panel.stateOf(id)]).toEqual([200, 'delivered'])
    }
    expect([await panel.crimps(), await panel.production()]).toEqual([15, 15])
    const copy = await findItem(panel.db.read, '010101', UNTOUCHED)
    expect(copy?.item).toMatchObject({ Z1_QTREGL1: 10, aguardandoErp: { l1: 0 } })
    const again = await panel.record(panel.token, blocked(crimpOf(5)), ids[1])
    expect([again.statusCode, again.json().message]).toEqual([201, 'Apontamento realizado com sucesso!'])
    const trail = await panel.audit()
    expect(trail.map((one) => [one.action, one.reason, one.user_name])).toEqual(
      ids.map(() => ['marked_delivered', 'conferido', 'admin']),
    )
  })

  test('an admin discards with a reason: the pieces leave the counter and the way', async () => {
    const panel = await setUp({ database })
    const ids = [await panel.leaveToPerson(crimpOf(10)), await panel.park(blocked(crimpOf(5)))]
    for (const id of ids) {
      expect((await panel.decide(panel.token, id, 'descarte', { motivo: 'em dobro' })).statusCode).toBe(403)
      expect((await panel.decide(panel.admin, id, 'descarte', {})).statusCode).toBe(400)
      const answer = await panel.decide(panel.admin, id, 'descarte', { motivo: 'em dobro' })
      expect([answer.statusCode, await panel.stateOf(id)]).toEqual([200, 'discarded'])
    }
    expect([await panel.crimps(), await panel.production()]).toEqual([0, 0])
    expect(await panel.onWay()).toMatchObject({ l1: 0 })
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
    expect((await panel.audit()).map((one) => [one.action, one.reason])).toEqual(
      ids.map(() => ['discarded', 'em dobro']),
    )
    const late = await panel.record(panel.token, savedOnTablet(blocked(crimpOf(5))), ids[1])
    expect(late.json().message).toBe('Apontamento recebido e depois descartado em Pendências.')
    expect(await panel.crimps()).toBe(0)
  })
})

describe('Pendências', () => {
  test('a correction keeps the rules, and one that breaks them changes nothing', async () => {
    const panel = await setUp({})
    const id = await panel.park(crimpOf(200))
    const tooMany = await panel.decide(panel.token, id, 'correcao', savedOnTablet(crimpOf(121)))
    expect([tooMany.statusCode, tooMany.json().code]).toEqual([409, 'quantity_exceeds_balance'])
    const key = randomUUID()
    await panel.record(panel.token, cutOf(1), key)
    const reused = await panel.decide(panel.token, id, 'correcao', cutOf(1), key)
    expect([reused.statusCode, reused.json().code]).toEqual([409, 'idempotency_key_reused'])
    expect(await panel.stateOf(id)).toBe('parked')
    expect(await panel.crimps()).toBe(0)
    expect(await panel.audit()).toEqual([])
    const other = await panel.decide(panel.other, id, 'correcao', crimpOf(1))
    expect([other.statusCode, other.json().code]).toEqual([403, 'not_allowed'])
    expect((await panel.decide(panel.token, randomUUID(), 'correcao', crimpOf(1))).statusCode).toBe(404)
    const elsewhere = { ...crimpOf(1), EMPRESA: '990101' }
    const requests = panel.simulator.state.log.length
    expect((await panel.decide(panel.token, id, 'correcao', elsewhere)).json().code).toBe('unknown_plant')
    expect(panel.simulator.state.log, 'the ERP hears nothing of it').toHaveLength(requests)
  })

  test('a correction that the ERP refuses too waits for a person again', async () => {
    const panel = await setUp({})
    const id = await panel.park(crimpOf(200))
    const newId = randomUUID()
    expect((await panel.decide(panel.token, id, 'correcao', blocked(crimpOf(9)), newId)).statusCode).toBe(202)
    expect(await panel.list()).toMatchObject([{ id: newId, situacao: 'recusado', motivo: 'Lote bloqueado' }])
    expect(await panel.crimps()).toBe(9)
  })

  test('what is on its way or done is no matter for a person', async () => {
    const panel = await setUp({})
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    await panel.record(panel.token, crimpOf(1), ids[0])
    const refused = await panel.record(panel.token, blocked(crimpOf(1)), ids[2])
    await panel.erpIs('down')
    await panel.record(panel.token, crimpOf(1), ids[1])
    const codes = []
    for (const id of ids) codes.push((await panel.decide(panel.admin, id, 'descarte', { motivo: 'x' })).json().code)
    expect([refused.statusCode, ...codes]).toEqual([422, 'pending_settled', 'pending_under_way', 'not_found'])
    expect(await panel.crimps()).toBe(2)
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { findItem } from '../../src/server/store/items.ts'
import { crimpOf, cutOf, databases, endlessWait, parked, UNTOUCHED } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'
import { blocked, savedOnTablet, setUp } from '../support/waiting.ts'

/** No write leaves before `release`. */
function gatedWrites() {
  const gate = Promise.withResolvers<void>()
  const gateway = (erp: ErpGateway): ErpGateway => ({
    ...erp,
    async recordCutCrimp(write) {
      await gate.promise
      return await erp.recordCutCrimp(write)
    },
  })
  return { gateway, release: gate.resolve }
}

describe.each(databases)('what a tablet had called saved on %s', (database) => {
  test('is parked where it breaks a rule: listed with the reason, never sent back', async () => {
    const panel = await setUp({ database })
    const { TERM_LD1: _, ...rest } = crimpOf(3)
    const broken: [CutCrimpRecording, reason: string][] = [
      [crimpOf(121), 'Quantidade maior que o saldo disponível. Restam 120 peças.'],
      [parked(crimpOf(2)), 'Código de barras não encontrado'],
      [{ ...crimpOf(3), EMPRESA: '999999' }, 'Filial desconhecida.'],
    ]
    for (const [payload, reason] of broken) {
      const id = randomUUID()
      for (const _again of ['first', 'repeated']) {
        const answer = await panel.record(panel.token, savedOnTablet(payload), id)
        expect([answer.statusCode, answer.json().status]).toEqual([202, 'pendente'])
        expect(answer.json().message).toBe('Apontamento recebido. Precisa de correção: veja Pendências.')
      }
      const listed = (await panel.list()).find((one) => one.id === id)
      expect(listed).toMatchObject({ situacao: 'recusado', motivo: reason, operador: 'Maria Souza', tentativas: 0 })
      const atAdmin = (await panel.list(panel.admin)).find((one) => one.id === id)
      expect([listed?.propria, atAdmin?.propria], 'whose it is').toEqual([true, false])
    }
    expect([await panel.crimps(), await panel.production()], 'all but what exceeds the whole order').toEqual([5, 5])
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })
    expect(panel.simulator.state.writes).toEqual([])
    expect(await panel.status()).toMatchObject({ pending: 3, needPerson: 3, waitingSince: null })
    expect((await panel.record(panel.token, savedOnTablet(rest))).statusCode).toBe(400)
  })

  test('more pieces than its whole order has count nowhere until an admin takes them, then once', async () => {
    const panel = await setUp({ database })
    const NEW_TOOL = 'MA-Nova 7'
    const traced = async (): Promise<number> => {
      const { linhas } = (await panel.ask(panel.token, { url: `/api/rastreabilidade?termo=${UNTOUCHED}` })).json()
      return linhas.reduce((sum: number, line: { pecas: number }) => sum + line.pecas, 0)
    }
    const counts = async () => [await panel.crimps(NEW_TOOL), await panel.production(), await traced()]
    const resend = (id: string) =>
      panel.ask(panel.admin, { method: 'POST', url: '/api/pendencias/reenvio', payload: { ids: [id] } })
    const queued = [
      { salvoNoDispositivo: true },
      { salvoNoDispositivo: true, tentadoAntes: { epoca: 'antes' } },
      { salvoNoDispositivo: true, respondidoAntes: true },
      { salvoNoDispositivo: true },
    ]
    const ids: string[] = []
    for (const captura of queued) {
      const id = randomUUID()
      ids.push(id)
      for (const _again of ['first', 'repeated']) {
        expect((await panel.record(panel.token, { ...crimpOf(700, NEW_TOOL), captura }, id)).statusCode).toBe(202)
      }
      expect(await panel.stateOf(id)).toBe('parked')
    }
    expect(await counts()).toEqual([0, 0, 0])
    const [delivered, tried, answered, discarded] = ids as [string, string, string, string]
    expect((await panel.decide(panel.admin, discarded, 'descarte', { motivo: 'dedo' })).statusCode).toBe(200)
    expect((await panel.decide(panel.token, tried, 'correcao', crimpOf(7, NEW_TOOL))).statusCode).toBe(201)
    expect(await counts()).toEqual([7, 7, 7])
    expect((await panel.decide(panel.admin, delivered, 'entregue', {})).statusCode).toBe(200)
    expect(await counts()).toEqual([707, 707, 707])
    await panel.simulator.state.setFaults([{ id: 'F20', operation: 'apontamentos', message: 'Não cabe', count: null }])
    for (const _again of ['first', 'second']) {
      expect((await resend(answered)).json()).toMatchObject({ reenviados: 1 })
      expect(await counts()).toEqual([1407, 1407, 1407])
      await panel.deliverAll()
      await panel.deliverAll()
      expect(await panel.list()).toMatchObject([{ id: answered, situacao: 'recusado', motivo: 'Não cabe' }])
      expect(await counts(), 'taken is counted, whatever the ERP says').toEqual([1407, 1407, 1407])
    }
    expect((await panel.decide(panel.admin, answered, 'descarte', { motivo: 'dedo' })).statusCode).toBe(200)
    expect(await counts()).toEqual([707, 707, 707])
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
    const lines = await panel.db.read
      .selectFrom('crimp_ledger')
      .select(['recording_id', 'reason'])
      .orderBy('id')
      .execute()
    expect(lines.map(({ reason }) => reason)).toEqual(['recorded', 'recorded', 'recorded', 'discarded'])
  })

  test('pieces that exceed the order only with others count while they wait', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, crimpOf(100))
    expect((await panel.record(panel.token, savedOnTablet(crimpOf(120)))).statusCode).toBe(202)
    expect([await panel.crimps(), await panel.production()]).toEqual([220, 220])
  })

  test('of two tablets that want the last pieces at once both are taken, and one is parked', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, cutOf(110))
    const answers = await Promise.all([8, 8].map((n) => panel.record(panel.token, savedOnTablet(cutOf(n)))))
    expect(answers.map((answer) => answer.statusCode)).toEqual([202, 202])
    await panel.deliverDue()
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGCO: 118 })
    expect((await panel.list()).map((one) => one.motivo)).toEqual([
      'Quantidade maior que o saldo disponível. Restam 2 peças.',
    ])
  })

  test('is parked, not undone, by the ERP that refuses it', async () => {
    const panel = await setUp({ database })
    const answer = await panel.record(panel.token, savedOnTablet(blocked(crimpOf(4))))
    expect(answer.statusCode).toBe(202)
    await panel.deliverDue()
    expect(await panel.list()).toMatchObject([{ situacao: 'recusado', motivo: 'Lote bloqueado', tentativas: 1 }])
    expect(await panel.crimps()).toBe(4)
  })

  test('is parked by a refusal that comes while it is repeated', async () => {
    const { gateway, release } = gatedWrites()
    const panel = await setUp({ database, gateway })
    const id = randomUUID()
    const payload = blocked(crimpOf(4))
    const first = panel.record(panel.token, payload, id)
    await vi.waitUntil(async () => (await panel.stateOf(id)) === 'waiting', SOON)
    expect((await panel.record(panel.token, savedOnTablet(payload), id)).statusCode).toBe(202)
    release()
    await first
    // on a loaded machine the call is answered before the ERP's refusal is stored
    await vi.waitUntil(async () => (await panel.stateOf(id)) !== 'waiting', SOON)
    expect([await panel.stateOf(id), await panel.crimps()]).toEqual(['parked', 4])
  })

  test('is parked by a refusal that comes between what is stored and the answer', async () => {
    const { gateway, release } = gatedWrites()
    const panel = await setUp({ database, gateway })
    const id = randomUUID()
    const payload = blocked(crimpOf(4))
    const first = panel.record(panel.token, payload, id)
    await vi.waitUntil(async () => (await panel.stateOf(id)) === 'waiting', SOON)
    const { transaction } = panel.db
    const holds = vi.spyOn(panel.db, 'transaction').mockImplementationOnce(async (work) => {
      const answer = await transaction(work)
      release()
      await vi.waitUntil(async () => (await panel.stateOf(id)) !== 'waiting', SOON)
      return answer
    })
    expect((await panel.record(panel.token, savedOnTablet(payload), id)).statusCode).toBe(202)
    release()
    await first
    holds.mockRestore()
    await vi.waitUntil(async () => (await panel.stateOf(id)) !== 'waiting', SOON)
    expect([await panel.stateOf(id), await panel.crimps()]).toEqual(['parked', 4])
  })

  test('counts again when its refusal never reached the tablet', async () => {
    const panel = await setUp({ database })
    const id = randomUUID()
    const payload = blocked(crimpOf(4))
    expect((await panel.record(panel.token, payload, id)).statusCode).toBe(422)
    expect([await panel.crimps(), await panel.production()]).toEqual([0, 0])
    const answers = await Promise.all([1, 2].map(() => panel.record(panel.token, savedOnTablet(payload), id)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([202, 202])
    expect([await panel.crimps(), await panel.production()]).toEqual([4, 4])
    expect(await panel.list()).toMatchObject([{ id, situacao: 'recusado', motivo: 'Lote bloqueado' }])
    expect((await panel.decide(panel.admin, id, 'descarte', { motivo: 'refeito' })).statusCode).toBe(200)
    expect([await panel.crimps(), await panel.production()]).toEqual([0, 0])
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })
})

describe('what a tablet had called saved', () => {
  test('keeps the day on which it was done, though the tablet was 20 days behind when it was pressed', async () => {
    const panel = await setUp({})
    const id = randomUUID()
    const doneAt = panel.clock.now() - 3_600_000
    const desvioMs = 20 * 86_400_000
    const by = (shiftMs: number) => ({
      ...cutOf(2),
      captura: {
        salvoNoDispositivo: true,
        registradoEm: new Date(doneAt - desvioMs).toISOString(),
        desvioMs: shiftMs,
      },
    })
    expect((await panel.record(panel.token, by(desvioMs), id)).statusCode).toBe(202)
    expect((await panel.record(panel.token, by(desvioMs + 900), id)).statusCode, 'the same act').toBe(202)
    const row = await panel.db.read.selectFrom('recordings').selectAll().executeTakeFirstOrThrow()
    expect([row.recorded_at, row.production_day]).toEqual([doneAt, '2026-11-21'])
    await panel.deliverDue()
    const trace = await panel.ask(panel.token, { url: `/api/rastreabilidade?termo=${UNTOUCHED}` })
    expect(trace.json().linhas).toMatchObject([{ relogioMinutos: 28_800 }])
  })

  test('stays with the tablet while neither the ERP nor a copy knows the item', async () => {
    const panel = await setUp({})
    await panel.erpIs('down')
    const id = randomUUID()
    expect((await panel.record(panel.token, parked(crimpOf(2)), id)).statusCode).toBe(503)
    expect(await panel.stateOf(id)).toBeUndefined()
  })

  test('is answered without waiting for the ERP, and leaves at once', async () => {
    const panel = await setUp({ answerWait: endlessWait, simulator: { silenceMs: Number.POSITIVE_INFINITY } })
    panel.context.outbox.start()
    await panel.simulator.state.setFaults([{ id: 'F05' }])
    expect((await panel.record(panel.token, savedOnTablet(crimpOf(4)))).statusCode).toBe(202)
    await vi.waitUntil(() => panel.simulator.state.log.at(-1)?.outcome === 'silence', SOON)
    await panel.context.erp.close()
  })

  test('stays with the tablet when the ERP refuses to give its item: that is no word about the recording', async () => {
    const panel = await setUp({})
    await panel.simulator.state.setFaults([{ id: 'F09', operation: 'itens' }])
    const id = randomUUID()
    const answer = await panel.record(panel.token, parked(crimpOf(2)), id)
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'erp_unavailable'])
    expect(await panel.stateOf(id)).toBeUndefined()
  })
})

const answeredBefore = (payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  captura: { salvoNoDispositivo: true, respondidoAntes: true },
})

/** As a restored backup does: this server no longer knows what the ERP has. */
const forget = async ({ db }: { db: Awaited<ReturnType<typeof setUp>>['db'] }, id: string) =>
  await db.transaction(async (tx) => {
    await tx.deleteFrom('recordings').where('id', '=', id).execute()
    await tx.deleteFrom('erp_outbox').where('id', '=', id).execute()
    await tx.deleteFrom('crimp_ledger').where('recording_id', '=', id).execute()
    await tx.deleteFrom('daily_production').execute()
    await tx.updateTable('applicator_units').set({ crimps: 0, lifetime_crimps: 0 }).execute()
  })

describe.each(databases)('what an earlier life of the database had answered, on %s', (database) => {
  test('and the ERP has is found there, not sent again', async () => {
    const panel = await setUp({ database, simulator: { dedup: false } })
    const id = randomUUID()
    await panel.record(panel.token, crimpOf(120), id)
    await forget(panel, id)
    expect((await panel.record(panel.token, answeredBefore(crimpOf(120)), id)).statusCode).toBe(202)
    await panel.deliverDue()
    const answer = await panel.record(panel.token, answeredBefore(crimpOf(120)), id)
    expect(answer.statusCode).toBe(201)
    expect(answer.json().item).toMatchObject({ Z1_QTREGL1: 120, Z1_PCRIML1: 100, aguardandoErp: { l1: 0 } })
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(await panel.crimps()).toBe(120)
  })

  test('and the ERP has not is sent', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, cutOf(1))
    const id = randomUUID()
    await panel.record(panel.token, answeredBefore(crimpOf(30)), id)
    await panel.deliverAll()
    await panel.deliverAll()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 30])
    const copy = await findItem(panel.db.read, '010101', UNTOUCHED)
    expect(copy?.item).toMatchObject({ Z1_QTREGL1: 30, aguardandoErp: { l1: 0 } })
  })

  test('waits for a person where the ERP cannot be asked', async () => {
    const panel = await setUp({ database, env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false, dedup: false } })
    const id = randomUUID()
    expect((await panel.record(panel.token, answeredBefore(crimpOf(30)), id)).statusCode).toBe(202)
    await panel.deliverDue()
    expect(panel.errors.splice(0)).toHaveLength(1)
    expect(await panel.list()).toMatchObject([{ id, situacao: 'incerto', tentativas: 0 }])
    expect(panel.simulator.state.writes).toEqual([])
    expect(await panel.onWay()).toMatchObject({ l1: 30 })
  })
})

const triedBefore = (payload: CutCrimpRecording, epoca: string): CutCrimpRecording => ({
  ...payload,
  captura: { salvoNoDispositivo: true, tentadoAntes: { epoca } },
})

describe.each(databases)('what an earlier life of the database was sent, without an answer, on %s', (database) => {
  test('and the ERP has is found there, whatever the balance says, and not sent again', async () => {
    const panel = await setUp({ database, simulator: { dedup: false } })
    const id = randomUUID()
    await panel.record(panel.token, crimpOf(120), id)
    await forget(panel, id)
    expect((await panel.record(panel.token, triedBefore(crimpOf(120), 'antes'), id)).statusCode).toBe(202)
    await panel.deliverAll()
    expect([await panel.stateOf(id), await panel.crimps()]).toEqual(['delivered', 120])
    expect(panel.simulator.state.writes).toHaveLength(1)
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })
  })

  test('and the ERP has not keeps to the rules, and is sent once', async () => {
    const panel = await setUp({ database, simulator: { dedup: false } })
    await panel.record(panel.token, cutOf(1))
    const [tooMany, id] = [randomUUID(), randomUUID()]
    expect((await panel.record(panel.token, triedBefore(crimpOf(121), 'antes'), tooMany)).statusCode).toBe(202)
    expect(await panel.list()).toMatchObject([
      {
        id: tooMany,
        situacao: 'recusado',
        motivo: 'O ERP pode já ter este apontamento. Quantidade maior que o saldo disponível. Restam 120 peças.',
      },
    ])
    expect((await panel.record(panel.token, triedBefore(crimpOf(30), 'antes'), id)).statusCode).toBe(202)
    await panel.deliverDue()
    expect(panel.simulator.state.writes, 'the write of that life may still arrive').toHaveLength(1)
    await panel.deliverAll()
    await panel.deliverAll()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 30])
    expect(await panel.crimps()).toBe(30)
    await panel.decide(panel.admin, tooMany, 'descarte', { motivo: 'refeito' })
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('by this very database is sent as ever, and where the ERP cannot be asked a person decides', async () => {
    const panel = await setUp({ database, env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false, dedup: false } })
    const { epoch } = (await panel.app.inject('/api/status')).json()
    await panel.record(panel.token, triedBefore(crimpOf(3), epoch))
    await panel.deliverDue()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([3])
    await panel.record(panel.token, triedBefore(crimpOf(4), 'antes'))
    await panel.deliverDue()
    expect(await panel.list()).toMatchObject([{ situacao: 'incerto', tentativas: 0 }])
    expect(panel.simulator.state.writes).toHaveLength(1)
    panel.errors.splice(0)
  })
})

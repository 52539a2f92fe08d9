import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { crimpOf, cutOf, databases, HALF_CUT } from '../support/harness.ts'
import { largeOrders, recordingOf, searchPath, sectionsOf } from '../support/promises/workload.ts'
import { blocked, savedOnTablet, setUp } from '../support/waiting.ts'

type Panel = Awaited<ReturnType<typeof setUp>>

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LOCKED = 'registro bloqueado por outro usuário'
/** An error of the program's, in words, and nothing is stored. */
const locked = { id: 'F21', operation: 'apontamentos', ms: 1, count: null } as const

const resend = (panel: Panel, ids: string[], who = panel.admin) =>
  panel.ask(who, { method: 'POST', url: '/api/pendencias/reenvio', payload: { ids } })

/** One cut of each of so many orders. */
async function cutsOf(panel: Panel, count: number): Promise<CutCrimpRecording[]> {
  const cuts: CutCrimpRecording[] = []
  for (const order of largeOrders.slice(0, count)) {
    const { items } = (await panel.ask(panel.token, { url: searchPath(order) })).json<{ items: CutItem[] }>()
    const [section] = sectionsOf(items)
    if (!section) throw new Error(`order ${order} has nothing open`)
    cuts.push(recordingOf(section, 1))
  }
  return cuts
}

/** Each attempt that is due, and the time until the next look, over and over. */
async function letPass(panel: Panel, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    panel.clock.advance(stepMs)
    await panel.context.outbox.deliverDue()
  }
}

const sentCount = ({ simulator }: Panel) =>
  simulator.state.log.filter(({ operation }) => operation === 'apontamentos').length

describe.each(databases)('what waits behind the ERP on %s', (database) => {
  test('the same words to three orders pause the sending; one confirmation lets everything go', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, cutOf(1))
    const cuts = await cutsOf(panel, 8)
    await panel.erpIs('down')
    for (const cut of cuts) expect((await panel.record(panel.token, savedOnTablet(cut))).statusCode).toBe(202)
    await panel.simulator.state.setFaults([locked])
    const before = sentCount(panel)
    panel.clock.advance(10 * MINUTE_MS)
    for (let round = 0; round < 5; round++) await panel.context.outbox.deliverDue()
    const first = sentCount(panel) - before
    expect(first).toBeGreaterThanOrEqual(3)
    expect(first).toBeLessThan(8)
    const waiting = (await panel.list()).filter(({ situacao }) => situacao === 'aguardando')
    expect(waiting.length).toBe(8 - first)
    panel.clock.advance(2000)
    await panel.context.outbox.deliverDue()
    expect((await panel.status()).sendingPaused, 'as the forms say').toBe(true)
    for (const { motivo } of (await panel.list()).filter(({ situacao }) => situacao === 'aguardando')) {
      expect(motivo).toContain('O envio está em pausa; uma tentativa por minuto.')
    }
    await panel.context.outbox.deliverDue()
    expect(sentCount(panel) - before, 'nothing more within the minute').toBe(first)
    panel.clock.advance(MINUTE_MS)
    await panel.context.outbox.deliverDue()
    expect(sentCount(panel) - before, 'one try a minute').toBe(first + 1)

    await panel.simulator.state.setFaults([])
    panel.clock.advance(MINUTE_MS)
    await panel.deliverDue()
    const parked = (await panel.list()).filter(({ situacao }) => situacao === 'recusado')
    expect(parked.map(({ motivo }) => motivo)).toEqual(Array(first + 1).fill(LOCKED))
    expect(await panel.status()).not.toHaveProperty('sendingPaused')
    expect(panel.simulator.state.writes).toHaveLength(1 + 8 - parked.length)
    expect(
      parked.every(({ podeReenviar }) => !podeReenviar),
      'an operator resends nothing',
    ).toBe(true)

    const ids = parked.map(({ id }) => id)
    expect((await resend(panel, ids, panel.token)).statusCode).toBe(403)
    expect((await resend(panel, [...ids, randomUUID()])).json()).toEqual({
      message: `${ids.length} apontamentos voltam ao ERP. 1 ficou como estava.`,
      reenviados: ids.length,
      mantidos: 1,
    })
    await panel.deliverAll()
    await panel.deliverAll()
    expect(await panel.list()).toEqual([])
    expect(panel.simulator.state.writes).toHaveLength(9)
    expect((await panel.audit()).map(({ action }) => action)).toEqual(Array(ids.length).fill('resent'))
    panel.errors.splice(0)
  })

  test('what is put back is asked about first: what the ERP has after all is not sent again', async () => {
    const panel = await setUp({ database, simulator: { dedup: false } })
    const id = await panel.park(blocked(crimpOf(4)))
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })
    expect((await resend(panel, [id])).json()).toMatchObject({ reenviados: 1 })
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 4, l2: 0 })
    expect((await resend(panel, [id])).json(), 'it is on its way').toMatchObject({ reenviados: 0, mantidos: 1 })
    await panel.deliverAll()
    await panel.deliverAll()
    expect(await panel.list(), 'refused again').toMatchObject([{ id, situacao: 'recusado', motivo: 'Lote bloqueado' }])
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })

    await panel.db.transaction((tx) =>
      tx.updateTable('erp_outbox').set({ state: 'refused' }).where('id', '=', id).execute(),
    )
    const other = await panel.leaveToPerson(crimpOf(3))
    expect((await resend(panel, [other])).json()).toMatchObject({ reenviados: 1 })
    await panel.deliverAll()
    await panel.deliverAll()
    expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([3])
    expect(await panel.crimps()).toBe(7)
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })

  test('what nobody can tell stays where it was, in its words', async () => {
    const panel = await setUp({ database, env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false, dedup: false } })
    const id = await panel.park(blocked(crimpOf(4)))
    await panel.simulator.state.setFaults([{ id: 'F30', operation: 'apontamentos' }])
    await panel.record(panel.token, crimpOf(2))
    expect((await resend(panel, [id])).json()).toMatchObject({ reenviados: 1 })
    await panel.deliverAll()
    expect(await panel.list()).toMatchObject([{ id, situacao: 'recusado', motivo: 'Lote bloqueado' }])
    expect(await panel.onWay()).toEqual({ cabo: 0, l1: 0, l2: 0 })
    expect(panel.errors.splice(0)).toHaveLength(1)
    const uncertain = await panel.leaveToPerson(crimpOf(1))
    await panel.db.transaction((tx) =>
      tx.updateTable('erp_outbox').set({ sent_at: panel.clock.now() }).where('id', '=', uncertain).execute(),
    )
    await resend(panel, [uncertain])
    await panel.deliverAll()
    const left = (await panel.list()).find((one) => one.id === uncertain)
    expect(left?.situacao).toBe('incerto')
    panel.errors.splice(0)
  })

  test('an inquiry that the ERP answers with an error counts, silence does not', async () => {
    const panel = await setUp({ database })
    await panel.record(panel.token, cutOf(1))
    const lose = async () => {
      await panel.simulator.state.setFaults([
        { id: 'F06', variant: 'reset' },
        { id: 'F11', operation: 'integracoes', count: null },
      ])
      const id = randomUUID()
      const { token } = await panel.login('operador')
      await panel.record(token, savedOnTablet(crimpOf(2)), id)
      await panel.deliverDue()
      return id
    }
    const silent = await lose()
    await panel.simulator.state.setFaults([{ id: 'F31', count: null }])
    await letPass(panel, 30 * HOUR_MS, HOUR_MS / 4)
    expect(await panel.stateOf(silent)).toBe('waiting')
    await panel.erpIs('up')
    await letPass(panel, HOUR_MS, HOUR_MS / 4)
    expect(await panel.stateOf(silent)).toBe('delivered')
    const answered = await lose()
    await letPass(panel, 20 * HOUR_MS, HOUR_MS / 4)
    expect(await panel.stateOf(answered)).toBe('waiting')
    await letPass(panel, 6 * HOUR_MS, HOUR_MS / 4)
    expect(await panel.stateOf(answered)).toBe('uncertain')
    expect(panel.errors.splice(0)).toHaveLength(1)
  })

  test('an admin steps in for what has waited longer than an hour, unless a server works on it', async () => {
    const panel = await setUp({ database })
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const
    await panel.erpIs('down')
    for (const id of ids) await panel.record(panel.token, crimpOf(4), id)
    const [delivered, discarded, resent] = ids
    const decideFirst = () => panel.decide(panel.admin, delivered, 'entregue', {})
    expect((await decideFirst()).json()).toMatchObject({ code: 'pending_under_way' })
    expect((await panel.list(panel.admin)).map((one) => [one.podeDecidir, one.podeReenviar])).toEqual(
      Array(3).fill([false, false]),
    )
    panel.clock.advance(HOUR_MS)
    expect((await panel.list(panel.admin)).map((one) => [one.podeDecidir, one.podeReenviar])).toEqual(
      Array(3).fill([true, true]),
    )
    const lease = (until: number) =>
      panel.db.transaction((tx) =>
        tx
          .updateTable('erp_outbox')
          .set({ lease_owner: 'other', lease_until: until })
          .where('id', '=', delivered)
          .execute(),
      )
    await lease(panel.clock.now() + 1000)
    expect((await decideFirst()).json()).toMatchObject({ code: 'pending_under_way' })
    expect((await resend(panel, [delivered])).json()).toMatchObject({ reenviados: 0 })
    await lease(0)
    expect((await decideFirst()).statusCode).toBe(200)
    expect((await decideFirst()).statusCode, 'the same answer again').toBe(200)
    expect((await panel.decide(panel.admin, discarded, 'descarte', { motivo: 'refeito' })).statusCode).toBe(200)
    expect([await panel.crimps(), await panel.onWay()]).toEqual([8, { cabo: 0, l1: 4, l2: 0 }])
    expect((await resend(panel, [resent])).json()).toMatchObject({ reenviados: 1 })
    await panel.erpIs('up')
    await panel.deliverDue()
    expect(panel.simulator.state.writes.map(({ id }) => id)).toEqual([resent])
    expect(await panel.list()).toEqual([])
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
  })
})

test('what the ERP refuses to give, in words, is parked with them, and sent when it may be', async () => {
  const panel = await setUp({})
  const cut = { ...cutOf(2), COD_BARRA: HALF_CUT }
  await panel.simulator.state.setFaults([{ id: 'F09', operation: 'itens', message: 'Tabela em uso', count: null }])
  const id = randomUUID()
  expect((await panel.record(panel.token, savedOnTablet(cut), id)).statusCode, 'a mood under a success').toBe(503)
  await panel.simulator.state.setFaults([{ id: 'F20', operation: 'itens', message: 'Ordem encerrada', count: null }])
  expect((await panel.record(panel.token, savedOnTablet(cut), id)).statusCode).toBe(202)
  expect(await panel.list()).toMatchObject([{ id, situacao: 'recusado', motivo: 'Ordem encerrada', tentativas: 0 }])
  expect((await resend(panel, [id])).json()).toMatchObject({ reenviados: 0, mantidos: 1 })
  await panel.simulator.state.setFaults([])
  expect((await resend(panel, [id])).json()).toMatchObject({ reenviados: 1 })
  await panel.deliverDue()
  expect(panel.simulator.state.writes).toMatchObject([{ id, pieces: 2 }])
  expect(await panel.stateOf(id)).toBe('delivered')
})

import { randomUUID } from 'node:crypto'
import { sampleBlockedLot } from '../../demo/simulator/sample-catalogue.ts'
import type { PendingRecording } from '../../src/contract/pending-recordings.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { findItem } from '../../src/server/store/items.ts'
import { listDueIds, settleDelivery } from '../../src/server/store/outbox.ts'
import { findRecording, leaveUncertain } from '../../src/server/store/recordings.ts'
import { addUser, openTestPanel, type TestPanel, UNTOUCHED } from './harness.ts'
import { findUnit } from './units.ts'
import { browserOf, pairOf } from './visitor.ts'

export const blocked = (payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  LOTE_TERM_LD1: sampleBlockedLot,
})
/** As every delivery from a tablet's queue says. */
export const savedOnTablet = (payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  captura: { salvoNoDispositivo: true },
})

/** What is stored, as the tests ask for it. */
const viewsOf = ({ db }: Pick<TestPanel, 'db'>) => {
  const stateOf = async (id: string) => (await findRecording(db.read, id))?.state
  const crimps = async (name = 'MA-0001') => (await findUnit(db.read, name))?.crimps ?? 0
  const onWay = async () => (await findItem(db.read, '010101', UNTOUCHED))?.item.aguardandoErp
  const production = async () => {
    const rows = await db.read.selectFrom('daily_production').selectAll().execute()
    return rows.reduce((sum, row) => sum + row.pieces, 0)
  }
  const audit = () => db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  return { stateOf, crimps, onWay, production, audit }
}

/** A panel with its people, the item's copy read, and what the tests of waiting recordings do and look at. */
export const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  await addUser(panel.context, { username: 'outro', fullName: 'João Dias' })
  await addUser(panel.context, { username: 'admin', role: 'admin', fullName: 'Ana Lima' })
  const tablet = pairOf(await browserOf(panel).login('operador'))
  const { token } = await panel.login('operador')
  const other = (await panel.login('outro')).token
  const admin = (await panel.login('admin')).token
  await panel.ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  const { db, simulator, clock, context } = panel
  const erpIs = async (erpState: 'down' | 'up') =>
    await simulator.state.setFaults(erpState === 'down' ? [{ id: 'F31', variant: 'refused' }] : [])
  const deliverDue = async () => {
    while ((await listDueIds(db.read, clock.now(), 1)).length > 0) await context.outbox.deliverDue()
  }
  const deliverAll = async () => {
    clock.advance(600_000)
    await deliverDue()
  }
  const decide = (who: string, id: string, what: 'correcao' | 'entregue' | 'descarte', payload: object, key = '') =>
    panel.ask(who, {
      method: 'POST',
      url: `/api/pendencias/${id}/${what}`,
      payload,
      ...(what === 'correcao' ? { headers: { 'idempotency-key': key || randomUUID() } } : {}),
    })
  const list = async (who = token): Promise<PendingRecording[]> =>
    (await panel.ask(who, { url: '/api/pendencias' })).json().pendencias
  const status = async () => (await panel.app.inject('/api/status')).json()
  /** Accepted, then left to a person because nobody can tell whether the ERP has it. */
  const leaveToPerson = async (payload: CutCrimpRecording) => {
    const id = randomUUID()
    await erpIs('down')
    await panel.record(token, payload, id)
    await erpIs('up')
    await db.transaction(async (tx) => {
      await settleDelivery(tx, id, { state: 'manual', message: 'não se sabe', at: clock.now() })
      await leaveUncertain(tx, id, 'não se sabe', clock.now())
    })
    return id
  }
  const park = async (payload: CutCrimpRecording) => {
    const id = randomUUID()
    await panel.record(token, savedOnTablet(payload), id)
    await deliverDue()
    return id
  }
  const actions = { erpIs, deliverDue, deliverAll, decide, list, status, leaveToPerson, park }
  return { ...panel, ...viewsOf(panel), ...actions, token, tablet, other, admin }
}

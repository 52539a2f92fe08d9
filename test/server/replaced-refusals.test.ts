import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { crimpOf, cutOf, databases, UNTOUCHED } from '../support/harness.ts'
import { blocked, savedOnTablet, setUp } from '../support/waiting.ts'

/** As the form of the refused part registers it. */
const inPlaceOf = (id: string, payload: CutCrimpRecording): CutCrimpRecording => ({
  ...payload,
  captura: { ...payload.captura, substitui: id },
})

const SETTLED = 'Esta pendência já foi resolvida.'

describe.each(databases)('a form that registers in place of its refused recording on %s', (database) => {
  test('replaces it in one commit: counted once, on the day and in the cycle of the first, however often it comes', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    await panel.db.transaction((tx) => tx.updateTable('applicator_units').set({ cycle: 2, crimps: 0 }).execute())
    panel.clock.advance(86_400_000)
    const { token } = await panel.login('operador')
    const newId = randomUUID()
    const again = inPlaceOf(id, crimpOf(7))
    const answers = await Promise.all([1, 2, 3].map(() => panel.record(token, again, newId)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    expect([await panel.stateOf(id), await panel.stateOf(newId)]).toEqual(['superseded', 'delivered'])
    const lines = await panel.db.read.selectFrom('crimp_ledger').select(['cycle', 'crimps']).orderBy('id').execute()
    expect(lines).toEqual([10, -10, 7].map((crimps) => ({ cycle: 1, crimps })))
    expect(await listCounterDeviations(panel.db.read)).toEqual([])
    const days = await panel.db.read.selectFrom('daily_production').select(['production_day', 'pieces']).execute()
    expect(days).toEqual([{ production_day: '2026-11-21', pieces: 7 }])
    expect(panel.simulator.state.row(UNTOUCHED)).toMatchObject({ Z1_QTREGL1: 7 })
    expect(await panel.list(token)).toEqual([])
    expect(await panel.audit()).toMatchObject([{ user_name: 'operador', action: 'corrected', subject_id: id }])
  })

  test('leaves it as it was where a rule refuses the new one, and waits for a person where the ERP does', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    const tooMany = await panel.record(panel.token, inPlaceOf(id, crimpOf(121)))
    expect([tooMany.statusCode, tooMany.json().code]).toEqual([409, 'quantity_exceeds_balance'])
    expect(await panel.stateOf(id)).toBe('parked')
    const newId = randomUUID()
    const refused = await panel.record(panel.token, inPlaceOf(id, blocked(crimpOf(10))), newId)
    expect([refused.statusCode, refused.json().status]).toEqual([202, 'pendente'])
    expect([await panel.stateOf(id), await panel.stateOf(newId)]).toEqual(['superseded', 'parked'])
    expect(await panel.list()).toMatchObject([{ id: newId, situacao: 'recusado', motivo: 'Lote bloqueado' }])
    expect([await panel.crimps(), await panel.production()]).toEqual([10, 10])
  })

  test('a queue brings it as well; settled meanwhile, it is refused in front of its operator and else left to a person', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    const late = savedOnTablet(crimpOf(10))
    const newId = randomUUID()
    const queued = inPlaceOf(id, late)
    expect((await panel.record(panel.token, queued, newId)).statusCode).toBe(202)
    await panel.deliverDue()
    expect([await panel.stateOf(id), await panel.stateOf(newId)]).toEqual(['superseded', 'delivered'])
    const direct = await panel.record(panel.token, inPlaceOf(id, crimpOf(10)))
    expect([direct.statusCode, direct.json().code]).toEqual([409, 'pending_settled'])
    const second = randomUUID()
    expect((await panel.record(panel.token, inPlaceOf(id, savedOnTablet(crimpOf(10))), second)).statusCode).toBe(202)
    expect(await panel.list()).toMatchObject([{ id: second, situacao: 'recusado', motivo: SETTLED }])
    expect([await panel.crimps(), await panel.production()], 'once').toEqual([10, 10])
  })

  test('no other work, nobody else and nothing that the ERP may have is replaced', async () => {
    const panel = await setUp({ database })
    const id = await panel.park(blocked(crimpOf(10)))
    const uncertain = await panel.leaveToPerson(crimpOf(4))
    for (const [who, payload] of [
      [panel.token, inPlaceOf(id, cutOf(5))],
      [panel.other, inPlaceOf(id, crimpOf(5))],
      [panel.token, inPlaceOf(randomUUID(), crimpOf(5))],
      [panel.token, inPlaceOf(uncertain, crimpOf(5))],
    ] as const) {
      expect((await panel.record(who, payload)).json().code).toBe('pending_settled')
    }
    expect([await panel.stateOf(id), await panel.stateOf(uncertain)]).toEqual(['parked', 'uncertain'])
  })
})

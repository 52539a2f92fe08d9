import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MeasurementAnswer } from '../../src/contract/measurements.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { setUpMeasuring as setUp } from '../support/measuring.ts'
import { browserOf, grantOf, pairOf, sessionOf } from '../support/visitor.ts'

const MINUTE_MS = 60_000

describe('a measurement', () => {
  test('under its author’s grant counts; without a session to be trusted it is taken, says so and counts nowhere', async () => {
    const panel = await setUp()
    const { send, admin, ask, db, clock, rows, listed, contextOf } = panel
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('operador'))
    await browser.logout(pair)
    const captura = { registradoEm: new Date(clock.now()).toISOString(), salvoNoDispositivo: true }
    const byGrant = await send({ headers: grantOf(pair) }, { captura })
    expect(byGrant.json()).toMatchObject({ medicoes: [{ apontamentos: [] }], recibo: expect.any(String) })
    const { id } = (await listUsers(db.read)).find(({ username }) => username === 'operador') ?? {}
    const payload = { fullName: 'Maria Souza', role: 'operador', active: false }
    expect((await ask(admin, { method: 'PUT', url: `/api/usuarios/${id}`, payload })).statusCode).toBe(200)
    const doubted = await send({ headers: grantOf(pair) }, { captura, lote: 'outro' })
    expect(doubted.statusCode).toBe(201)
    expect(doubted.json()).toMatchObject({ medicoes: [{ apontamentos: ['autor-nao-confirmado'] }] })
    expect(doubted.json().recibo).toBeUndefined()
    expect((await rows()).map(({ counted }) => counted)).toEqual([1, 0])
    expect(await listed(admin), 'it stays in sight').toHaveLength(2)
    expect((await contextOf(admin)).ultimas).toHaveLength(1)
  })

  test('is there once after a database that went back was offered it again by its receipt', async () => {
    const panel = await setUp()
    const { send, db, clock, rows } = panel
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('operador'))
    const id = randomUUID()
    const captura = { registradoEm: new Date(clock.now()).toISOString() }
    const { recibo } = (await send({ headers: sessionOf(pair) }, { captura }, id)).json() as MeasurementAnswer
    const under = { authorization: `Receipt ${recibo}`, cookie: `__Host-device=${pair.device}` }
    await db.transaction(async (tx) => {
      await tx.deleteFrom('measurements').execute()
      await tx.updateTable('settings').set({ value: 'outra' }).where('name', '=', 'epoch').execute()
    })
    clock.advance(60 * MINUTE_MS)
    const again = { captura: { ...captura, salvoNoDispositivo: true, respondidoAntes: true } }
    const other = await send({ headers: under }, { ...again, lote: 'outro' }, id)
    expect(other.json().code, 'it authorises no other content').toBe('session_missing')
    for (let offered = 0; offered < 2; offered++) {
      expect((await send({ headers: under }, again, id)).json()).toMatchObject({
        medicoes: [{ id, medidoEm: captura.registradoEm }],
      })
    }
    expect(await rows()).toHaveLength(1)
  })
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MeasurementAnswer } from '../../src/contract/measurements.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { crimpOf } from '../support/harness.ts'
import { setUpMeasuring as setUp } from '../support/measuring.ts'
import { browserOf, grantOf, pairOf, sessionOf } from '../support/visitor.ts'

const MINUTE_MS = 60_000

type Panel = Pick<Awaited<ReturnType<typeof setUp>>, 'ask' | 'admin'>

/** Those of operador's browsers. */
async function endSessions({ ask, admin }: Panel): Promise<void> {
  const sessions = (await ask(admin, { url: '/api/sessoes' })).json() as { id: string; username: string }[]
  for (const { id, username } of sessions)
    if (username === 'operador') await ask(admin, { method: 'DELETE', url: `/api/sessoes/${id}` })
}

/** What `crimpOf` says. */
const leituras = [{ caracteristica: 'altura' as const, valores: [1100] }]

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
    expect(doubted.json().retido, 'its tablet keeps it for its author').toBe(true)
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

  test.each(['its author brings it under a session that is good', 'an admin takes the recording that names it'])(
    'that came after an admin had ended the session counts once %s',
    async (way) => {
      const panel = await setUp()
      const { send, clock, rows, listed, quality, contextOf } = panel
      const pair = pairOf(await browserOf(panel).login('operador'))
      await endSessions(panel)
      const [sample, recording] = [randomUUID(), randomUUID()]
      const captura = { registradoEm: new Date(clock.now()).toISOString(), salvoNoDispositivo: true }
      expect((await send({ headers: grantOf(pair) }, { captura, leituras }, sample)).json().retido).toBe(true)
      const named = { ...crimpOf(5), captura: { ...captura, medicoes: [sample] } }
      const deliver = { method: 'POST', url: '/api/apontamentos/corte-crimpagem', payload: named } as const
      const headers = { ...grantOf(pair), 'idempotency-key': recording }
      expect((await panel.app.inject({ ...deliver, headers })).json().retido).toBe(true)
      expect((await rows()).map(({ counted }) => counted)).toEqual([0])
      if (way.startsWith('an admin')) {
        const payload = { ids: [recording], decisao: 'aceitar', motivo: 'conferido' }
        const url = '/api/retidos/decisao'
        expect((await panel.ask(panel.admin, { method: 'POST', url, payload })).json().decididos).toBe(1)
      } else {
        const { token: again } = await panel.login('operador')
        const lifted = await send({ headers: { authorization: `Bearer ${again}` } }, { captura, leituras }, sample)
        expect([lifted.statusCode, lifted.json().retido]).toEqual([201, undefined])
        const other = await send(
          { headers: { authorization: `Bearer ${again}` } },
          { captura, leituras, lote: 'outro' },
          sample,
        )
        expect(other.statusCode, 'one id has one content').toBe(409)
      }
      expect((await rows()).map(({ counted, findings }) => [counted, findings])).toEqual([[1, '']])
      expect((await contextOf(quality)).ultimas).toHaveLength(1)
      expect((await listed(quality)).map(({ apontamentos }) => apontamentos)).toEqual([[]])
      const lastAnswer = await send({ headers: grantOf(pair) }, { captura, leituras }, sample)
      expect(lastAnswer.json().retido, 'its tablet hears that nobody doubts it any more').toBeUndefined()
    },
  )

  test('of somebody else is not taken with the recording that names it', async () => {
    const panel = await setUp()
    const { send, clock, rows } = panel
    const pair = pairOf(await browserOf(panel).login('operador'))
    await endSessions(panel)
    const sample = randomUUID()
    const captura = { registradoEm: new Date(clock.now()).toISOString(), salvoNoDispositivo: true }
    await send({ headers: grantOf(pair) }, { captura, leituras }, sample)
    const named = { ...crimpOf(5), captura: { ...captura, medicoes: [sample] } }
    expect((await panel.record(panel.admin, named)).statusCode).toBe(202)
    expect((await rows()).map(({ counted }) => counted)).toEqual([0])
  })
})

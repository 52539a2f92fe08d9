import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MaintenanceCallAnswer } from '../../src/contract/maintenance-calls.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { setUpCalling as setUp } from '../support/calling.ts'
import type { callOf } from '../support/harness.ts'
import { browserOf, grantOf, pairOf, sessionOf } from '../support/visitor.ts'

const MINUTE_MS = 60_000

describe('a call', () => {
  test('that waited in a tablet’s queue bears the time of the press; after a quarter of an hour it makes no sound', async () => {
    const { send, token, clock, open, change, list } = await setUp()
    const pressedAt = clock.now()
    const captura = { registradoEm: new Date(pressedAt).toISOString(), salvoNoDispositivo: true }
    const headers = { authorization: `Bearer ${token}` }
    const sent = async (more: Parameters<typeof callOf>[0]) =>
      ((await send({ headers }, { more, captura })).json() as MaintenanceCallAnswer).chamado
    clock.advance(15 * MINUTE_MS)
    const soon = await sent({ sintoma: 'outro' })
    expect([soon.abertoEm, soon.enviadoDepois]).toEqual([captura.registradoEm, false])
    clock.advance(1)
    const late = await sent({})
    expect([late.abertoEm, late.enviadoDepois, late.situacao]).toEqual([captura.registradoEm, true, 'aberto'])
    expect((await open()).juntado, 'a real call is not silenced by it').toBe(false)
    expect((await sent({})).numero, 'another one joins the call that is heard').toBe(3)
    await change(late, 'atendimento')
    expect((await list()).totais.mttaMin).toBe(null)
    await change(soon, 'atendimento')
    expect((await list()).totais.mttaMin).toBeCloseTo(15, 3)
    const ahead = { registradoEm: new Date(clock.now() + 3_600_000).toISOString(), salvoNoDispositivo: true }
    const answer = await send({ headers }, { more: { sintoma: 'selo-falha' }, captura: ahead })
    expect((answer.json() as MaintenanceCallAnswer).chamado.abertoEm).toBe(new Date(clock.now()).toISOString())
  })

  test('under its author’s grant is taken, and without a session to be trusted says so and makes no sound', async () => {
    const panel = await setUp()
    const { send, list, admin, ask, db } = panel
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('operador'))
    await browser.logout(pair)
    const captura = { registradoEm: new Date(panel.clock.now()).toISOString(), salvoNoDispositivo: true }
    const byGrant = await send({ headers: grantOf(pair) }, { captura })
    expect(byGrant.json()).toMatchObject({
      chamado: { autorConfirmado: true, enviadoDepois: false },
      recibo: expect.any(String),
    })
    const { id } = (await listUsers(db.read)).find(({ username }) => username === 'operador') ?? {}
    const payload = { fullName: 'Maria Souza', role: 'operador', active: false }
    expect((await ask(admin, { method: 'PUT', url: `/api/usuarios/${id}`, payload })).statusCode).toBe(200)
    const doubted = await send({ headers: grantOf(pair) }, { more: { sintoma: 'outro' }, captura })
    expect(doubted.statusCode).toBe(201)
    expect(doubted.json()).toMatchObject({ chamado: { autorConfirmado: false, enviadoDepois: true } })
    expect(doubted.json().recibo).toBeUndefined()
    expect(doubted.json().retido, 'its tablet keeps it for its author').toBe(true)
    expect((await list({}, admin)).chamados).toHaveLength(2)
  })

  test('that came without a session to be trusted is its author’s once that person brings it under a good one', async () => {
    const panel = await setUp()
    const { send, list, admin, ask, db, change } = panel
    const pair = pairOf(await browserOf(panel).login('operador'))
    const { id } = (await listUsers(db.read)).find(({ username }) => username === 'operador') ?? {}
    const setActive = (active: boolean) =>
      ask(admin, {
        ...{ method: 'PUT', url: `/api/usuarios/${id}` },
        payload: { fullName: 'Maria Souza', role: 'operador', active },
      })
    await setActive(false)
    const captura = { registradoEm: new Date(panel.clock.now()).toISOString(), salvoNoDispositivo: true }
    const [lifted, settled] = [randomUUID(), randomUUID()]
    await send({ headers: grantOf(pair) }, { captura }, lifted)
    const other = { more: { sintoma: 'outro' as const }, captura }
    await send({ headers: grantOf(pair) }, other, settled)
    await change({ id: settled }, 'cancelamento', { motivo: 'Ninguém estava lá' })
    expect((await send({ headers: grantOf(pair) }, other, settled)).json().retido, 'nothing is left of it').toBe(
      undefined,
    )
    await setActive(true)
    const { token } = await panel.login('operador')
    const answer = await send({ headers: { authorization: `Bearer ${token}` } }, { captura }, lifted)
    expect(answer.json()).toMatchObject({ chamado: { autorConfirmado: true, enviadoDepois: false } })
    expect(answer.json().retido).toBe(undefined)
    const again = await send({ headers: grantOf(pair) }, { captura }, lifted)
    expect(again.json().chamado, 'nobody doubts it any more').toMatchObject({ autorConfirmado: true })
    expect((await list({}, admin)).chamados.map(({ autorConfirmado }) => autorConfirmado)).toEqual([true, false])
  })

  test('is there once after a database that went back was offered it again by its receipt', async () => {
    const panel = await setUp()
    const { send, db, admin, list, clock } = panel
    const browser = browserOf(panel)
    const pair = pairOf(await browser.login('operador'))
    const id = randomUUID()
    const captura = { registradoEm: new Date(clock.now()).toISOString() }
    const { recibo } = (await send({ headers: sessionOf(pair) }, { captura }, id)).json() as MaintenanceCallAnswer
    const under = { authorization: `Receipt ${recibo}`, cookie: `__Host-device=${pair.device}` }
    await db.transaction(async (tx) => {
      await tx.deleteFrom('maintenance_calls').execute()
      await tx.updateTable('settings').set({ value: 'outra' }).where('name', '=', 'epoch').execute()
    })
    clock.advance(60 * MINUTE_MS)
    const again = { captura: { ...captura, salvoNoDispositivo: true, respondidoAntes: true } }
    const other = await send({ headers: under }, { ...again, more: { sintoma: 'outro' } }, id)
    expect(other.json().code, 'it authorises no other content').toBe('session_missing')
    expect((await send({ headers: under }, again, id)).json()).toMatchObject({
      numero: 2,
      chamado: { enviadoDepois: true },
    })
    expect((await send({ headers: under }, again, id)).json()).toMatchObject({ numero: 2 })
    expect((await list({}, admin)).chamados).toHaveLength(1)
  })
})

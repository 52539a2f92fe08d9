import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PlanContent } from '../../src/contract/control-plans.ts'
import type { Capture, CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { PlanFinding, Release, ReleaseForm } from '../../src/contract/releases.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { addUser, crimpOf, type Database, databases, ORDER, PASSWORD, UNTOUCHED } from '../support/harness.ts'
import { sampleOf } from '../support/series-samples.ts'
import { setUp as openPanel } from '../support/waiting.ts'

const plan = {
  ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 } },
  ...{ leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
}

/** A plant that blocks, and somebody of quality who may record too. */
async function setUp(database: Database = 'sqlite') {
  const panel = await openPanel({ database })
  const { db, clock, token, ask } = panel
  await addUser(panel.context, { username: 'rita', role: 'qualidade', fullName: 'Rita Melo' })
  await db.transaction(async (tx) => {
    await saveSetting(tx, PLAN_MODE, 'bloquear')
    await insertPlans(tx, [{ plan, version: 1, from: clock.now() }])
  })
  const measure = async (height: number, more: Parameters<typeof sampleOf>[1] = {}): Promise<string> => {
    clock.advance(1000)
    const verdict = height > 1150 ? ('fora' as const) : ('dentro' as const)
    const made = { plan_id: 1, verdict, measured_at: clock.now(), lot: 'B23-004517/2', shift: '2026-11-21#0' }
    const row = sampleOf([1100, height, 1110], { ...made, ...more })
    await db.transaction((tx) => tx.insertInto('measurements').values(row).execute())
    return row.act_id
  }
  const record = async (captura: Capture, more: Partial<CutCrimpRecording> = {}, by = token): Promise<string> => {
    clock.advance(1000)
    const answer = await panel.record(by, { ...crimpOf(1), ...more, captura: { plano: 1, ...captura } })
    return answer.json().code ?? answer.json().status
  }
  const release = async (more: Partial<ReleaseForm> = {}): Promise<string> => {
    const place = { filial: '010101', codigoBarras: UNTOUCHED, ordem: ORDER, parte: 'l1' } as const
    const payload = { usuario: 'rita', senha: PASSWORD, ...place, motivo: 'Desvio 12/26', ...more }
    const given = await ask(token, { method: 'POST', url: '/api/liberacoes', payload })
    expect(given.statusCode, given.body).toBe(201)
    return given.json<Release>().id
  }
  const list = async (more = ''): Promise<PlanFinding[]> =>
    (await ask(token, { url: `/api/planos-de-controle/ocorrencias${more}` })).json().ocorrencias
  return { ...panel, measure, recordWith: record, release, list }
}

const blocked = 'plan_not_met'
const taken = 'enviado'

test.each(databases)('a release is good for what was looked at and for so many pieces, on %s', async (database) => {
  const { measure, recordWith, release, list } = await setUp(database)
  const act = await measure(1202)
  const liberacao = await release({ atos: [act.toUpperCase()], pecas: 5 })
  expect(await recordWith({ liberacao }, { QTD_REALIZADA: 6 }), 'more pieces').toBe(blocked)
  await measure(1400)
  expect(await recordWith({ liberacao }), 'farther outside').toBe(blocked)
  await measure(1203)
  expect(await recordWith({ liberacao }), 'a thousandth farther').toBe(blocked)
  await measure(1100)
  await measure(1180)
  expect(await recordWith({ liberacao }, { QTD_REALIZADA: 5 }), 'nearer to the plan').toBe(taken)
  expect(await recordWith({ liberacao }), 'spent').toBe(blocked)
  expect(await list()).toMatchObject([{ liberadoPor: 'Rita Melo', liberadoSemAmostras: false, pecas: 5 }])
})

test('another characteristic outside voids a release, and so does what was measured after nothing was', async () => {
  const { measure, recordWith, release } = await setUp()
  const nothing = await release({ atos: [], pecas: 100 })
  const act = await measure(1202)
  expect(await recordWith({ liberacao: nothing })).toBe(blocked)
  const liberacao = await release({ atos: [act], pecas: 100 })
  const force = await measure(60_000, { characteristic: 'forca', readings_json: '[60000]', verdict: 'fora' })
  expect(await recordWith({ liberacao }), 'the force too').toBe(blocked)
  const all = { QTD_REALIZADA: 50 }
  expect(
    await recordWith({ liberacao: await release({ atos: [act, force] }) }, all),
    'without a number it is that of its recording',
  ).toBe(taken)
})

test('what is typed was looked at where the release says so; typed farther outside it is void', async () => {
  const { recordWith, release } = await setUp()
  const typed = { medidoAltura: true, medidoForca: false }
  const digitados = [{ caracteristica: 'altura' as const, valor: 1202 }]
  const blind = await release({ atos: [], pecas: 1 })
  expect(await recordWith({ ...typed, liberacao: blind }, { ALTURA_LD1: 1.202 })).toBe(blocked)
  const liberacao = await release({ atos: [], digitados, pecas: 1 })
  expect(await recordWith({ ...typed, liberacao }, { ALTURA_LD1: 1.35 })).toBe(blocked)
  expect(await recordWith({ ...typed, liberacao }, { ALTURA_LD1: 1.202 })).toBe(taken)
})

test.each(databases)('a worse sample voids a release, however often others measured since, on %s', async (database) => {
  const { measure, recordWith, release } = await setUp(database)
  const act = await measure(1202)
  const liberacao = await release({ atos: [act], pecas: 100 })
  await measure(1400)
  const machines = ['PR0002 - Mecal', 'PR0003 - Mecal']
  for (let times = 0; times < 60; times++) await measure(1100, { machine: machines[times % 2] ?? '' })
  expect(await recordWith({ liberacao })).toBe(blocked)
  await measure(1190)
  expect(await recordWith({ liberacao }), 'the newest one here').toBe(taken)
})

test('a sample whose author is not confirmed was looked at too, though it does not count', async () => {
  const { measure, recordWith, release } = await setUp()
  const doubted = await measure(1230, { counted: 0 })
  const captura = { medidoAltura: true, liberacao: await release({ atos: [doubted], pecas: 1 }) }
  expect(await recordWith(captura, { ALTURA_LD1: 1.231 }), 'farther outside').toBe(blocked)
  expect(await recordWith(captura, { ALTURA_LD1: 1.23 })).toBe(taken)
})

test('acts of another order are nothing that was looked at here', async () => {
  const { measure, recordWith, release } = await setUp()
  const elsewhere = await measure(1400, { order_number: '99999999001' })
  await measure(1202)
  expect(await recordWith({ liberacao: await release({ atos: [elsewhere, randomUUID()], pecas: 1 }) })).toBe(blocked)
})

test('a release of an older page holds for one recording of that place and day, and is marked', async () => {
  const { measure, recordWith, release, list } = await setUp()
  await measure(1202)
  const liberacao = await release()
  await measure(1400)
  expect(await recordWith({ liberacao }, { QTD_REALIZADA: 50 })).toBe(taken)
  expect(await list()).toMatchObject([{ liberadoSemAmostras: true, pecas: 50, liberadoPorQuemApontou: false }])
})

test('whoever releases their own work may, and it is marked', async () => {
  const { measure, recordWith, release, list, login } = await setUp()
  const { token } = await login('rita')
  const act = await measure(1202)
  expect(await recordWith({ liberacao: await release({ atos: [act], pecas: 1 }) }, {}, token)).toBe(taken)
  expect(await recordWith({ liberacao: await release({ atos: [act], pecas: 1 }) })).toBe(taken)
  expect((await list()).map((one) => one.liberadoPorQuemApontou)).toEqual([false, true])
  expect(await list('?proprio=sim')).toMatchObject([{ operador: 'Rita Melo', liberadoPor: 'Rita Melo' }])
})

test('a sample that a value was typed over has to be looked at, whatever was measured since', async () => {
  const { measure, recordWith, release } = await setUp()
  const act = await measure(1202)
  await measure(1100)
  const typedOver = { medicoes: [act], medidoAltura: true }
  expect(await recordWith({ ...typedOver, liberacao: await release({ atos: [], pecas: 1 }) })).toBe(blocked)
  expect(await recordWith({ ...typedOver, liberacao: await release({ atos: [act], pecas: 1 }) })).toBe(taken)
})

test('a typed value voids no release by what was measured before it; where typed values do not count, it does', async () => {
  const { measure, recordWith, release, db, clock } = await setUp()
  const { altura: _a, ...forceOnly } = { ...plan, forcaMin: 75_000 }
  await measure(1202)
  const planAnew = (content: PlanContent, version: number) => {
    clock.advance(1000)
    return db.transaction((tx) => insertPlans(tx, [{ plan: content, version, from: clock.now() }]))
  }
  await planAnew(forceOnly, 2)
  const typed = { medidoAltura: true, medidoForca: false }
  expect(await recordWith({ plano: 2, ...typed, liberacao: await release({ atos: [], pecas: 1 }) })).toBe(taken)
  await planAnew({ ...plan, digitadoVale: false }, 3)
  expect(await recordWith({ plano: 3, ...typed, liberacao: await release({ atos: [], pecas: 1 }) })).toBe(blocked)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MeasurementForm } from '../../src/contract/measurements.ts'
import type { Release } from '../../src/contract/releases.ts'
import { planModes } from '../../src/contract/settings.ts'
import { findingTitle } from '../../src/domain/quality/plan-gate.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { crimpOf, databases, measurementOf, ORDER } from '../support/harness.ts'
import { blocked, setUpPlanned, taken } from '../support/planned.ts'

const both = { forcaMin: 60_000 }
const reading = (caracteristica: 'altura' | 'forca', ...valores: number[]) => ({ caracteristica, valores })

async function setUp(...given: Parameters<typeof setUpPlanned>) {
  const panel = await setUpPlanned(...given)
  /** By 'Medir'; resolves to its id. */
  const take = async (leituras: MeasurementForm['leituras'], more: Partial<MeasurementForm> = {}) => {
    panel.clock.advance(1000)
    const id = randomUUID()
    const headers = { 'idempotency-key': id }
    const payload = measurementOf({ leituras, ...more })
    const answer = await panel.ask(panel.token, { method: 'POST', url: '/api/medicoes', headers, payload })
    expect(answer.statusCode, answer.body).toBe(201)
    return { id, message: answer.json<{ message: string }>().message }
  }
  const details = async () => {
    const rows = await panel.db.read.selectFrom('recording_findings').select('details_json').orderBy('id').execute()
    return rows.map(({ details_json }) => JSON.parse(details_json))
  }
  return { ...panel, take, details }
}

test.each(databases)('a height outside stays outside, whatever force is good after it, on %s', async (database) => {
  const { take, record, details, findings, ask, token } = await setUp('bloquear', { database, plan: both })
  await take([reading('altura', 1100), reading('forca', 70_000)])
  await take([reading('altura', 1170)])
  expect(await record()).toEqual(blocked)
  await take([reading('forca', 72_000)])
  expect(await record(), 'a good sample of force alone').toEqual(blocked)
  expect(await record({ plano: 1, medidoForca: true }), 'a good force typed').toEqual(blocked)
  expect((await record({ plano: 1, medidoForca: true, salvoNoDispositivo: true }))[0]).toBe(202)
  expect(await findings()).toEqual([['bloqueio-sem-rede', 'bloquear', '', false]])
  expect(await details()).toEqual([{ outside: ['altura'], due: [], missing: [] }])
  const url = '/api/planos-de-controle/ocorrencias'
  const [listed] = (await ask(token, { url })).json().ocorrencias
  expect(findingTitle(listed)).toBe('Bloqueio sem rede: altura')
  await take([reading('altura', 1120)])
  expect((await record())[0], 'behind what waits').toBe(202)
})

test('a force typed is no height: the first piece is due until the plan has all that it asks for', async () => {
  const { record, send, token, take } = await setUp('bloquear', { plan: both })
  expect(await record({ plano: 1, medidoForca: true })).toEqual(blocked)
  const answer = await send(token, { ...crimpOf(1), captura: { plano: 1, medidoForca: true } })
  expect(answer.json().message).toBe('Falta medir a primeira peça: altura.')
  await take([reading('altura', 1100)])
  expect(await record({ plano: 1 }), 'no force').toEqual(blocked)
  expect(await record({ plano: 1, medidoForca: true })).toEqual(taken)
  expect(await record({ plano: 1 }), 'each was measured').toEqual(taken)
})

test.each(databases)(
  'the own sample of a press is found, however often others measured since, on %s',
  async (database) => {
    const { measure, record } = await setUp('bloquear', { database })
    await measure()
    for (let times = 0; times < 60; times++) await measure({ machine: 'PR0002 - Mecal', lot: `L-${times % 3}` })
    expect(await record()).toEqual(taken)
    await measure({ verdict: 'fora' })
    for (let times = 0; times < 60; times++) await measure({ machine: 'PR0002 - Mecal' })
    const again = await record()
    expect(again).toEqual(blocked)
  },
)

test('a machine is one however it is written, and another order speaks for itself', async () => {
  const { measure, record } = await setUp('bloquear')
  await measure({ machine: 'kx0001' })
  expect(await record()).toEqual(taken)
  await measure({ verdict: 'fora', order_number: '01621402001' })
  expect(await record()).toEqual(taken)
  await measure({ verdict: 'fora', machine: 'KX0001 - Komax Alpha' })
  expect(await record()).toEqual(blocked)
})

test('a value typed over three good samples is judged, and the worse of both counts', async () => {
  const { take, record, db, findings } = await setUp('bloquear')
  const { id } = await take([reading('altura', 1100, 1101, 1102)])
  const named = { plano: 1, medicoes: [id] }
  const stored = () => db.read.selectFrom('measurements').select('act_id').execute()
  expect(
    await record({ ...named, medidoAltura: false }, { ALTURA_LD1: 1.54 }),
    'and it is said measured by nobody',
  ).toEqual(blocked)
  expect(await stored()).toHaveLength(1)
  expect(await record({ ...named, medidoAltura: true }, { ALTURA_LD1: 1.102 }), 'what the sample gave').toEqual(taken)
  expect(await stored(), 'one fact').toHaveLength(1)
  expect((await record({ ...named, salvoNoDispositivo: true }, { ALTURA_LD1: 1.54 }))[0]).toBe(202)
  expect(await stored(), 'an act of its own').toHaveLength(2)
  expect(await findings()).toEqual([['bloqueio-sem-rede', 'bloquear', '', false]])
})

test('of a bad sample that the recording names a good value typed makes nothing better; of one it does not, it does', async () => {
  const { take, record } = await setUp('bloquear')
  const { id } = await take([reading('altura', 1170)])
  const typed = { plano: 1, medidoAltura: true }
  expect(await record({ ...typed, medicoes: [id] })).toEqual(blocked)
  expect(await record(typed)).toEqual(taken)
})

test('a good value typed over a bad sample that its recording names clears nothing later either: not gate, not count, not what followed', async () => {
  const { take, record, ask, token } = await setUp('bloquear')
  const { id } = await take([reading('altura', 1170)])
  const typedOver = { plano: 1, medidoAltura: true, medicoes: [id], salvoNoDispositivo: true }
  expect((await record(typedOver, { QTD_REALIZADA: 7 }))[0]).toBe(202)
  expect(await record(), 'the sample is the newest that was judged').toEqual(blocked)
  const page = await ask(token, { url: '/api/planos-de-controle/medicoes-fora' })
  expect(page.json().medicoes).toMatchObject([{ id, situacao: 'aberta', leituras: [{ medida: null, apontadas: 7 }] }])
  const again = await ask(token, {
    ...{ method: 'POST', url: '/api/medicoes', headers: { 'idempotency-key': randomUUID() } },
    payload: measurementOf({ leituras: [reading('altura', 1180)] }),
  })
  expect(again.json().pecasDesdeABoa).toBe(7)
})

test('a correction is judged and noted in every mode, never refused, and spends no release: also one that types over the samples it takes along', async () => {
  const { take, findings, leaveToPerson, decide, admin, details, release, db } = await setUp('bloquear')
  const { id } = await take([reading('altura', 1100, 1101, 1102)])
  const named = { ...crimpOf(1), ALTURA_LD1: 1.102, captura: { plano: 1, medidoAltura: true, medicoes: [id] } }
  const liberacao = (await release()).json<Release>().id
  // the page may say that nobody measured it
  const cases = planModes.flatMap((mode) => [false, true].map((medidoAltura) => ({ mode, medidoAltura })))
  const stranded: string[] = []
  for (const _ of cases) stranded.push(await leaveToPerson(named))
  for (const [nth, { mode, medidoAltura }] of cases.entries()) {
    await db.transaction((tx) => saveSetting(tx, PLAN_MODE, mode))
    const corrected = { ...crimpOf(1), ALTURA_LD1: 1.54, captura: { plano: 1, medidoAltura, liberacao } }
    const answer = await decide(admin, stranded[nth] ?? '', 'correcao', corrected, randomUUID())
    expect([200, 201, 202], answer.body).toContain(answer.statusCode)
  }
  expect(await findings()).toEqual(cases.map(({ mode }) => ['fora-do-plano', mode, '', false]))
  expect(await details()).toEqual(cases.map(() => ({ outside: ['altura'], due: [], missing: [] })))
  const own = db.read
    .selectFrom('measurements')
    .select(['verdict', 'readings_json'])
    .where('recording_id', 'is not', null)
  expect(await own.execute(), 'each an act of its own').toEqual(
    cases.map(() => ({ verdict: 'fora', readings_json: '[1540]' })),
  )
  expect(await db.read.selectFrom('releases').select('recording_id').execute()).toEqual([{ recording_id: null }])
})

test('without a plan that holds nothing is missing and nothing refused', async () => {
  const { record, ask, admin, measure, findings } = await setUp('bloquear')
  expect(await record({ plano: 99 }), 'a plan that nobody has made: that of the place holds').toEqual(blocked)
  await measure({ verdict: 'fora', order_number: `${ORDER.slice(0, -1)}2` })
  expect((await ask(admin, { url: '/api/planos-de-controle' })).statusCode).toBe(200)
  expect(await record({})).toEqual(taken)
  expect(await findings()).toEqual([])
})

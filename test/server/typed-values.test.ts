import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { MeasuringContext } from '../../src/contract/measurements.ts'
import type { Capture } from '../../src/contract/recordings.ts'
import { insertPlans } from '../../src/server/store/control-plans.ts'
import { PLAN_MODE, saveSetting } from '../../src/server/store/settings.ts'
import { crimpOf, type Database, databases, measurementOf, UNTOUCHED } from '../support/harness.ts'
import { setUp as openPanel } from '../support/waiting.ts'

const content = {
  ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 } },
  ...{ leiturasAltura: 5, leiturasForca: 3, ultimaPeca: false, instrumento: 'MIC-ALT' },
}

/** A plant that blocks, with plan 1 of five readings with a gauge. */
async function setUp(digitadoVale: boolean, database: Database = 'sqlite') {
  const panel = await openPanel({ database })
  const { db, clock, token, ask } = panel
  await db.transaction(async (tx) => {
    await saveSetting(tx, PLAN_MODE, 'bloquear')
    await insertPlans(tx, [{ plan: { ...content, digitadoVale }, version: 1, from: clock.now() }])
  })
  // its gauge is that of the item's copy
  await ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
  const type = async (alturaMm: number, captura: Capture = {}) => {
    clock.advance(1000)
    const typed = { ...crimpOf(1), ALTURA_LD1: alturaMm, captura: { plano: 1, medidoAltura: true, ...captura } }
    const answer = await panel.record(token, typed)
    return answer.json().code ?? answer.json().status
  }
  const measure = async (valores: number[]) => {
    clock.advance(1000)
    const id = randomUUID()
    const { body } = await ask(token, {
      ...{ method: 'POST', url: '/api/medicoes', headers: { 'idempotency-key': id } },
      payload: measurementOf({ leituras: [{ caracteristica: 'altura', valores }] }),
    })
    expect(body).toContain('medicoes')
    return id
  }
  const newest = async () => {
    const url = `/api/medicoes/do-item/${UNTOUCHED}?filial=010101`
    const { ultimas }: MeasuringContext = (await ask(token, { url })).json()
    return ultimas.map(({ valores, digitado }) => [valores[0], digitado ?? false])
  }
  return { ...panel, type, measure, newest }
}

test.each(databases)(
  'one typed number is no sample of a plan that wants its readings measured, and clears nothing, on %s',
  async (database) => {
    const { type, measure, newest } = await setUp(false, database)
    expect(await type(1.1), 'the first piece').toBe('plan_not_met')
    const good = await measure([1100, 1101, 1102, 1103, 1104])
    expect(await type(1.11, { medicoes: [good], medidoAltura: false }), 'what was measured').toBe('enviado')
    expect(await type(1.12), 'beside a sample').toBe('enviado')
    expect(await newest(), 'a tablet is told which is which, and has both').toEqual([
      [1120, true],
      [1100, false],
    ])
    await measure([1160, 1101, 1102, 1103, 1104])
    expect(await type(1.1), 'a sample outside').toBe('plan_not_met')
    await measure([1100, 1101, 1102, 1103, 1104])
    expect(await type(1.2), 'outside it is, as whatever happened').toBe('plan_not_met')
    expect(await type(1.1)).toBe('enviado')
  },
)

test('until somebody says no it is one', async () => {
  const { type } = await setUp(true)
  expect(await type(1.1)).toBe('enviado')
})

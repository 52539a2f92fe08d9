import { expect, test } from 'vitest'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { insertApplicator } from '../../src/server/store/applicators.ts'
import { crimpOf } from '../support/harness.ts'
import { setUpMeasuring } from '../support/measuring.ts'
import { setUpPlanned } from '../support/planned.ts'

async function setUp() {
  const panel = await setUpMeasuring()
  const { db, clock, plan, ask, token } = panel
  await plan()
  await db.transaction(async (tx) => {
    for (const [terminal, miniaplicator] of [
      ['T1326030', 'MA-0001'],
      ['T0925590', 'MA-0002'],
    ] as const)
      await insertApplicator(tx, { terminal, miniaplicator, at: clock.now() })
  })
  await ask(token, { url: '/api/maquinas?filial=010101&tipo=terminal-l1' })
  return panel
}

test('a sample of another terminal, tool, order or machine than its item has is judged and noted, and in no chart', async () => {
  const { measure, rows } = await setUp()
  await measure()
  await measure({ maquina: 'kx0002' })
  await measure({ terminal: 'T0925590' })
  await measure({ miniaplicador: 'ma-0002' })
  await measure({ ordem: '01629901001' })
  await measure({ maquina: 'PR9999' })
  await measure({ miniaplicador: 'MA-0777' })
  const found = (await rows()).map(({ findings, charted, verdict }) => [findings, charted, verdict])
  const [own, other] = [
    ['', 1, 'dentro'],
    ['nao-confere', 0, 'dentro'],
  ]
  expect(found).toEqual([own, own, ['nao-confere', 0, 'sem-plano'], other, other, other, own])
})

test('so is what a recording itself measured of a terminal that its item has not', async () => {
  const { record, token, rows } = await setUp()
  const captura: CutCrimpRecording['captura'] = { medidoAltura: true }
  await record(token, { ...crimpOf(1), captura })
  await record(token, { ...crimpOf(1), TERM_LD1: 'T0925590', captura })
  const found = (await rows()).map(({ findings, charted }) => [findings, charted])
  expect(found).toEqual([
    ['', 1],
    ['nao-confere', 0],
  ])
})

test('two wires in a terminal, and a tool that is not registered, are noted where the terminal has a plan', async () => {
  const { record, findings } = await setUpPlanned('bloquear')
  expect((await record({ doisFios: true }))[0]).toBe(201)
  expect((await record({ plano: 1, doisFios: true }))[0]).toBe(201)
  expect((await record({ medidoAltura: false }, { MA_LD1: 'Sem Cadastro' }))[0]).toBe(201)
  const noted = ['nao-julgado', 'bloquear', '', false]
  expect(await findings()).toEqual([noted, noted, noted])
  const other = await setUpPlanned('observar', { plan: { terminal: 'T0000000' } })
  expect((await other.record({ doisFios: true }))[0]).toBe(201)
  expect((await other.record({}, { MA_LD1: 'Sem Cadastro' }))[0]).toBe(201)
  expect(await other.findings()).toEqual([])
})

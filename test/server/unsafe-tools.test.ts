import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CrimpCounter, SafetyCondition } from '../../src/contract/crimp-counters.ts'
import type { Capture } from '../../src/contract/recordings.ts'
import type { PlanFinding } from '../../src/contract/releases.ts'
import { fillUnsafeTools } from '../../src/server/store/crimp-counters.ts'
import { callOf, crimpOf, type Database, databases } from '../support/harness.ts'
import { setUp as openPanel } from '../support/waiting.ts'

const unit = { miniaplicator: 'MA-0001' }
const URL = '/api/crimpagens/MA-0001'
const recordOf = (safetyCondition: SafetyCondition) => ({
  maintenanceRecord: { serviceDone: 'Guia trocada', parts: '', safetyCondition, responsible: 'Ana Lima' },
})

async function setUp(database: Database = 'sqlite') {
  const panel = await openPanel({ database })
  const { clock, token, admin, ask, db } = panel
  const pair = { terminal: 'T1326030', miniaplicator: 'MA-0001' }
  await ask(admin, { method: 'POST', url: '/api/miniaplicadores', payload: pair })
  const reset = async (safety?: SafetyCondition) => {
    clock.advance(1000)
    const payload = { ...unit, newLimitOfCrimps: 100_000, ...(safety ? recordOf(safety) : {}) }
    expect((await ask(admin, { method: 'POST', url: `${URL}/reset`, payload })).statusCode).toBe(200)
    return new Date(clock.now()).toISOString()
  }
  const record = async (captura: Capture = {}) => {
    clock.advance(1000)
    expect((await panel.record(token, { ...crimpOf(1), captura })).statusCode).toBeLessThan(300)
  }
  const since = async () => (await ask(token, { url: URL })).json<CrimpCounter>().unsafeSince
  const findings = async (): Promise<PlanFinding[]> =>
    (await ask(token, { url: '/api/planos-de-controle/ocorrencias' })).json().ocorrencias
  const refill = async () => {
    await db.transaction((tx) => tx.updateTable('applicator_units').set({ unsafe_since: null }).execute())
    await db.transaction(fillUnsafeTools)
  }
  return { ...panel, reset, record, since, findings, refill }
}

test.each(databases)(
  'work with a tool that was declared unsafe is noted until it is safe again, on %s',
  async (database) => {
    const { reset, record, since, findings, refill, clock, ask, admin } = await setUp(database)
    await record()
    expect(await since()).toBeNull()
    const at = await reset('insegura')
    const before = new Date(clock.now() - 500).toISOString()
    await record({ registradoEm: before, salvoNoDispositivo: true })
    expect(await findings(), 'made before, whenever it comes').toEqual([])
    expect(await since()).toBe(at)
    await reset()
    await refill()
    expect(await since(), 'a reset without a record says nothing of it').toBe(at)
    await record({ salvoNoDispositivo: true })
    expect(await findings()).toMatchObject([
      { achado: 'ferramenta-insegura', modo: 'observar', terminal: 'T1326030', pecas: 1 },
    ])
    await reset('segura-com-restricoes')
    await refill()
    expect(await since()).toBeNull()
    await record({ salvoNoDispositivo: true })
    expect(await findings()).toHaveLength(1)

    const { chamado } = (
      await ask(admin, {
        method: 'POST',
        url: '/api/chamados',
        headers: { 'idempotency-key': randomUUID() },
        payload: callOf({ miniaplicador: 'MA-0001' }),
      })
    ).json()
    const payload = { causa: 'sem-defeito', ...recordOf('insegura') }
    clock.advance(1000)
    expect((await ask(admin, { method: 'POST', url: `/api/chamados/${chamado.id}/solucao`, payload })).statusCode).toBe(
      200,
    )
    const called = await since()
    expect(called).not.toBeNull()
    await refill()
    expect(await since(), 'what the records say is what a start finds').toBe(called)
  },
)

import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { addUser, callOf, databases, openTestPanel } from '../support/harness.ts'
import { findCallOffences } from '../support/promises/called-plant.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { type Outcome, recordAlone, startTcpProxy } from '../support/promises/tcp-proxy.ts'
import { inLanes } from '../support/promises/workload.ts'

const LANES = 8
const GAP_MS_MAX = 50
/** Few enough that presses about the same thing meet. */
const MACHINES = 5

type Panel = Awaited<ReturnType<typeof openTestPanel>>

/** Two tabs fire each press over a network that loses answers; each repeats it under its id until it hears one. */
async function fireTwice(panel: Panel, count: number): Promise<string[]> {
  const random = randomFor(SEED, 'presses')
  await addUser(panel.context, { username: 'operador' })
  const tabs = [(await panel.login('operador')).token, (await panel.login('operador')).token]
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = panel.app.server.address() as AddressInfo
  const outcomes: [Outcome, number][] = [
    ['swallow', 30],
    ['cut', 10],
    ['pass', 60],
  ]
  const proxy = await startTcpProxy(
    () => port,
    () => random.weighted(outcomes),
  )
  const answered = new Set<string>()
  const press = async (id: string, body: string, token = ''): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
    let status: number | null = null
    while (status === null) status = await recordAlone(proxy.port, headers, body, '/api/chamados')
    expect([200, 201]).toContain(status)
    answered.add(id)
  }
  await inLanes(Array.from({ length: count }), LANES, async () => {
    const id = randomUUID()
    const body = JSON.stringify(callOf({ maquina: `PR ${random.between(1, MACHINES)}` }))
    const first = press(id, body, tabs[0])
    if (random.chance(0.7)) await new Promise((resolve) => setTimeout(resolve, random.between(1, GAP_MS_MAX)))
    await Promise.all([first, press(id, body, tabs[1])])
  })
  report('P5 and P15 calls', { presses: count, swallowed: proxy.counts.swallow }, { answered: answered.size })
  const calls = await panel.db.read.selectFrom('maintenance_calls').select('machine').execute()
  const machines = new Set(calls.map(({ machine }) => machine))
  const twice = calls.length === machines.size ? [] : [`${calls.length} calls about ${machines.size} machines`]
  return [...twice, ...(await findCallOffences(answered, panel.db))]
}

describe('P5 and P15: calls whose answers are lost, and that are fired twice', () => {
  const { presses } = sizeOf('p05Calls')

  test.each(databases)(
    `${presses} presses, each once, one open call for what they are about, on %s`,
    async (database) => {
      expect(await fireTwice(await openTestPanel({ database }), presses)).toEqual([])
    },
  )

  test('it notices when a repeated id is taken for a new one', async () => {
    const panel = await openTestPanel()
    panel.app.addHook('preHandler', async ({ headers }) => {
      if (headers['idempotency-key']) headers['idempotency-key'] = randomUUID()
    })
    expect(await fireTwice(panel, smallOf('p05Calls').presses)).toContainEqual(
      expect.stringContaining('nobody saw them answered'),
    )
  })
})

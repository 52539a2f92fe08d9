import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { addUser, databases, openTestPanel } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { type Outcome, recordAlone, startTcpProxy } from '../support/promises/tcp-proxy.ts'
import {
  countsWithoutErp,
  findOffencesWithoutErp,
  kindsWithoutErp,
  nothingAnswered,
} from '../support/promises/without-erp.ts'
import { inLanes } from '../support/promises/workload.ts'

const LANES = 8
const GAP_MS_MAX = 50
/** Few enough that presses about the same thing meet. */
const SUBJECTS = 5
/** Within what one person may call at once. */
const PRESSES_OF_PERSON = 10

/** Where each repetition counts as another call, a tablet waits. */
const WAIT_MS = 3000
/** No verdict about the act: too many calls, and a database that a busy machine left silent for too long. */
const UNDECIDED: (number | null)[] = [null, 429, 503]

type Panel = Awaited<ReturnType<typeof openTestPanel>>

/** Two tabs fire each press over a network that loses answers; each repeats it under its id until it hears one. */
async function fireTwice(panel: Panel, count: number): Promise<string[]> {
  const random = randomFor(SEED, 'presses')
  const tabs: [string, string][] = []
  for (let person = 0; person < count / PRESSES_OF_PERSON; person++) {
    const username = `operador-${person}`
    await addUser(panel.context, { username })
    tabs.push([(await panel.login(username)).token, (await panel.login(username)).token])
  }
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
  const answered = nothingAnswered()
  const press = async (kind: number, id: string, body: string, token: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
    let status: number | null = null
    while (UNDECIDED.includes(status)) {
      if (status === 429) panel.clock.advance(WAIT_MS)
      status = await recordAlone(proxy.port, headers, body, kindsWithoutErp[kind]?.path)
    }
    expect([200, 201]).toContain(status)
    answered[kind]?.add(id)
  }
  const presses = kindsWithoutErp.flatMap((_, kind) => Array.from({ length: count }, () => kind))
  let pressed = 0
  await inLanes(presses, LANES, async (kind) => {
    const [first = '', second = ''] = tabs[pressed++ % tabs.length] ?? []
    const id = randomUUID()
    const body = JSON.stringify(kindsWithoutErp[kind]?.bodyOf(String(random.between(1, SUBJECTS))))
    const earlier = press(kind, id, body, first)
    if (random.chance(0.7)) await new Promise((resolve) => setTimeout(resolve, random.between(1, GAP_MS_MAX)))
    await Promise.all([earlier, press(kind, id, body, second)])
  })
  const sizes = { presses: count, swallowed: proxy.counts.swallow }
  report('P5 and P15 without an ERP', sizes, countsWithoutErp(answered))
  return await findOffencesWithoutErp(answered, panel.db)
}

describe('P5 and P15: calls, measurements and scraps whose answers are lost, and that are fired twice', () => {
  const { presses } = sizeOf('p05WithoutErp')

  test.each(databases)(`${presses} presses of each kind, each once, on %s`, async (database) => {
    expect(await fireTwice(await openTestPanel({ database }), presses)).toEqual([])
  })

  test('it notices when a repeated id is taken for a new one', async () => {
    const panel = await openTestPanel()
    panel.app.addHook('preHandler', async ({ headers }) => {
      if (headers['idempotency-key']) headers['idempotency-key'] = randomUUID()
    })
    const found = await fireTwice(panel, smallOf('p05WithoutErp').presses)
    expect(found).toContainEqual(expect.stringContaining('presses are here and nobody saw them answered'))
    expect(found).toContainEqual(expect.stringContaining('acts are here and nobody saw them answered'))
    expect(found).toContainEqual(expect.stringContaining('scraps are here and nobody saw them answered'))
  })
})

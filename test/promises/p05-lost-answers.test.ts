import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { databases } from '../support/harness.ts'
import { type LoadedPanel, openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { type Outcome, recordAlone, startTcpProxy } from '../support/promises/tcp-proxy.ts'
import { inLanes, recordingOf } from '../support/promises/workload.ts'

const { swallowed } = sizeOf('p05')
const LANES = 4

/** Operators record over a network that loses answers; each repeats what it got no answer for under the same id. */
async function recordOverBadNetwork(panel: LoadedPanel, count: number) {
  const random = randomFor(SEED, 'fates')
  await panel.app.listen({ host: '127.0.0.1', port: 0 })
  const fates: [Outcome, number][] = [
    ['swallow', 45],
    ['cut', 15],
    ['pass', 40],
  ]
  const server = panel.app.server.address() as AddressInfo
  const proxy = await startTcpProxy(
    () => server.port,
    () => random.weighted(fates),
  )
  const settled = new Map<string, CutCrimpRecording>()
  await inLanes(Array.from({ length: LANES }), LANES, async () => {
    while (proxy.counts.swallow < count) {
      const id = randomUUID()
      const payload = recordingOf(random.pick(panel.sections), 1)
      const headers = { authorization: `Bearer ${panel.token}`, 'idempotency-key': id }
      let status: number | null = null
      while (status === null) status = await recordAlone(proxy.port, headers, JSON.stringify(payload))
      if (status < 300) settled.set(id, payload)
      else expect(status).toBe(409)
    }
  })
  await untilNothingWaits(panel)
  const seen = { settled, writes: panel.simulator.state.writes }
  return { ...seen, counts: proxy.counts, offences: await findOffences(seen, panel.db) }
}

describe('P5: the answer is lost after the commit', () => {
  test.each(databases)(`${swallowed} swallowed answers, one record each, on %s`, async (database) => {
    const panel = await openLoadedPanel({ database, piecesMin: 2 * swallowed })
    const { offences, settled, writes, counts } = await recordOverBadNetwork(panel, swallowed)
    report(
      `P5 ${database}`,
      { swallowed: counts.swallow, cut: counts.cut },
      { settled: settled.size, atErp: writes.length },
    )
    expect(offences).toEqual([])
    expect(counts.swallow).toBeGreaterThanOrEqual(swallowed)
    expect(settled.size).toBeGreaterThan(swallowed / 2)
  })

  test('it notices when a repeated id is taken for a new one', async () => {
    const bend: Parameters<typeof openLoadedPanel>[0]['bend'] = (app) => {
      app.addHook('preHandler', async ({ headers }) => {
        if (headers['idempotency-key']) headers['idempotency-key'] = randomUUID()
      })
    }
    const { offences } = await recordOverBadNetwork(await openLoadedPanel({ bend }), smallOf('p05').swallowed)
    expect(offences).toContainEqual(expect.stringContaining('nobody saw'))
  })
})

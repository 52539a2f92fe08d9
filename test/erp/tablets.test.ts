import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { addUser, openTestPanel } from '../support/harness.ts'
import { inLanes, largeOrders, recordingOf, searchPath, sectionsOf } from '../support/promises/workload.ts'
import { SOON } from '../support/slowness.ts'

const TABLETS = 30
const RECORDINGS_EACH = 4
const [order = ''] = largeOrders

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** More is asked of the ERP at once than it has workers for: it turns calls away, and may have executed none of them. */
test(`${TABLETS} tablets at once, and an ERP with one worker that turns many away: nothing lost, nothing twice`, async () => {
  const panel = await openTestPanel({
    env: { ERP_MAX_CONCURRENT: '4' },
    simulator: { instances: 1, speed: 0.05, acceptTimeoutMs: 60, dedup: false, now: Date.now },
    answerWait: () => AbortSignal.timeout(2500),
    // the waits before a repeat are part of what is looked at
    clock: { now: Date.now, elapsedMs: () => performance.now(), advance: () => {}, set: () => {} },
  })
  panel.context.outbox.start()
  const { state } = panel.simulator
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const found = await panel.ask(token, { url: searchPath(order) })
  const sections = sectionsOf(found.json<{ items: CutItem[] }>().items)
  const waitsMs: number[] = []
  const accepted = new Map<string, number>()
  await inLanes(sections.slice(0, TABLETS), TABLETS, async (section) => {
    for (let n = 0; n < RECORDINGS_EACH; n++) {
      const id = randomUUID()
      const begunMs = performance.now()
      const { statusCode } = await panel.record(token, recordingOf(section, 1), id)
      waitsMs.push(performance.now() - begunMs)
      expect([201, 202]).toContain(statusCode)
      accepted.set(id, statusCode)
    }
  })
  const busy = state.log.filter(({ operation, outcome }) => operation === 'apontamentos' && outcome === 503).length
  expect(busy).toBeGreaterThan(0)
  const pending = async () => (await panel.app.inject('/api/status')).json<{ pending: number }>().pending
  await vi.waitUntil(async () => (await pending()) === 0, { ...SOON, interval: 100 })
  const waited = [...accepted.values()].filter((status) => status === 202).length
  console.log(
    `${TABLETS} tablets on one ERP worker, ${accepted.size} recordings: median wait ${Math.round(median(waitsMs))} ms, ${waited} told as waiting, ${busy} answers 'Server Busy'`,
  )
  expect(state.writes.map(({ id }) => id).sort()).toEqual([...accepted.keys()].sort())
  expect(state.openCallsMax).toBeLessThanOrEqual(4)
  expect(await listCounterDeviations(panel.db.read)).toEqual([])
})

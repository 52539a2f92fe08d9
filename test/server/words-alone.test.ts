import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { cutOf } from '../support/harness.ts'
import { limitMs, SOON } from '../support/slowness.ts'
import { setUp } from '../support/waiting.ts'

const MINUTE_MS = 60_000
/** Not stored: it speaks of something else. */
const login = {
  id: 'F34',
  variant: 'verbatim',
  message: '200 {"message":"Login realizado com sucesso"}',
  operation: 'apontamentos',
} as const
/** Stored, and said in one sentence. */
const said = { id: 'F39', operation: 'apontamentos', count: null } as const

type Panel = Awaited<ReturnType<typeof setUp>>
const open = (lookup: 'id' | 'none', more: Partial<Parameters<typeof setUp>[0]> = {}) =>
  setUp({ env: { ERP_LOOKUP: lookup }, simulator: { lookup: lookup === 'id', dedup: false }, ...more })
const inquiries = ({ simulator }: Panel) =>
  simulator.state.log.filter(({ operation }) => operation === 'integracoes').length

test('words alone confirm nothing that the look-up does not know; it is sent again when both witnesses say so', async () => {
  const panel = await open('id')
  await panel.record(panel.token, cutOf(1))
  await panel.simulator.state.setFaults([login])
  const id = randomUUID()
  expect((await panel.record(panel.token, cutOf(2), id)).statusCode).toBe(202)
  expect([await panel.stateOf(id), panel.simulator.state.writes.length]).toEqual(['waiting', 1])
  for (let minute = 0; minute < 5; minute++) {
    panel.clock.advance(MINUTE_MS)
    await panel.deliverDue()
  }
  expect(await panel.stateOf(id)).toBe('delivered')
  expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 2])
})

test('words alone that are true are confirmed by one look-up each, within the wait of who registers', async () => {
  const panel = await open('id')
  await panel.record(panel.token, cutOf(1))
  await panel.simulator.state.setFaults([said])
  await panel.record(panel.token, cutOf(1))
  const before = inquiries(panel)
  const answer = await panel.record(panel.token, cutOf(1))
  expect([answer.statusCode, answer.json().message]).toEqual([201, 'Registro incluído com sucesso.'])
  expect(inquiries(panel) - before).toBe(1)
})

test.each(['id', 'none'] as const)(
  'words alone are enough where no look-up is known to work: asked by %s',
  async (lookup) => {
    const panel = await open(lookup)
    await panel.simulator.state.setFaults([said])
    expect((await panel.record(panel.token, cutOf(1))).statusCode).toBe(201)
  },
)

test('who registers waits no longer than the answer may take, though the look-up hangs; it is delivered later', async () => {
  let answerBy = new AbortController()
  const panel = await open('id', { timeouts: { readMs: limitMs(2000) }, answerWait: () => answerBy.signal })
  await panel.record(panel.token, cutOf(1))
  answerBy = new AbortController()
  await panel.simulator.state.setFaults([said, { id: 'F01', operation: 'integracoes', ms: 60_000, count: 2 }])
  const id = randomUUID()
  const answer = panel.record(panel.token, cutOf(1), id)
  await vi.waitUntil(() => panel.simulator.state.writes.length === 2, SOON)
  answerBy.abort()
  expect((await answer).statusCode).toBe(202)
  await panel.simulator.state.setFaults([])
  await vi.waitUntil(async () => {
    panel.clock.advance(1000)
    await panel.deliverDue()
    return (await panel.stateOf(id)) === 'delivered'
  }, SOON)
  expect(panel.simulator.state.writes).toHaveLength(2)
})

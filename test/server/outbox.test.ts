import { describe, expect, test, vi } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { addUser, cutOf, databases, noWait, ORDER, openStore, openTestPanel } from '../support/harness.ts'
import { largeOrders, recordingOf, searchPath, sectionsOf } from '../support/promises/workload.ts'
import { SOON } from '../support/slowness.ts'

const SLOTS = 2
const WAITING = 12
const [order = ''] = largeOrders

test('while the ERP works on as many as it may, the next are prepared, and the rest waits in the store', async () => {
  const panel = await openTestPanel({
    env: { ERP_MAX_CONCURRENT: String(SLOTS) },
    simulator: { silenceMs: Number.POSITIVE_INFINITY },
    answerWait: noWait,
  })
  const { simulator, context, db } = panel
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  const found = await panel.ask(token, { url: searchPath(order) })
  const sections = sectionsOf(found.json<{ items: CutItem[] }>().items)
  await panel.record(token, recordingOf(sections[WAITING] as (typeof sections)[0], 1))
  await simulator.state.setFaults([{ id: 'F04', operation: 'apontamentos', count: null }])
  for (const section of sections.slice(0, WAITING)) {
    expect((await panel.record(token, recordingOf(section, 1))).statusCode).toBe(202)
  }
  await simulator.state.setFaults([{ id: 'F05', count: null }])
  panel.clock.advance(600_000)
  context.outbox.start()
  const countOf = async (state: 'sending' | 'new') => {
    const rows = await db.read.selectFrom('erp_outbox').select('id').where('state', '=', state).execute()
    return rows.length
  }
  await vi.waitUntil(() => simulator.state.log.filter(({ outcome }) => outcome === 'silence').length === SLOTS, SOON)
  await vi.waitUntil(async () => (await countOf('sending')) > SLOTS, SOON)
  expect(await countOf('new')).toBeGreaterThanOrEqual(WAITING - 2 * SLOTS)
  expect(simulator.state.openCallsMax).toBe(SLOTS)
  await context.erp.close()
})

test('what is unknown and cannot be asked about at once is asked 2 s later, and then found', async () => {
  const panel = await openTestPanel({})
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.simulator.state.setFaults([
    { id: 'F06', variant: 'reset' },
    { id: 'F11', operation: 'integracoes' },
  ])
  expect((await panel.record(token, cutOf(1))).statusCode).toBe(202)
  const inquiries = () => panel.simulator.state.log.filter(({ operation }) => operation === 'integracoes').length
  panel.clock.advance(1999)
  await panel.context.outbox.deliverDue()
  expect(inquiries()).toBe(1)
  panel.clock.advance(1)
  await panel.context.outbox.deliverDue()
  expect(inquiries()).toBe(2)
  expect((await panel.app.inject('/api/status')).json()).toMatchObject({ pending: 0 })
  expect(panel.simulator.state.writes).toHaveLength(1)
})

/** How many commits each of some recordings takes, one after the other. */
async function commitsOf(recordings: number, options: Parameters<typeof openTestPanel>[0]): Promise<number[]> {
  const db = await openStore(options?.database ?? 'sqlite')
  let commits = 0
  const counting: Db = {
    ...db,
    transaction(work) {
      commits++
      return db.transaction(work)
    },
  }
  const panel = await openTestPanel({ ...options, db: counting })
  await addUser(panel.context, { username: 'operador' })
  const { token } = await panel.login('operador')
  await panel.ask(token, { url: searchPath(ORDER) })
  const counts: number[] = []
  for (let done = 0; done < recordings; done++) {
    const before = commits
    expect((await panel.record(token, cutOf(1))).statusCode).toBe(201)
    counts.push(commits - before)
  }
  return counts
}

describe.each(databases)('a recording that the ERP confirms at once, on %s', (database) => {
  test('takes three commits once the look-up by id has found one: accepted, sending, settled', async () => {
    expect((await commitsOf(4, { database })).slice(2)).toEqual([3, 3])
  })

  test('takes four where only the quantity can answer, and the ERP is read between lease and sending', async () => {
    const counts = await commitsOf(2, { database, env: { ERP_LOOKUP: 'none' }, simulator: { lookup: false } })
    expect(counts).toEqual([4, 4])
  })
})

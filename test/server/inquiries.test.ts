import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { beginEpoch } from '../../src/server/store/epochs.ts'
import { cutOf, openTestPanel, type TestPanel } from '../support/harness.ts'
import { savedOnTablet, setUp } from '../support/waiting.ts'

const MINUTE_MS = 60_000
/** As a plant has them: what is unknown is old enough 150 s after this process first knew of it. */
const timeouts = { writeMs: MINUTE_MS, queueMs: MINUTE_MS / 2 }
const STEP_MS = 1000
/** Answers with a page, and has stored nothing. */
const crash = { id: 'F11', operation: 'apontamentos', count: null } as const

type Lookup = 'id' | 'none'
const optionsOf = (lookup: Lookup) => ({
  env: { ERP_LOOKUP: lookup },
  simulator: { lookup: lookup === 'id', dedup: false },
  timeouts,
})

/** A new process on the same database, in front of the same ERP. */
async function restart({ context, db, clock }: TestPanel, lookup: Lookup) {
  await context.outbox.stop(1000)
  const begunMs = clock.elapsedMs()
  const ownClock = { ...clock, elapsedMs: () => clock.elapsedMs() - begunMs }
  return await openTestPanel({ ...optionsOf(lookup), db, clock: ownClock, gateway: () => context.erp })
}

/** Seconds until nothing waits any more. */
async function secondsUntilDelivered({ context, clock, db }: TestPanel): Promise<number> {
  const begunMs = clock.elapsedMs()
  for (;;) {
    await context.outbox.deliverDue()
    const waiting = await db.read.selectFrom('recordings').select('id').where('state', '=', 'waiting').execute()
    const secondsPassed = (clock.elapsedMs() - begunMs) / 1000
    if (waiting.length === 0 || secondsPassed > 3600) return secondsPassed
    clock.advance(STEP_MS)
  }
}

type Panel = Awaited<ReturnType<typeof setUp>>

async function letPass(panel: Panel, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    panel.clock.advance(STEP_MS)
    await panel.context.outbox.deliverDue()
  }
}

const ids = Array.from({ length: 3 }, () => randomUUID())
/** The ERP has not stored the first; the others of its section wait behind it. */
async function record(panel: Panel): Promise<void> {
  for (const id of ids) await panel.record(panel.token, savedOnTablet(cutOf(1)), id)
  await panel.context.outbox.deliverDue()
}

const storedIds = ({ simulator }: Panel) => simulator.state.writes.map(({ id }) => id).slice(1)

test.each<[Lookup, number]>([
  ['id', 160],
  ['none', 230],
])(
  'a process that begins anew, asking by %s, lets nothing wait behind an unknown write for more than %i s',
  async (lookup, secondsMax) => {
    const panel = await setUp(optionsOf(lookup))
    await panel.record(panel.token, cutOf(1))
    await panel.simulator.state.setFaults([crash])
    await record(panel)
    await letPass(panel, 100_000)
    await panel.simulator.state.setFaults([])
    expect(await secondsUntilDelivered(await restart(panel, lookup))).toBeLessThanOrEqual(secondsMax)
    expect(storedIds(panel)).toEqual(ids)
  },
)

test('an ERP that was in trouble for hours is asked soon after a restart, not by the ladder of before', async () => {
  const panel = await setUp(optionsOf('id'))
  await panel.record(panel.token, cutOf(1))
  await panel.simulator.state.setFaults([crash, { ...crash, operation: 'integracoes' }])
  await record(panel)
  await letPass(panel, 62 * MINUTE_MS)
  await panel.simulator.state.setFaults([])
  expect(await secondsUntilDelivered(await restart(panel, 'id'))).toBeLessThanOrEqual(160)
  expect(storedIds(panel)).toEqual(ids)
})

test('what a restored database does not know of is of one age, however many wait one behind the other', async () => {
  const panel = await setUp(optionsOf('id'))
  await panel.record(panel.token, cutOf(1))
  await panel.erpIs('down')
  await record(panel)
  await panel.db.transaction((tx) => beginEpoch(tx, panel.clock.now()))
  await panel.erpIs('up')
  expect(await secondsUntilDelivered(await restart(panel, 'id'))).toBeLessThanOrEqual(165)
  expect(storedIds(panel)).toEqual(ids)
})

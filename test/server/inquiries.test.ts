import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { beginEpoch } from '../../src/server/store/epochs.ts'
import { cutOf, ORDER, openTestPanel, type TestPanel } from '../support/harness.ts'
import { recordingOf, searchPath, sectionsOf } from '../support/promises/workload.ts'
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

/** The node that is asked about what was sent lacks the look-up; those that are asked about anything else have it. */
async function openBesideLacking() {
  let lost: string | undefined
  let office: ErpGateway | undefined
  const panel = await setUp({
    ...optionsOf('id'),
    gateway: (erp) => {
      office = erp
      return {
        ...erp,
        findByIntegrationId: async (query) =>
          query.integrationId === lost ? null : await erp.findByIntegrationId(query),
      }
    },
  })
  await panel.record(panel.token, cutOf(1))
  // an answer lost once shows that the look-up works
  await panel.simulator.state.setFaults([{ id: 'F06', variant: 'reset', operation: 'apontamentos' }])
  await panel.record(panel.token, cutOf(1))
  const lose = async (fault: 'F06' | 'F11') => {
    lost = randomUUID()
    await panel.simulator.state.setFaults([{ id: fault, variant: 'reset', operation: 'apontamentos' }])
    await panel.record(panel.token, cutOf(3), lost)
    return lost
  }
  const writeElsewhere = async (pieces: number) =>
    await office?.recordCutCrimp({ branch: '010101', payload: cutOf(pieces), integrationId: randomUUID() })
  const pieces = () => panel.simulator.state.writes.slice(2).map((write) => write.pieces)
  return { ...panel, lose, writeElsewhere, pieces }
}

test('an id that one node does not know is not sent again where the quantity has risen by it', async () => {
  const panel = await openBesideLacking()
  const id = await panel.lose('F06')
  await letPass(panel, 4 * MINUTE_MS)
  expect([await panel.stateOf(id), panel.pieces()]).toEqual(['delivered', [3]])
})

test('an id that is unknown is sent again where the quantity is as before', async () => {
  const panel = await openBesideLacking()
  const id = await panel.lose('F11')
  await letPass(panel, 4 * MINUTE_MS)
  expect([await panel.stateOf(id), panel.pieces()]).toEqual(['delivered', [3]])
})

test.each(['F06', 'F11'] as const)(
  'where the quantity says neither (%s), it is asked again, then a person, and never sent again',
  async (fault) => {
    const panel = await openBesideLacking()
    const id = await panel.lose(fault)
    await panel.writeElsewhere(5)
    await letPass(panel, 4 * MINUTE_MS)
    expect(await panel.stateOf(id)).toBe('waiting')
    for (let quarter = 0; quarter < 110; quarter++) {
      panel.clock.advance(15 * MINUTE_MS)
      await panel.context.outbox.deliverDue()
    }
    expect([await panel.stateOf(id), panel.pieces()]).toEqual(['uncertain', fault === 'F06' ? [3, 5] : [5]])
    expect(panel.errors.splice(0)).toHaveLength(1)
  },
)

test('what was read more than a minute ago is read again before a sending, and once for all that wait of an order', async () => {
  const panel = await setUp(optionsOf('id'))
  await panel.record(panel.token, cutOf(1))
  await panel.simulator.state.setFaults([{ id: 'F06', variant: 'reset', operation: 'apontamentos' }])
  await panel.record(panel.token, cutOf(1))
  await panel.erpIs('down')
  await panel.ask(panel.token, { url: searchPath(ORDER) })
  const { items } = (await panel.ask(panel.token, { url: searchPath(ORDER) })).json<{ items: CutItem[] }>()
  const sections = sectionsOf(items).slice(0, 12)
  for (const section of sections) await panel.record(panel.token, savedOnTablet(recordingOf(section, 1)))
  await panel.erpIs('up')
  panel.clock.advance(61_000)
  const reads = () => panel.simulator.state.log.filter(({ operation }) => operation === 'itens').length
  const before = reads()
  await panel.deliverDue()
  expect(panel.simulator.state.writes).toHaveLength(2 + sections.length)
  expect(reads() - before).toBeLessThanOrEqual(3)
  expect(reads() - before).toBeGreaterThan(0)
})

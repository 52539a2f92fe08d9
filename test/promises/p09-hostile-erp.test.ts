import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import { randomFor } from '../../demo/simulator/random.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import type { ErpGateway } from '../../src/server/erp/gateway.ts'
import { noWait } from '../support/harness.ts'
import { openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { inLanes, recordingOf } from '../support/promises/workload.ts'
import { mutants } from '../support/simulation/mutants.ts'

const { deliveries } = sizeOf('p09')
const NEED_A_PERSON_MAX = 0.001
const BAD_SHARE = 0.3

/** Independent of each other: together they spoil three writes in ten. */
const CHANCE = 1 - (1 - BAD_SHARE) ** (1 / 5)
const bad = { operation: 'apontamentos', count: null, chance: CHANCE } as const
const erpFaults: Fault[] = [
  { id: 'F05', ...bad },
  { id: 'F06', variant: 'reset', ...bad },
  { id: 'F06', ...bad },
  { id: 'F07', ...bad },
  { id: 'F11', ...bad },
  // it is in no better mood when it is asked afterwards
  { id: 'F11', operation: 'integracoes', count: null, chance: 0.1 },
  { id: 'F11', operation: 'itens', count: null, chance: 0.1 },
]

type Lookup = 'id' | 'none'

type Harm = { mistake?: (erp: ErpGateway) => ErpGateway; lackingShare?: number }

async function deliverToHostileErp(count: number, lookup: Lookup, { mistake, lackingShare = 0 }: Harm = {}) {
  const nodes = randomFor(SEED, 'nodes')
  const random = randomFor(SEED, 'deliveries')
  let open = 0
  const counting = (erp: ErpGateway): ErpGateway => ({
    ...erp,
    async recordCutCrimp(write) {
      const outcome = await erp.recordCutCrimp(write)
      if (outcome.outcome === 'unknown') open++
      return outcome
    },
    // a node without the service answers 404 in JSON, as one that has it does of an id that it does not know
    findByIntegrationId: async (query) => (nodes.next() < lackingShare ? null : await erp.findByIntegrationId(query)),
  })
  const panel = await openLoadedPanel({
    piecesMin: 4 * count,
    simulator: { lookup: lookup === 'id' },
    env: { ERP_LOOKUP: lookup },
    answerWait: noWait,
    gateway: (erp) => (mistake ? mistake(counting(erp)) : counting(erp)),
  })
  await panel.simulator.state.setFaults(erpFaults)
  const accepted = new Map<string, CutCrimpRecording>()
  await inLanes(Array.from({ length: count }), 8, async () => {
    const id = randomUUID()
    // another order for the same act would be another act: the section is looked for until one has pieces left
    for (;;) {
      const payload = recordingOf(random.pick(panel.sections), random.between(1, 3))
      const { statusCode } = await panel.record(panel.token, payload, id)
      if (statusCode === 409) continue
      expect([201, 202]).toContain(statusCode)
      accepted.set(id, payload)
      return
    }
  })
  await untilNothingWaits(panel)
  // what a person must decide is logged as an error
  const needPerson = panel.errors.splice(0).length
  const rows = await panel.db.read.selectFrom('recordings').select(['id', 'state', 'erp_message']).execute()
  const { writes } = panel.simulator.state
  const timesAtErp = new Map<string, number>()
  for (const { id } of writes) timesAtErp.set(id, (timesAtErp.get(id) ?? 0) + 1)
  const uncertain = new Set(rows.filter(({ state }) => state === 'uncertain').map(({ id }) => id))
  // with their state: one that the panel calls delivered is another fault than one that it shows as refused
  const ends = new Map(rows.map(({ id, state, erp_message: message }) => [id, `${state}: ${message}`]))
  const lost = [...accepted.keys()]
    .filter((id) => !timesAtErp.has(id) && !uncertain.has(id))
    .map((id) => `${id} ${ends.get(id) ?? 'of which nothing is stored'}`)
  const doubled = [...timesAtErp.values()].filter((times) => times > 1).length
  return { accepted: accepted.size, open, atErp: writes.length, lost, doubled, needPerson, uncertain: uncertain.size }
}

describe('P9: the ERP stores and drops, crashes before and after, hangs, and knows no repetition', () => {
  test.each<Lookup>(['id', 'none'])(`${deliveries} deliveries, asked by %s`, async (lookup) => {
    const { accepted, open, ...outcome } = await deliverToHostileErp(deliveries, lookup)
    report(`P9 lookup ${lookup}`, { deliveries }, { badOutcomes: open, ...outcome, lost: outcome.lost.length })
    expect(accepted).toBe(deliveries)
    expect(open).toBeGreaterThan(deliveries * BAD_SHARE * 0.7)
    expect(outcome).toMatchObject({ lost: [], doubled: 0 })
    expect(outcome.needPerson).toBe(outcome.uncertain)
    expect(outcome.uncertain).toBeLessThanOrEqual(deliveries * NEED_A_PERSON_MAX)
  })

  test.each([0.67, 0.9])(
    `${deliveries} deliveries, where a share of %f of the nodes lacks the look-up`,
    async (lackingShare) => {
      const { accepted, open, ...outcome } = await deliverToHostileErp(deliveries, 'id', { lackingShare })
      report(
        `P9 nodes without look-up ${lackingShare}`,
        { deliveries },
        { badOutcomes: open, ...outcome, lost: outcome.lost.length },
      )
      expect(accepted).toBe(deliveries)
      expect(outcome).toMatchObject({ lost: [], doubled: 0 })
      expect(outcome.needPerson).toBe(outcome.uncertain)
    },
  )

  test.each<Lookup>(['id', 'none'])('it notices a blind repeat, asked by %s', async (lookup) => {
    const { gateway } = mutants['a write without an answer is taken for one that never left'] ?? {}
    const { doubled } = await deliverToHostileErp(
      smallOf('p09').deliveries,
      lookup,
      gateway ? { mistake: gateway } : {},
    )
    expect(gateway).toBeDefined()
    expect(doubled).toBeGreaterThan(0)
  })
})

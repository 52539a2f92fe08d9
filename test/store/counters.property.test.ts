import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { crimpOf, type Database, UNTOUCHED } from '../support/harness.ts'
import { blocked, savedOnTablet, setUp } from '../support/waiting.ts'

/**
 * Counter = delivered + waiting + uncertain + parked, whatever is recorded, refused, repeated, corrected, discarded,
 * marked and reset in between. The oracle knows only what it was answered, and adds up from the start each time.
 */
const HISTORIES = Number(process.env.RUNS ?? 60)
const SEED = Number(process.env.SEED ?? 20261121)
const TOOLS = ['MA-0001', 'MA-0002', 'Sem Cadastro'] as const

const act = {
  tool: fc.constantFrom(...TOOLS),
  pieces: fc.integer({ min: 1, max: 70 }),
  isBlocked: fc.boolean(),
}
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('record' as const), ...act, saved: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat' as const), at: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct' as const), at: fc.nat(), ...act }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('discard' as const, 'mark' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leaveToPerson' as const), ...act }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erp' as const), erpState: fc.constantFrom('up', 'down') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reset' as const), tool: fc.constantFrom(...TOOLS) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type Act = Extract<Step, { kind: 'leaveToPerson' }>

/** One recording as the oracle saw it. */
type Seen = { id: string; act: Pick<Act, 'tool' | 'pieces' | 'isBlocked'>; cycle: number; counts: boolean }
type Panel = Awaited<ReturnType<typeof setUp>>

const payloadOf = ({ tool, pieces, isBlocked }: Seen['act']) =>
  isBlocked ? blocked(crimpOf(pieces, tool)) : crimpOf(pieces, tool)

class History {
  private readonly seen: Seen[] = []
  private readonly cycles = new Map<string, number>()
  private readonly panel: Panel
  private readonly happened: Map<string, number>
  constructor(panel: Panel, happened: Map<string, number>) {
    this.panel = panel
    this.happened = happened
  }

  private cycleOf = (tool: string) => this.cycles.get(tool) ?? 1
  private note = (what: string) => this.happened.set(what, (this.happened.get(what) ?? 0) + 1)

  private meet(id: string, { tool, pieces, isBlocked }: Seen['act'], counts: boolean, cycle = this.cycleOf(tool)) {
    this.seen.push({ id, act: { tool, pieces, isBlocked }, cycle, counts })
  }

  async take(one: Step): Promise<void> {
    const { panel } = this
    // what is due is taken up by nobody else here, and a recording behind it would wait for its turn
    await panel.deliverDue()
    if (one.kind === 'record') await this.record(one, one.saved)
    else if (one.kind === 'leaveToPerson') await this.leaveToPerson(one)
    else if (one.kind === 'erp') await panel.erpIs(one.erpState as 'up')
    else if (one.kind === 'deliver') await panel.deliverAll()
    else if (one.kind === 'reset') await this.reset(one.tool)
    else {
      const picked = this.seen[one.at % Math.max(1, this.seen.length)]
      if (picked) await this.decide(one, picked)
    }
  }

  private async record(act: Seen['act'], saved: boolean): Promise<void> {
    const id = randomUUID()
    const payload = payloadOf(act)
    const { statusCode } = await this.panel.record(this.panel.token, saved ? savedOnTablet(payload) : payload, id)
    this.note(`record ${saved ? 'saved' : 'new'} ${statusCode}`)
    if (statusCode === 409) return
    this.meet(id, act, statusCode < 300)
  }

  private async leaveToPerson(act: Seen['act']): Promise<void> {
    const id = await this.panel.leaveToPerson(payloadOf(act))
    // beyond the balance it was not taken at all
    if ((await this.panel.stateOf(id)) === 'uncertain') this.meet(id, act, true)
  }

  private async decide(one: Extract<Step, { at: number }>, picked: Seen): Promise<void> {
    const { panel } = this
    if (one.kind === 'repeat') {
      const { statusCode } = await panel.record(panel.token, savedOnTablet(payloadOf(picked.act)), picked.id)
      expect(statusCode).toBeLessThan(300)
      this.note('repeat')
      // a refusal that nobody saw is taken back; what was superseded or discarded stays so
      if (!picked.counts && (await panel.stateOf(picked.id)) === 'parked') picked.counts = true
    } else if (one.kind === 'correct') {
      const id = randomUUID()
      const { statusCode } = await panel.decide(panel.admin, picked.id, 'correcao', payloadOf(one), id)
      this.note(`correct ${statusCode}`)
      if (statusCode >= 400) return
      picked.counts = false
      this.meet(id, one, true, one.tool === picked.act.tool ? picked.cycle : undefined)
    } else {
      const what = one.kind === 'discard' ? 'descarte' : 'entregue'
      const { statusCode } = await panel.decide(panel.admin, picked.id, what, { motivo: 'x' })
      this.note(`${one.kind} ${statusCode}`)
      if (statusCode === 200 && one.kind === 'discard') picked.counts = false
    }
  }

  private async reset(tool: string): Promise<void> {
    const { panel } = this
    const { statusCode } = await panel.ask(panel.token, {
      method: 'POST',
      url: `/api/crimpagens/${encodeURIComponent(tool)}/reset`,
      payload: { miniaplicator: tool, newLimitOfCrimps: 100_000 },
    })
    this.note(`reset ${statusCode}`)
    if (statusCode === 200) this.cycles.set(tool, this.cycleOf(tool) + 1)
  }

  async judge(): Promise<void> {
    const { db } = this.panel
    const sum = (pick: (one: Seen) => boolean) =>
      this.seen.filter((one) => one.counts && pick(one)).reduce((total, one) => total + one.act.pieces, 0)
    const rows = await db.read.selectFrom('recordings').select(['state', 'pieces', 'unit_key']).execute()
    const inStates = (states: string[], key?: string) =>
      rows
        .filter((row) => states.includes(row.state) && (key === undefined || row.unit_key === key))
        .reduce((total, row) => total + row.pieces, 0)
    const counted = ['delivered', 'waiting', 'uncertain', 'parked']
    for (const unit of await db.read.selectFrom('applicator_units').selectAll().execute()) {
      const isOwn = (one: Seen) => one.act.tool === unit.name
      expect(unit.lifetime_crimps, `${unit.name}, all cycles`).toBe(sum(isOwn))
      expect(unit.lifetime_crimps, `${unit.name}, by state`).toBe(inStates(counted, unit.name_key))
      const inCycle = (one: Seen) => isOwn(one) && one.cycle === this.cycleOf(unit.name)
      expect(unit.crimps, `${unit.name}, open cycle`).toBe(sum(inCycle))
    }
    const days = await db.read.selectFrom('daily_production').select(['pieces', 'recordings']).execute()
    expect(days.reduce((total, day) => total + day.pieces, 0)).toBe(sum(() => true))
    expect(days.reduce((total, day) => total + day.recordings, 0)).toBe(this.seen.filter((one) => one.counts).length)
    expect(await listCounterDeviations(db.read)).toEqual([])
    expect(await this.panel.onWay()).toMatchObject({ l1: inStates(['waiting', 'uncertain']) })
  }
}

const tables = [
  'recordings',
  'crimp_ledger',
  'applicator_units',
  'daily_production',
  'erp_outbox',
  'erp_items',
] as const

async function beginAnew({ db, simulator, clock, ask, token }: Panel): Promise<void> {
  // an ERP that was down is left alone for a while
  clock.advance(3_600_000)
  await simulator.state.setFaults([])
  simulator.state.reset()
  await db.transaction(async (tx) => {
    for (const table of tables) await tx.deleteFrom(table).execute()
    // sessions have tests of their own
    await tx.updateTable('sessions').set({ expires_at: Number.MAX_SAFE_INTEGER }).execute()
  })
  await ask(token, { url: `/api/apontamentos/itens/${UNTOUCHED}?filial=010101` })
}

const outcomes = ['record saved 202', 'record new 201', 'record new 202', 'record new 409']
outcomes.push(
  'record new 422',
  'repeat',
  'correct 201',
  'correct 202',
  'correct 409',
  'discard 200',
  'mark 200',
  'reset 200',
  'reset 404',
)

test.each<Database>(['sqlite', 'mariadb'])('the counter is the sum of what counts, on %s', async (database) => {
  const panel = await setUp({ database })
  const happened = new Map<string, number>()
  const histories = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
    await beginAnew(panel)
    const history = new History(panel, happened)
    for (const one of steps) {
      await history.take(one)
      await history.judge()
    }
  })
  await fc.assert(histories, { numRuns: HISTORIES, seed: SEED })
  expect(outcomes.filter((outcome) => !happened.has(outcome))).toEqual([])
})

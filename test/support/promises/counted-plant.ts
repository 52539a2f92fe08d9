import { createHash, randomUUID } from 'node:crypto'
import type { Random } from '../../../demo/simulator/random.ts'
import { ensureUnit } from '../../../src/server/store/applicators.ts'
import {
  type CounterChange,
  resetCounter,
  scheduleMaintenance,
  setLimit,
} from '../../../src/server/store/crimp-counters.ts'
import type { Db, Tx } from '../../../src/server/store/db/db.ts'
import { settlePending } from '../../../src/server/store/pending-recordings.ts'
import {
  deliverRecording,
  insertRecording,
  leaveUncertain,
  promiseRecording,
  type Recording,
  refuseRecording,
  restoreRecording,
} from '../../../src/server/store/recordings.ts'
import { cutOf } from '../harness.ts'
import { BRANCH } from './workload.ts'

type State = 'waiting' | 'delivered' | 'refused' | 'parked' | 'uncertain' | 'superseded' | 'discarded'
type Act = { id: string; unit: Unit; pieces: number; cycle: number; state: State; promised: boolean }
type Maintenance = { serviceOrder: number | null; maintenanceDate: string | null; comments: string | null }
type Unit = Maintenance & {
  name: string
  key: string
  cycle: number
  crimps: number
  lifetime: number
  limit: number
  version: number
}

const free: Maintenance = { serviceOrder: null, maintenanceDate: null, comments: null }
const counting: readonly State[] = ['waiting', 'delivered', 'parked', 'uncertain']
const BARCODE = 'X'.repeat(22)
/** Acts are decided about while they are young: sooner or later than the reset that follows. */
const YOUNG_ACTS = 150
const OFFENCES_MAX = 100

const recordingOf = ({ id, unit, pieces }: Act, name: string): Recording => ({
  id,
  contentHash: '',
  part: 'l1',
  branch: BRANCH,
  barcode: BARCODE,
  position: '',
  orderNumber: '01621401001',
  pieces,
  machine: 'PR0001',
  lot: 'L1',
  terminal: 'T1326030',
  applicator: name,
  delivery: { operation: 'recordCutCrimp', naturalKey: id, raises: pieces },
  payload: cutOf(1),
  capture: null,
  userId: 1,
  operator: unit.name,
  recordedAt: 1,
  receivedAt: 1,
  productionDay: '2026-11-21',
})

export type Reset = (
  db: Db,
  change: CounterChange,
  limitOfCrimps: number,
  check: (tx: Tx) => Promise<void>,
) => Promise<boolean>

const properReset: Reset = (db, change, limitOfCrimps, check) =>
  db.transaction(async (tx) => {
    const isDone = await resetCounter(tx, change, { limitOfCrimps, done: {} })
    if (isDone) await check(tx)
    return isDone
  })

/**
 * A plant and what is true of its counters by the rules alone: the oracle reads nothing that the product counts. Where
 * several hands work at once nobody can say in which order, so that only what no order changes is compared.
 */
export class CountedPlant {
  readonly offences: string[] = []
  readonly happened = new Map<string, number>()
  private readonly units: Unit[]
  private readonly db: Db
  private readonly reset: Reset
  private readonly inOrder: boolean
  private expectedHistory: string[] = []
  private historyRows = 0
  private seenHistory = { lastId: 0, hash: createHash('sha256').digest('hex') }

  constructor(db: Db, options: { names: string[]; inOrder: boolean; reset?: Reset }) {
    this.db = db
    this.inOrder = options.inOrder
    this.reset = options.reset ?? properReset
    this.units = options.names.map((name) => ({
      ...{ name, key: name.toLocaleLowerCase('pt-BR'), cycle: 1, crimps: 0, lifetime: 0, limit: 100_000, version: 1 },
      ...free,
    }))
  }

  async begin(): Promise<void> {
    await this.db.transaction(async (tx) => {
      for (const { name } of this.units) await ensureUnit(tx, { name, at: 1 })
    })
  }

  /** So many operations, one after the other. */
  async work(random: Random, operations: number): Promise<void> {
    const acts: Act[] = []
    for (let at = 0; at < operations; at++) {
      const kind = random.weighted(kinds)
      const act =
        acts.length > 0 ? acts[acts.length - 1 - random.between(0, Math.min(YOUNG_ACTS, acts.length) - 1)] : undefined
      if (kind === 'record') acts.push(await this.record(random))
      else if (kind === 'limit' || kind === 'schedule' || kind === 'reset') await this.change(kind, random)
      else if (act && kind === 'correct') acts.push(...(await this.correct(act, random)))
      else if (act && kind !== 'correct') await this.decide(kind, act)
    }
  }

  private note = (what: string) => void this.happened.set(what, (this.happened.get(what) ?? 0) + 1)
  private expect(what: string, is: unknown, should: unknown): void {
    if (JSON.stringify(is) !== JSON.stringify(should) && this.offences.length < OFFENCES_MAX) {
      this.offences.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(should)}`)
    }
  }

  private move(act: Act, state: State): void {
    const by = Number(counting.includes(state)) - Number(counting.includes(act.state))
    this.count(act, by * act.pieces)
    act.state = state
  }
  private count({ unit, cycle }: Act, crimps: number): void {
    unit.lifetime += crimps
    if (cycle === unit.cycle) unit.crimps += crimps
  }

  private async record(random: Random): Promise<Act> {
    const unit = random.pick(this.units)
    const promised = random.chance(0.4)
    const state = promised && random.chance(0.3) ? 'parked' : 'waiting'
    const act: Act = { id: randomUUID(), unit, pieces: random.between(1, 500), cycle: unit.cycle, state, promised }
    const name = random.pick([unit.name, ` ${unit.name.toLocaleUpperCase('pt-BR')}`])
    await this.db.transaction((tx) => insertRecording(tx, recordingOf(act, name), { state, promised, reason: null }))
    this.note(state === 'parked' ? 'late arrival' : 'record')
    this.count(act, act.pieces)
    return act
  }

  private async decide(
    kind: 'deliver' | 'refuse' | 'promise' | 'doubt' | 'restore' | 'discard',
    act: Act,
  ): Promise<void> {
    const { id, state, promised } = act
    const isPending = state === 'parked' || state === 'uncertain'
    await this.db.transaction(async (tx) => {
      if (kind === 'deliver') await deliverRecording(tx, id, { message: '', read: false, snapshot: null, at: 2 })
      else if (kind === 'refuse') await refuseRecording(tx, id, 'não', 2)
      else if (kind === 'promise') await promiseRecording(tx, id)
      else if (kind === 'doubt') await leaveUncertain(tx, id, 'sem resposta', 2)
      else if (kind === 'restore') await restoreRecording(tx, id, 2)
      else await settlePending(tx, id, { state: 'discarded', at: 2 })
    })
    if (kind === 'discard' ? !isPending : kind === 'restore' ? state !== 'refused' : state !== 'waiting') return
    this.note(kind)
    if (kind === 'promise') act.promised = true
    else if (kind === 'deliver') this.move(act, 'delivered')
    else if (kind === 'doubt') this.move(act, 'uncertain')
    else if (kind === 'discard') this.move(act, 'discarded')
    else if (kind === 'restore') this.move(act, 'parked')
    else this.move(act, promised ? 'parked' : 'refused')
  }

  private async correct(old: Act, random: Random): Promise<Act[]> {
    const unit = random.chance(0.6) ? old.unit : random.pick(this.units)
    const isSameTool = unit === old.unit
    const fresh: Act = {
      ...{ id: randomUUID(), unit, pieces: random.between(1, 500), promised: true, state: 'waiting' },
      cycle: isSameTool ? old.cycle : unit.cycle,
    }
    const isDone = await this.db.transaction(async (tx) => {
      const settled = await settlePending(tx, old.id, { state: 'superseded', supersededBy: fresh.id, at: 3 })
      if (!settled) return false
      const cycle = isSameTool ? settled.counted?.cycle : undefined
      await insertRecording(tx, recordingOf(fresh, unit.name), {
        state: 'waiting',
        promised: true,
        reason: null,
        cycle,
      })
      return true
    })
    this.expect('a correction is taken', isDone, old.state === 'parked' || old.state === 'uncertain')
    if (!isDone) return []
    this.note(isSameTool ? 'correct' : 'correct with another tool')
    this.move(old, 'superseded')
    this.count(fresh, fresh.pieces)
    return [fresh]
  }

  private async change(kind: 'limit' | 'schedule' | 'reset', random: Random): Promise<void> {
    const unit = random.pick(this.units)
    const versionSeen = random.pick([null, unit.version, unit.version, unit.version - 1])
    const change = { name: unit.name, versionSeen, userId: 1, changedBy: 'Maria', at: 4 }
    const limit = random.pick([-1, random.between(1, 5000), 100_000])
    const plan = { serviceOrder: random.between(1, 9999), maintenanceDate: '2026-12-01', comments: randomUUID() }
    const wasAnother = versionSeen !== null && versionSeen !== unit.version
    const isDone =
      kind === 'reset'
        ? await this.reset(this.db, change, limit, (tx) => this.checkEnd(tx, unit))
        : await this.db.transaction((tx) =>
            kind === 'limit' ? setLimit(tx, change, limit) : scheduleMaintenance(tx, change, plan),
          )
    if (this.inOrder) this.expect(`a ${kind} is taken`, isDone, !wasAnother)
    if (!isDone) return this.note(`${kind} of another version`)
    this.note(kind)
    this.historyRows++
    const { key, crimps, serviceOrder, maintenanceDate, comments } = unit
    this.expectedHistory.push(
      [key, unit.cycle, crimps, unit.limit, serviceOrder, maintenanceDate, comments, kind].join('|'),
    )
    unit.version++
    if (kind === 'limit') unit.limit = limit
    else if (kind === 'schedule') Object.assign(unit, plan)
    else Object.assign(unit, free, { limit, crimps: 0, cycle: unit.cycle + 1 })
  }

  /** While the unit is still taken: what the history says of a cycle is what the ledger had counted in it. */
  private async checkEnd(tx: Tx, { key }: Unit): Promise<void> {
    const ended = await tx
      .selectFrom('crimp_history')
      .select(['cycle', 'crimps'])
      .where('unit_key', '=', key)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { crimps } = await tx
      .selectFrom('crimp_ledger')
      .select((e) => e.fn.sum('crimps').as('crimps'))
      .where('unit_key', '=', key)
      .where('cycle', '=', ended.cycle)
      .executeTakeFirstOrThrow()
    this.expect(`${key} at the end of cycle ${ended.cycle}`, ended.crimps, Number(crimps ?? 0))
  }

  /** Compares everything; nobody may be at work. */
  async judge(): Promise<void> {
    const rows = await this.db.read.selectFrom('applicator_units').selectAll().execute()
    const sums = await this.db.read
      .selectFrom('crimp_ledger')
      .select(['unit_key', 'cycle', (e) => e.fn.sum('crimps').as('crimps')])
      .groupBy(['unit_key', 'cycle'])
      .execute()
    for (const unit of this.units) {
      const row = rows.find(({ name_key }) => name_key === unit.key)
      const own = sums.filter(({ unit_key }) => unit_key === unit.key)
      const ledger = own.reduce((sum, { crimps }) => sum + Number(crimps), 0)
      const open = own.find(({ cycle }) => cycle === row?.cycle)
      this.expect(`${unit.name}, lifetime`, [row?.lifetime_crimps, ledger], [unit.lifetime, unit.lifetime])
      this.expect(`${unit.name}, open cycle`, row?.crimps, Number(open?.crimps ?? 0))
      this.expect(`${unit.name}, cycles and versions`, [row?.cycle, row?.version], [unit.cycle, unit.version])
      if (!this.inOrder) continue
      this.expect(
        unit.name,
        [row?.crimps, row?.limit_crimps, row?.service_order, row?.maintenance_day, row?.comments],
        [unit.crimps, unit.limit, unit.serviceOrder, unit.maintenanceDate, unit.comments],
      )
    }
    await this.judgeHistory()
  }

  private async judgeHistory(): Promise<void> {
    const rows = await this.db.read.selectFrom('crimp_history').selectAll().orderBy('id').execute()
    const { lastId, hash } = this.seenHistory
    const old = createHash('sha256')
    const all = createHash('sha256')
    for (const row of rows) {
      const text = JSON.stringify(Object.entries(row).sort())
      if (row.id <= lastId) old.update(text)
      all.update(text)
    }
    this.expect('the older history', old.digest('hex'), hash)
    this.seenHistory = { lastId: rows.at(-1)?.id ?? 0, hash: all.digest('hex') }
    this.expect('rows of history', rows.length, this.historyRows)
    if (this.inOrder) {
      const fresh = rows.filter(({ id }) => id > lastId)
      const texts = fresh.map((row) =>
        [
          row.unit_key,
          row.cycle,
          row.crimps,
          row.limit_crimps,
          row.service_order,
          row.maintenance_day,
          row.comments,
          row.change,
        ].join('|'),
      )
      this.expect('new history', texts, this.expectedHistory)
    }
    this.expectedHistory = []
  }
}

const kinds = [
  ['record', 40],
  ['refuse', 12],
  ['deliver', 10],
  ['restore', 5],
  ['promise', 4],
  ['doubt', 5],
  ['discard', 6],
  ['correct', 6],
  ['limit', 4],
  ['schedule', 4],
  ['reset', 4],
] as const
export const outcomes = [
  ...kinds.map(([kind]) => kind),
  ...['late arrival', 'correct with another tool', 'limit of another version', 'reset of another version'],
]

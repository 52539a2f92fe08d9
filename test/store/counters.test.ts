import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Part, parts } from '../../src/contract/items.ts'
import { nameKey } from '../../src/domain/acts/recordings.ts'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { resetCounter } from '../../src/server/store/crimp-counters.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { findItem, reservePieces } from '../../src/server/store/items.ts'
import {
  deliverRecording,
  insertRecording,
  leaveUncertain,
  promiseRecording,
  type Recording,
  refuseRecording,
} from '../../src/server/store/recordings.ts'
import { cutOf, type Database, databases, openStore } from '../support/harness.ts'
import { BRANCH, itemOf, keepItem } from '../support/store.ts'
import { findUnit } from '../support/units.ts'

const BARCODE = '0101621401001000010007'
const ORDERED = 100_000

const recordingArbitrary = fc.record({
  part: fc.constantFrom(...parts),
  pieces: fc.integer({ min: 1, max: 50 }),
  machine: fc.constantFrom('PR0001', 'pr0001', 'PR0002'),
  operator: fc.constantFrom('Maria', 'José'),
  applicator: fc.constantFrom(null, 'MA-1', ' ma-1 ', 'MA-2'),
  productionDay: fc.constantFrom('2026-11-20', '2026-11-21'),
})
type Drawn = typeof recordingArbitrary extends fc.Arbitrary<infer T> ? T : never

const ends = ['delivered', 'refused', 'promised', 'uncertain'] as const
const stepArbitrary = fc.oneof(
  { weight: 3, arbitrary: recordingArbitrary.map((drawn) => ({ kind: 'record' as const, drawn })) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('end' as const), at: fc.nat(1000), end: fc.constantFrom(...ends) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), unit: fc.constantFrom('ma-1', 'ma-2') }) },
)

const toRecording = (drawn: Drawn) => ({
  id: randomUUID(),
  contentHash: '',
  branch: BRANCH,
  barcode: BARCODE,
  position: '',
  orderNumber: '01621401001',
  lot: 'L1',
  terminal: drawn.part === 'cabo' ? '' : 'T1326030',
  delivery: { operation: 'recordCutCrimp' as const, naturalKey: 'a', raises: drawn.pieces },
  payload: cutOf(drawn.pieces),
  capture: null,
  userId: 1,
  recordedAt: 1,
  receivedAt: 1,
  ...drawn,
  applicator: drawn.part === 'cabo' ? null : drawn.applicator,
})

const store = (db: Db, recording: Recording & { part: Part }) =>
  db.transaction(async (tx) => {
    expect(await reservePieces(tx, recording)).toBe(true)
    await insertRecording(tx, recording, { state: 'waiting', promised: false, reason: null })
  })

const finish = (db: Db, id: string, end: (typeof ends)[number]) =>
  db.transaction(async (tx) => {
    if (end === 'delivered') await deliverRecording(tx, id, { message: 'ok', read: false, snapshot: null, at: 2 })
    else if (end === 'refused') await refuseRecording(tx, id, 'não', 2)
    else if (end === 'promised') await promiseRecording(tx, id)
    else await leaveUncertain(tx, id, 'sem resposta', 2)
  })

const reset = (db: Db, name: string) =>
  db.transaction((tx) =>
    resetCounter(
      tx,
      { name, versionSeen: null, userId: 1, changedBy: 'Maria', at: 3 },
      { limitOfCrimps: 100, done: {} },
    ),
  )

type Lived = Recording & { state: string; promised: boolean }

/** What the rules say becomes of one that waits. */
function live(recording: Lived, end: (typeof ends)[number]): void {
  if (recording.state !== 'waiting') return
  if (end === 'promised') recording.promised = true
  else if (end === 'refused') recording.state = recording.promised ? 'parked' : 'refused'
  else recording.state = end
}

const sumBy = <T>(rows: T[], keyOf: (row: T) => string, countOf: (row: T) => number) => {
  const sums: Record<string, number> = {}
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + countOf(row)
  return sums
}

async function expectAllAddsUp(db: Db, lived: Lived[]): Promise<void> {
  expect(await listCounterDeviations(db.read)).toEqual([])
  const counted = lived.filter(({ state }) => state !== 'refused')
  for (const name of ['MA-1', 'MA-2']) {
    const own = counted.filter(({ applicator }) => applicator !== null && nameKey(applicator) === nameKey(name))
    const total = own.reduce((sum, { pieces }) => sum + pieces, 0)
    expect((await findUnit(db.read, name))?.lifetimeCrimps ?? 0, name).toBe(total)
  }
  const days = await db.read.selectFrom('daily_production').selectAll().execute()
  const dimensions = (day: Record<string, unknown>) =>
    ['production_day', 'branch', 'part', 'machine', 'operator', 'unit_key', 'terminal']
      .map((column) => String(day[column]))
      .join('|')
  const keyOf = (r: Lived) =>
    dimensions({ ...r, production_day: r.productionDay, unit_key: r.applicator === null ? '' : nameKey(r.applicator) })
  const nonZero = (sums: Record<string, number>) =>
    Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
  expect(nonZero(sumBy(days, dimensions, (day) => day.pieces))).toEqual(sumBy(counted, keyOf, ({ pieces }) => pieces))
  expect(nonZero(sumBy(days, dimensions, (day) => day.recordings))).toEqual(sumBy(counted, keyOf, () => 1))
  const item = (await findItem(db.read, BRANCH, BARCODE))?.item
  const none = { cabo: 0, l1: 0, l2: 0 }
  const inStates = (...states: string[]) => ({
    ...none,
    ...sumBy(
      lived.filter(({ state }) => states.includes(state)),
      ({ part }) => part,
      ({ pieces }) => pieces,
    ),
  })
  expect(item?.aguardandoErp).toEqual(inStates('waiting', 'uncertain'))
  const has = { cabo: item?.Z1_QTREGCO, l1: item?.Z1_QTREGL1, l2: item?.Z1_QTREGL2 }
  expect(has).toEqual(inStates('delivered'))
}

const tables = ['applicator_units', 'crimp_ledger', 'daily_production', 'recordings', 'erp_items'] as const

async function openEmpty(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    for (const table of tables) await tx.deleteFrom(table).execute()
  })
  await keepItem(db, itemOf(BARCODE, ORDERED))
}

const runsOn: Record<Database, number> = { sqlite: 60, mariadb: 15 }

describe.each(databases)('on %s', (database) => {
  test('counters, roll-ups and percentages add up after whatever happens to recordings', async () => {
    const db = await openStore(database)
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 30 }), async (steps) => {
        await openEmpty(db)
        const lived: Lived[] = []
        for (const step of steps) {
          if (step.kind === 'record') {
            const recording = toRecording(step.drawn)
            await store(db, recording)
            lived.push({ ...recording, state: 'waiting', promised: false })
          } else if (step.kind === 'reset') {
            await reset(db, step.unit)
          } else {
            const recording = lived[step.at % Math.max(lived.length, 1)]
            if (!recording) continue
            await finish(db, recording.id, step.end)
            live(recording, step.end)
          }
        }
        await expectAllAddsUp(db, lived)
      }),
      { numRuns: runsOn[database] },
    )
  })

  test('thirty recordings at once and their ends, delivered and refused, are each counted once', async () => {
    const db = await openStore(database)
    await openEmpty(db)
    const drawn = fc.sample(recordingArbitrary, { numRuns: 30, seed: 7 })
    const lived = drawn.map((one) => ({ ...toRecording(one), state: 'waiting', promised: false }))
    await Promise.all(lived.map((recording) => store(db, recording)))
    await expectAllAddsUp(db, lived)
    const endOf = (at: number) => (at % 2 === 0 ? 'refused' : 'delivered')
    await Promise.all(lived.flatMap(({ id }, at) => [finish(db, id, endOf(at)), finish(db, id, endOf(at))]))
    for (const [at, recording] of lived.entries()) live(recording, endOf(at))
    await expectAllAddsUp(db, lived)
  })
})

import { expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { characteristics } from '../../src/contract/measurements.ts'
import { nameKey } from '../../src/domain/acts/recordings.ts'
import { plantDay } from '../../src/domain/plant/plant-time.ts'
import { machineKey } from '../../src/domain/quality/control-plans.ts'
import { ANSWER_MS, CALL_FOLLOWS_MS } from '../../src/domain/quality/outside-acts.ts'
import { findPressedInTurn, openCall } from '../../src/server/store/maintenance-calls.ts'
import { insertMeasurements } from '../../src/server/store/measurements.ts'
import { countUnanswered, describeStandings, listStandings } from '../../src/server/store/outside-followed.ts'
import { insertTreatment } from '../../src/server/store/treatments.ts'
import { databases, NOON_MS, openStore } from '../support/harness.ts'
import { sampleRow } from '../support/series-samples.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const FROM = NOON_MS - 30 * DAY_MS
const ACTS = 400

const idOf = (nth: number) => `00000000-0000-4000-8000-${`${nth}`.padStart(12, '0')}`
type Row = ReturnType<typeof sampleRow>

/** A month at a few presses and tools: mostly good, some of it taken out or not counted, some late, at equal instants too. */
function makeMonth(seed: number) {
  const random = randomFor(seed, 'outside')
  const rows: Row[] = []
  for (let nth = 0; nth < ACTS; nth++) {
    const measured_at = FROM + random.between(0, 43_200 - 1) * MINUTE_MS
    const shared: Partial<Row> = {
      ...{ act_id: idOf(nth), measured_at, received_at: measured_at + (random.between(0, 9) === 0 ? DAY_MS / 2 : 0) },
      machine: random.pick(['PR0001', 'PR0001 - Schäfer', 'PR0002']),
      unit: random.pick(['MA-0001', 'MA-0002']),
      branch: random.pick(['010101', '010101', '010102']),
      counted: random.between(0, 9) === 0 ? 0 : 1,
      invalid_at: random.between(0, 9) === 0 ? NOON_MS : null,
      action: random.pick(['ajustei', 'manutencao', 'qualidade'] as const),
    }
    for (const characteristic of characteristics.slice(0, random.between(1, 2))) {
      const verdict = random.between(0, 2) === 0 ? 'fora' : 'dentro'
      rows.push(sampleRow({ ...shared, characteristic, verdict }))
    }
  }
  // some at one instant and place: the one that was stored later is the newer one
  for (const row of rows.filter(({ verdict }) => verdict === 'fora').slice(0, 5)) {
    const act_id = idOf(ACTS + rows.length)
    rows.push({ ...row, act_id, verdict: 'dentro' })
  }
  const bad = rows.filter(({ verdict }) => verdict === 'fora')
  const calls = bad
    .filter(() => random.between(0, 3) === 0)
    .map((row, nth) => ({ row, nth, at: row.measured_at + random.between(-5, 20) * MINUTE_MS }))
  const treated = bad.filter(() => random.between(0, 5) === 0).map(({ act_id }) => act_id)
  return { rows, calls, treated }
}

type Month = ReturnType<typeof makeMonth>

/** Every act against every other. */
function expectedOf({ rows, calls, treated }: Month, now: number) {
  const orderOf = (row: Row) => Math.min(row.measured_at, row.received_at)
  const isHere = (one: Row, other: Row) =>
    one.branch === other.branch &&
    one.unit === other.unit &&
    one.characteristic === other.characteristic &&
    machineKey(one.machine) === machineKey(other.machine)
  const isGood = (row: Row) => row.verdict === 'dentro' && row.counted === 1 && row.invalid_at === null
  const firstGood = (bad: Row) =>
    rows
      .filter((row, at) => {
        const isLater = orderOf(row) > orderOf(bad) || (orderOf(row) === orderOf(bad) && at > rows.indexOf(bad))
        return isGood(row) && isHere(row, bad) && isLater
      })
      .sort((one, other) => orderOf(one) - orderOf(other) || rows.indexOf(one) - rows.indexOf(other))[0]?.act_id ?? null
  const isCalled = (bad: Row) =>
    calls.some(({ row, at, nth }) =>
      nth % 2 === 0
        ? row.act_id === bad.act_id
        : bad.action === 'manutencao' &&
          bad.branch === row.branch &&
          bad.unit === row.unit &&
          machineKey(bad.machine) === machineKey(row.machine) &&
          at >= bad.measured_at &&
          at - bad.measured_at <= CALL_FOLLOWS_MS,
    )
  const listed = rows.filter(
    (row) => row.verdict === 'fora' && row.counted === 1 && row.invalid_at === null && row.received_at < now + DAY_MS,
  )
  const acts = Map.groupBy(listed, ({ act_id }) => act_id)
  return new Map(
    [...acts].map(([id, own]) => {
      const goods = own.map(firstGood)
      const isTreated = treated.includes(id)
      const isMeasured = goods.every((one) => one !== null)
      const isAnswered = isTreated || isMeasured || own.some(isCalled)
      return [
        id,
        {
          goods,
          situation: isTreated ? 'tratada' : isMeasured ? 'medida' : 'aberta',
          isCalled: own.some(isCalled),
          isUnanswered: !isAnswered && now - (own[0]?.received_at ?? 0) > ANSWER_MS,
        },
      ]
    }),
  )
}

test.each(databases.flatMap((database) => [1, 2].map((seed) => [database, seed] as const)))(
  'the list and the alarm say of a month what every act against every other says, on %s, seed %i',
  async (database, seed) => {
    const db = await openStore(database)
    const month = makeMonth(seed)
    await db.transaction(async (tx) => {
      for (let at = 0; at < month.rows.length; at += 100) await insertMeasurements(tx, month.rows.slice(at, at + 100))
      for (const subject of new Set(month.treated)) {
        await insertTreatment(tx, { kind: 'medicao', subject, text: 'Visto', by: 'Ana Lima', userId: 1, at: NOON_MS })
      }
      for (const { row, at, nth } of month.calls) {
        const id = idOf(100_000 + nth)
        const press = {
          ...{ id, contentHash: id, branch: row.branch, machine: row.machine, machineKey: nameKey(row.machine) },
          ...{ unit: row.unit, barcode: '', position: '', orderNumber: '', side: '', symptom: 'outro', note: '' },
          ...{
            openedAt: at,
            openedDay: plantDay(at, 'America/Sao_Paulo'),
            receivedAt: FROM + nth * 10 * MINUTE_MS,
            isLate: false,
          },
          ...{ by: { userId: 1, name: 'Maria' }, isTrusted: true },
        } as const
        await findPressedInTurn(tx, press)
        const { call } = await openCall(tx, press as Parameters<typeof openCall>[1])
        if (nth % 2 === 0) {
          const named = { team: 'qualidade', topic: 'medicao-fora', act_id: row.act_id } as const
          await tx.updateTable('maintenance_calls').set(named).where('id', '=', call.id).execute()
        }
      }
    })
    const now = NOON_MS + MINUTE_MS
    const span = { branches: ['010101', '010102'], from: FROM - DAY_MS, before: now + DAY_MS }
    const standings = (await listStandings(db.read, span, now)).filter(({ takenOut }) => takenOut === null)
    const described = await describeStandings(db.read, standings)
    const said = standings.map(({ id, situation, call, isUnanswered }, at) => [
      id,
      {
        goods: described[at]?.leituras.map(({ medida }) => medida?.id ?? null),
        ...{ situation, isCalled: call !== null, isUnanswered },
      },
    ])
    const expected = expectedOf(month, now)
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected))
    const count = [...expected.values()].filter(({ isUnanswered }) => isUnanswered).length
    expect(await countUnanswered(db.read, span, now)).toBe(count)
    expect(count, 'the month has some of each').toBeGreaterThan(2)
    expect(standings.filter(({ call }) => call !== null).length).toBeGreaterThan(10)
  },
)

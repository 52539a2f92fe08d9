import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openClock, openFutureWatch, openTimeTrust } from '../../src/server/upkeep/clock.ts'
import { crimpOf, cutOf, databases, openTestDb } from '../support/harness.ts'
import { setUp } from '../support/waiting.ts'

const HOUR_MS = 3_600_000

test.each(databases)('a server whose clock is an hour behind goes by that of %s', async (database) => {
  const db = await openTestDb(database)
  const warned: object[] = []
  const behind = () => Date.now() - HOUR_MS
  const { now } = await openClock(db, behind, { warn: (fields: object) => warned.push(fields) })
  const apartMs = now() - behind()
  // to the minute: the two clocks of this machine are one
  expect(Math.round(apartMs / 60_000)).toBe(database === 'mariadb' ? 60 : 0)
  expect(warned).toHaveLength(database === 'mariadb' ? 1 : 0)
})

test('while the database is away the clock goes on as it was', async () => {
  let away = false
  const aheadMs = async () => {
    if (away) throw new Error('away')
    return HOUR_MS
  }
  const { now, follow } = await openClock({ aheadMs }, () => 5, { warn: () => {} })
  away = true
  await follow()
  expect(now()).toBe(5 + HOUR_MS)
})

const YEAR_MS = 365 * 24 * HOUR_MS

test.each(databases)(
  'what a clock wrote that was a year ahead is brought back on %s, and only when both clocks agree',
  async (database) => {
    const panel = await setUp({ database })
    await panel.erpIs('down')
    panel.clock.set(YEAR_MS)
    const id = randomUUID()
    await panel.record((await panel.login('operador')).token, crimpOf(3), id)
    panel.clock.set(-YEAR_MS)
    await panel.erpIs('up')
    await panel.deliverAll()
    expect(await panel.stateOf(id), 'due in a year').toBe('waiting')
    let apartMs = 30_001
    const clock = { now: panel.clock.now, follow: async () => {}, apartMs: () => apartMs }
    await openFutureWatch(panel.context, clock, panel.clock.elapsedMs)()
    await panel.deliverAll()
    expect(await panel.stateOf(id), 'nobody knows which clock is right').toBe('waiting')
    apartMs = 0
    await openFutureWatch(panel.context, clock, panel.clock.elapsedMs)()
    await panel.deliverAll()
    expect(await panel.stateOf(id)).toBe('delivered')
  },
)

test('a clock that is put back while the server runs has its future brought back, and one that only goes on has not', async () => {
  const panel = await setUp({})
  const times = () => panel.db.read.selectFrom('erp_items').select('fetched_at').executeTakeFirstOrThrow()
  const clock = { now: panel.clock.now, follow: async () => {}, apartMs: () => 0 }
  const look = openFutureWatch(panel.context, clock, panel.clock.elapsedMs)
  await look()
  const set = (at: number) =>
    panel.db.transaction((tx) => tx.updateTable('erp_items').set({ fetched_at: at }).execute())
  await set(panel.clock.now() + YEAR_MS)
  panel.clock.advance(HOUR_MS)
  await look()
  expect((await times()).fetched_at).toBeGreaterThan(panel.clock.now())
  panel.clock.set(-HOUR_MS)
  await look()
  expect((await times()).fetched_at).toBe(panel.clock.now())
})

test('a clock five minutes ahead between a lost answer and the inquiry repeats nothing that may still arrive', async () => {
  const panel = await setUp({ simulator: { dedup: false } })
  await panel.record(panel.token, cutOf(1))
  await panel.simulator.state.setFaults([{ id: 'F08', operation: 'apontamentos', ms: 400_000 }])
  const id = randomUUID()
  expect((await panel.record(panel.token, crimpOf(4), id)).statusCode).toBe(202)
  panel.clock.set(5 * 60_000)
  await panel.deliverDue()
  await panel.deliverDue()
  expect(await panel.stateOf(id)).toBe('waiting')
  await panel.deliverAll()
  expect(await panel.stateOf(id)).toBe('delivered')
  expect(panel.simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, 4])
})

test('a clock a year ahead deletes no sessions, names or logs, until it has stood so for a day', async () => {
  const panel = await setUp({})
  await panel.record(panel.token, cutOf(1))
  const isTrusted = openTimeTrust(panel.context)
  expect(await isTrusted()).toBe(true)
  panel.clock.set(YEAR_MS)
  expect(await isTrusted()).toBe(false)
  await panel.record((await panel.login('operador')).token, cutOf(1))
  expect(await openTimeTrust(panel.context)(), 'a start at that moment, after work').toBe(false)
  panel.clock.advance(24 * HOUR_MS)
  expect(await isTrusted()).toBe(true)
  panel.clock.set(-YEAR_MS)
  expect(await isTrusted()).toBe(true)
})

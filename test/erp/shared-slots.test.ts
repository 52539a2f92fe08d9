import { expect, onTestFinished, test, vi } from 'vitest'
import { openSharedSlots } from '../../src/server/delivery/shared-slots.ts'
import { releaseSlot, renewSlot, takeSlot } from '../../src/server/store/erp-slots.ts'
import { cut, record, startErp } from '../support/erp.ts'
import { SOON } from '../support/slowness.ts'
import { openTwo } from '../support/store.ts'

const COUNT = 2
const log = { warn: () => {} }

test('two servers on one MariaDB together open no more calls to the ERP than one may', async () => {
  const dbs = await openTwo()
  await using erp = await startErp({ instances: 4 })
  await erp.simulator.state.setFaults([{ id: 'F01', ms: 30, count: null }])
  const servers = dbs.map((db) =>
    erp.open({
      maxConcurrent: COUNT,
      sharedSlots: openSharedSlots({ db, count: COUNT, now: () => erp.clock.ms, log }),
    }),
  )
  const outcomes = await Promise.all(
    servers.flatMap((server) => Array.from({ length: 6 }, () => record(server, cut(1)))),
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(outcomes.map(() => 'confirmed'))
  expect(erp.simulator.state.openCallsMax).toBe(COUNT)
})

test('a server that died gives its places up when their leases end', async () => {
  const dbs = await openTwo()
  const clock = { ms: 1_000_000 }
  const [dead, alive] = dbs.map((db) => openSharedSlots({ db, count: COUNT, now: () => clock.ms, log }))
  for (let slot = 0; slot < COUNT; slot++) expect(await dead?.take()).not.toBeNull()
  expect(await alive?.take()).toBeNull()
  clock.ms += 15_000
  const places = [await alive?.take(), await alive?.take()]
  expect(places).not.toContain(null)
  expect(await alive?.take()).toBeNull()
  await places[0]?.()
  expect(await alive?.take()).not.toBeNull()
})

test('a call that takes long keeps its place, until it is over', async () => {
  const dbs = await openTwo()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = { ms: 1_000_000 }
  const [calling, other] = dbs.map((db) => openSharedSlots({ db, count: 1, now: () => clock.ms, log }))
  const leaseUntil = async () => (await dbs[0].read.selectFrom('erp_slots').select('lease_until').execute())[0]
  const release = await calling?.take()
  for (let second = 5; second <= 60; second += 5) {
    clock.ms += 5000
    vi.advanceTimersByTime(5000)
    await vi.waitFor(async () => expect(await leaseUntil()).toEqual({ lease_until: clock.ms + 15_000 }), SOON)
  }
  expect(await other?.take()).toBeNull()
  await release?.()
  expect(vi.getTimerCount()).toBe(0)
  expect(await other?.take()).not.toBeNull()
})

test('of two servers that want the last place at the same instant one gets it', async () => {
  const dbs = await openTwo()
  for (let now = 1000; now < 20_000; now += 1000) {
    const want = { count: 1, now, leaseUntil: now + 1000 }
    const places = await Promise.all(
      dbs.map((db, at) => db.transaction((tx) => takeSlot(tx, { ...want, owner: `${now} ${at}` }))),
    )
    expect(places.toSorted()).toEqual([0, null])
  }
})

test('a place taken in a commit whose answer was lost is found again, not taken twice', async () => {
  const [db] = await openTwo()
  const taken = { count: COUNT, owner: 'one', now: 1000, leaseUntil: 2000 }
  const take = () => db.transaction((tx) => takeSlot(tx, taken))
  expect([await take(), await take()]).toEqual([0, 0])
  await db.transaction(async (tx) => {
    await releaseSlot(tx, 0, 'one')
    await renewSlot(tx, 0, 'one', 9000)
  })
  const other = { ...taken, count: 1, owner: 'two' }
  expect(await db.transaction((tx) => takeSlot(tx, other)), 'a late renewal takes nothing').toBe(0)
})

test('without the store nothing is called, and nobody waits longer than for a place', async () => {
  await using erp = await startErp({}, { timeouts: { queueMs: 100 } })
  const away = { take: () => Promise.reject(new Error('away')) }
  expect(await record(erp.open({ sharedSlots: away }))).toMatchObject({ outcome: 'not_sent', kind: 'busy' })
  expect(erp.simulator.state.log).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/server/store/db/db.ts'
import {
  enqueueDelivery,
  findLastConfirmed,
  findOldestOpenAt,
  leaseDelivery,
  listDueIds,
  markSending,
  postponeDelivery,
  releaseLease,
  settleDelivery,
} from '../../src/server/store/outbox.ts'
import { cutOf, databases, ORDER, openStore, UNTOUCHED } from '../support/harness.ts'
import { BRANCH, openTwo } from '../support/store.ts'

const enqueue = async (db: Db, naturalKey = 'a', at = 1000): Promise<string> => {
  const id = randomUUID()
  const delivery = { operation: 'recordCutCrimp' as const, naturalKey, raises: 1 }
  const named = { branch: BRANCH, barcode: UNTOUCHED, orderNumber: ORDER }
  const recording = { id, ...named, delivery, payload: cutOf(1), receivedAt: at }
  await db.transaction((tx) => enqueueDelivery(tx, recording, 'new'))
  return id
}

const lease = (db: Db, id: string, owner = 'one', now = 1000) =>
  db.transaction((tx) => leaseDelivery(tx, id, { owner, now, leaseUntil: now + 100 }))
const mark = (db: Db, id: string, owner = 'one', now = 1000) =>
  db.transaction((tx) =>
    markSending(tx, id, { owner, snapshot: 5, writtenElsewhere: false, now, leaseUntil: now + 100 }),
  )
const settle = (db: Db, id: string, state: 'confirmed' | 'refused' | 'manual' = 'confirmed') =>
  db.transaction((tx) => settleDelivery(tx, id, { state, message: 'ok', at: 3000 }))
const postpone = (db: Db, id: string, owner: string, dueAt: number, state: 'new' | 'unknown' = 'unknown') =>
  db.transaction((tx) => postponeDelivery(tx, id, { owner, state, dueAt, message: 'depois' }))
const rowOf = (db: Db, id: string) =>
  db.read.selectFrom('erp_outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe.each(databases)('a delivery on %s', (database) => {
  test('is leased by one of many at a time', async () => {
    const db = await openStore(database)
    const id = await enqueue(db)
    const owners = Array.from({ length: 20 }, (_, at) => `owner ${at}`)
    const taken = await Promise.all(owners.map((owner) => lease(db, id, owner)))
    expect(taken.filter((delivery) => delivery !== null)).toEqual([
      expect.objectContaining({ id, state: 'new', attempts: 0, payload: cutOf(1) }),
    ])
    expect((await rowOf(db, id)).lease_owner).toBe(owners[taken.findIndex((delivery) => delivery !== null)])
  })

  test('whose lease ran out is free for another, and the first may no longer send', async () => {
    const db = await openStore(database)
    const id = await enqueue(db)
    expect(await lease(db, id, 'one', 1000)).not.toBeNull()
    expect(await lease(db, id, 'two', 1099)).toBeNull()
    expect(await listDueIds(db.read, 1099, 9)).toEqual([])
    expect(await mark(db, id, 'one', 1100), 'expired, though nobody took it').toBe(false)
    expect(await listDueIds(db.read, 1100, 9)).toEqual([id])
    expect(await lease(db, id, 'two', 1100)).not.toBeNull()
    const before = await rowOf(db, id)
    expect(await mark(db, id, 'one', 1101)).toBe(false)
    await db.transaction((tx) => releaseLease(tx, id, 'one'))
    await postpone(db, id, 'one', 9999)
    expect(await rowOf(db, id)).toEqual(before)
    expect(await mark(db, id, 'two', 1101)).toBe(true)
    expect(await rowOf(db, id)).toMatchObject({ state: 'sending', snapshot: 5, sent_at: 1101, attempts: 1 })
    expect(await mark(db, id, 'two', 1102), 'is sent once').toBe(false)
  })

  test('keeps what the ERP said of a sending until it is sent again', async () => {
    const db = await openStore(database)
    const id = await enqueue(db)
    const put = async (state: 'new' | 'unknown', words?: string) => {
      await lease(db, id)
      const next = { owner: 'one', state, dueAt: 1000, message: 'depois', ...(words === undefined ? {} : { words }) }
      await db.transaction((tx) => postponeDelivery(tx, id, next))
      return (await rowOf(db, id)).words
    }
    expect(await put('unknown', 'Erro ao imprimir')).toBe('Erro ao imprimir')
    expect(await put('unknown')).toBe('Erro ao imprimir')
    expect(await put('new')).toBe('Erro ao imprimir')
    await lease(db, id)
    expect(await mark(db, id)).toBe(true)
    expect((await rowOf(db, id)).words).toBeNull()
  })

  test('ends once: what hangs on the end happens once', async () => {
    const db = await openStore(database)
    const id = await enqueue(db)
    await lease(db, id)
    const ends = await Promise.all((['confirmed', 'refused', 'manual'] as const).map((state) => settle(db, id, state)))
    expect(ends.filter(Boolean)).toHaveLength(1)
    const ended = await rowOf(db, id)
    await postpone(db, id, 'one', 5000, 'new')
    expect([await settle(db, id), await mark(db, id), await lease(db, id, 'two', 9000)]).toEqual([false, false, null])
    expect(await rowOf(db, id)).toEqual(ended)
    expect(await listDueIds(db.read, 9999, 9)).toEqual([])
  })

  test('is not ended by what a server heard before it lost its lease, but by the ERP having it', async () => {
    const db = await openStore(database)
    const id = await enqueue(db)
    await lease(db, id, 'one', 1000)
    await lease(db, id, 'two', 1100)
    const end = (state: 'confirmed' | 'refused' | 'manual', owner?: string) =>
      db.transaction((tx) =>
        settleDelivery(tx, id, { state, message: 'ok', at: 3000, ...(owner === undefined ? {} : { owner }) }),
      )
    expect([await end('manual', 'one'), await end('refused', 'one'), await end('confirmed')]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('waits for the earlier ones of its part, whatever becomes due first; other parts do not wait', async () => {
    const db = await openStore(database)
    const first = await enqueue(db, 'a')
    const second = await enqueue(db, 'a')
    const other = await enqueue(db, 'b')
    expect(await listDueIds(db.read, 1000, 9)).toEqual([first, other])
    expect(await lease(db, second)).toBeNull()
    expect((await rowOf(db, second)).lease_until, 'not its turn: left free').toBe(0)
    await lease(db, first)
    await postpone(db, first, 'one', 8000)
    expect(await listDueIds(db.read, 2000, 9)).toEqual([other])
    expect(await lease(db, second, 'two', 2000)).toBeNull()
    await settle(db, first, 'manual')
    expect(await listDueIds(db.read, 2000, 9), 'what needs a person holds up nothing').toEqual([second, other])
    expect(await listDueIds(db.read, 2000, 1)).toEqual([second])
    expect(await lease(db, second, 'two', 2000)).not.toBeNull()
  })

  test('of a part is told from that of another by every letter and blank of its key', async () => {
    const db = await openStore(database)
    const keys = ['010101|X|l1', '010101|x|l1', '010101|X |l1', '010101|X|l1 ', '010101|Ç|l1', '010101|C|l1']
    const ids: string[] = []
    for (const key of keys) ids.push(await enqueue(db, key))
    expect(await listDueIds(db.read, 1000, 9)).toEqual(ids)
  })

  test('is found as the oldest open one and as the one confirmed last', async () => {
    const db = await openStore(database)
    expect([await findOldestOpenAt(db.read), await findLastConfirmed(db.read, BRANCH, 'recordCutCrimp')]).toEqual([
      null,
      null,
    ])
    const old = await enqueue(db, 'a', 1000)
    const young = await enqueue(db, 'b', 2000)
    await enqueue(db, 'c', 3000)
    expect(await findOldestOpenAt(db.read)).toBe(1000)
    await settle(db, young)
    await settle(db, old)
    expect(await findLastConfirmed(db.read, BRANCH, 'recordCutCrimp')).toBe(young)
    expect(await findLastConfirmed(db.read, '020101', 'recordCutCrimp')).toBeNull()
    expect(await findOldestOpenAt(db.read)).toBe(3000)
  })
})

test('of two servers on one MariaDB each delivery is worked on by one', async () => {
  const [left, right] = await openTwo()
  const ids: string[] = []
  for (let at = 0; at < 20; at++) ids.push(await enqueue(left, `part ${at}`))
  const taken = await Promise.all(
    ids.flatMap((id) => [lease(left, id, 'left'), lease(right, id, 'right')]).map(async (call) => (await call)?.id),
  )
  expect(taken.filter((id) => id !== undefined).sort()).toEqual([...ids].sort())
})

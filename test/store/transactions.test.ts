import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { parts } from '../../src/contract/items.ts'
import { insertApplicator, listApplicators } from '../../src/server/store/applicators.ts'
import { addProduction, productionIn } from '../../src/server/store/daily-production.ts'
import { againWhenStored, type Db, isUniqueViolation, type Tx } from '../../src/server/store/db/db.ts'
import { findItem, listCopies, reservePieces, saveItems, settlePieces } from '../../src/server/store/items.ts'
import { insertSealingStation, listSealingStations } from '../../src/server/store/sealing-stations.ts'
import { findSetting, keepSetting } from '../../src/server/store/settings.ts'
import { databases, openStore } from '../support/harness.ts'
import { BRANCH, itemOf, keepItem, openTwo } from '../support/store.ts'

const BARCODE = '0101621401001000010007'

const reserve = (db: Db, part: (typeof parts)[number], pieces: number) =>
  db.transaction((tx) => reservePieces(tx, { branch: BRANCH, barcode: BARCODE, part, pieces }))

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

const put = (tx: Tx, name: string, value: string) => tx.insertInto('settings').values({ name, value }).execute()
const append = (tx: Tx, name: string, text: string) =>
  tx
    .updateTable('settings')
    .set({ value: sql<string>`concat(value, ${text})` })
    .where('name', '=', name)
    .execute()

/** Resolves for everybody when as many have come. */
function meeting(countMin: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    if (++here >= countMin) resolve()
    return promise
  }
}

describe.each(databases)('on %s', (database) => {
  test('what throws leaves nothing behind', async () => {
    const db = await openStore(database)
    const error = await rejection(
      db.transaction(async (tx) => {
        await put(tx, 'a', '1')
        await insertApplicator(tx, { terminal: 'T1', miniaplicator: 'MA-1', at: 1 })
        throw new Error('meanwhile')
      }),
    )
    expect(error).toMatchObject({ message: 'meanwhile' })
    expect([await findSetting(db.read, 'a'), await listApplicators(db.read)]).toEqual([null, []])
  })

  test('twenty at once reserve no more than is open, of each part for itself', async () => {
    const db = await openStore(database)
    await keepItem(db, itemOf(BARCODE, 100))
    for (const part of parts) {
      const won = await Promise.all(Array.from({ length: 20 }, () => reserve(db, part, 7)))
      expect(won.filter(Boolean)).toHaveLength(14)
    }
    expect((await findItem(db.read, BRANCH, BARCODE))?.item.aguardandoErp).toEqual({ cabo: 98, l1: 98, l2: 98 })
    expect([await reserve(db, 'l1', 3), await reserve(db, 'l1', 2), await reserve(db, 'l1', 1)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('pieces come free when the ERP refused them, and stay used when it has them', async () => {
    const db = await openStore(database)
    await keepItem(db, itemOf(BARCODE, 10))
    expect(await reserve(db, 'l2', 10)).toBe(true)
    const settled = { branch: BRANCH, barcode: BARCODE, part: 'l2' as const }
    await db.transaction((tx) => settlePieces(tx, { ...settled, pieces: 4, delivered: false, snapshot: null, at: 50 }))
    await db.transaction((tx) => settlePieces(tx, { ...settled, pieces: 6, delivered: true, snapshot: null, at: 51 }))
    expect([await reserve(db, 'l2', 5), await reserve(db, 'l2', 4)]).toEqual([false, true])
    const copy = await findItem(db.read, BRANCH, BARCODE)
    expect(copy?.item).toMatchObject({ Z1_QTREGL2: 6, Z1_PCRIML2: 60, aguardandoErp: { l2: 4 } })
  })

  test('a read that began before a delivery was settled does not bring the old quantity back', async () => {
    const db = await openStore(database)
    await keepItem(db, itemOf(BARCODE, 10))
    await reserve(db, 'cabo', 3)
    const settled = {
      branch: BRANCH,
      barcode: BARCODE,
      part: 'cabo' as const,
      pieces: 3,
      delivered: true,
      snapshot: null,
      at: 500,
    }
    await db.transaction((tx) => settlePieces(tx, settled))
    await keepItem(db, { ...itemOf(BARCODE, 10), Z1_QTREGCO: 1 }, { readBegunAt: 499, fetchedAt: 510 })
    expect((await findItem(db.read, BRANCH, BARCODE))?.item.Z1_QTREGCO).toBe(3)
    // of one instant nobody knows which was first
    await keepItem(db, { ...itemOf(BARCODE, 10), Z1_QTREGCO: 1 }, { readBegunAt: 500, fetchedAt: 515 })
    expect((await findItem(db.read, BRANCH, BARCODE))?.item.Z1_QTREGCO).toBe(3)
    await keepItem(db, { ...itemOf(BARCODE, 10), Z1_QTREGCO: 4 }, { readBegunAt: 501, fetchedAt: 520 })
    expect((await findItem(db.read, BRANCH, BARCODE))?.item.Z1_QTREGCO).toBe(4)
  })

  test('a transaction sees what it wrote itself, and nobody outside what is not committed', async () => {
    const db = await openStore(database)
    let outside: Promise<unknown> = Promise.resolve()
    const undone = new Error('undone')
    const transaction = db.transaction(async (tx) => {
      await insertApplicator(tx, { terminal: 't1', miniaplicator: 'MA-1', at: 1 })
      outside = listApplicators(db.read)
      expect(await listApplicators(tx)).toHaveLength(1)
      throw undone
    })
    await expect(transaction).rejects.toBe(undone)
    expect(await outside).toEqual([])
    expect(await listApplicators(db.read)).toEqual([])
  })

  test('whoever keeps what was read gets what the copy then says of it, in the order of the ERP', async () => {
    const db = await openStore(database)
    const [fresh, same, raised, settled] = (['4', '3', '2', '1'] as const).map((digit) => digit.repeat(22)) as [
      string,
      string,
      string,
      string,
    ]
    for (const barcode of [same, raised, settled]) {
      await keepItem(db, itemOf(barcode, 10))
      await db.transaction((tx) => reservePieces(tx, { branch: BRANCH, barcode, part: 'cabo', pieces: 3 }))
    }
    const end = { branch: BRANCH, barcode: settled, part: 'cabo' as const, pieces: 3, delivered: true, snapshot: null }
    await db.transaction((tx) => settlePieces(tx, { ...end, at: 500 }))
    const read = [fresh, same, raised, settled].map((barcode) => ({
      ...itemOf(barcode, 10),
      Z1_QTREGCO: barcode === raised ? 2 : 0,
    }))
    const saved = await db.transaction((tx) => saveItems(tx, BRANCH, read, { readBegunAt: 499, fetchedAt: 510 }))
    expect(saved.map((item) => [item.Z1_CODBAR, item.Z1_QTREGCO, item.aguardandoErp?.cabo])).toEqual([
      [fresh, 0, 0],
      [same, 0, 3],
      [raised, 2, 3],
      [settled, 3, 0],
    ])
    const stored = await listCopies(
      db.read,
      [fresh, same, raised, settled].map((barcode) => ({ branch: BRANCH, barcode })),
    )
    expect(saved).toEqual(expect.arrayContaining(stored.map(({ item }) => item)))
  })

  test('a pair exists once, without regard to case and outer blanks, and nothing else does', async () => {
    const db = await openStore(database)
    const pair = (terminal: string, miniaplicator: string) =>
      db.transaction((tx) => insertApplicator(tx, { terminal, miniaplicator, at: 1 }))
    const station = (seal: string, sealingStationName: string) =>
      db.transaction((tx) => insertSealingStation(tx, { seal, sealingStationName, at: 1 }))
    for (const add of [pair, station]) {
      await add('Código Ç', 'MA-1')
      expect(isUniqueViolation(await rejection(add(' CÓDIGO ç ', 'ma-1')))).toBe(true)
      await add('Codigo C', 'MA-1')
      await add('Código Ç', 'MA-1 b')
      await add('Código  Ç', 'MA-1')
    }
    expect((await listApplicators(db.read)).map(({ terminal }) => terminal)).toHaveLength(4)
    expect(await listApplicators(db.read, { terminal: 'código ç' })).toHaveLength(2)
    expect(await listSealingStations(db.read, { seal: 'código ç' })).toHaveLength(2)
  })

  test('of twenty who write the first line of a day at once each is in it', async () => {
    const db = await openStore(database)
    const day = { productionDay: '2026-11-23', branch: BRANCH, part: 'cabo', orderNumber: '1', machine: 'M' } as const
    const dimensions = { ...day, operator: 'Maria', unitKey: '', terminal: '' }
    const add = (pieces: number) => db.transaction((tx) => addProduction(tx, dimensions, { pieces, recordings: 1 }))
    await Promise.all(Array.from({ length: 20 }, (_, at) => add(at + 1)))
    expect(await productionIn(db.read, {}).select(['pieces', 'recordings']).execute()).toEqual([
      { pieces: 210, recordings: 20 },
    ])
  })

  test('twenty who store the same key at once find the one that was first', async () => {
    const db = await openStore(database)
    const keys = await Promise.all(
      Array.from({ length: 20 }, (_, at) => db.transaction((tx) => keepSetting(tx, 'signing-key', `key ${at}`))),
    )
    expect(new Set(keys).size).toBe(1)
    expect(await findSetting(db.read, 'signing-key')).toBe(keys[0])
    let tries = 0
    const never = againWhenStored(() => {
      tries++
      return db.transaction((tx) => put(tx, 'signing-key', 'other'))
    })
    expect(isUniqueViolation(await rejection(never))).toBe(true)
    expect(tries).toBe(5)
  })
})

describe('on MariaDB a transaction is repeated as a whole', () => {
  test('after a deadlock', async () => {
    const [left, right] = await openTwo()
    await left.transaction(async (tx) => {
      await put(tx, 'a', '')
      await put(tx, 'b', '')
    })
    const both = meeting(2)
    let tries = 0
    const crossing = (db: Db, names: [string, string], mark: string) =>
      db.transaction(async (tx) => {
        tries++
        await append(tx, names[0], mark)
        await both()
        await append(tx, names[1], mark)
      })
    await Promise.all([crossing(left, ['a', 'b'], 'l'), crossing(right, ['b', 'a'], 'r')])
    expect(tries).toBeGreaterThan(2)
    const values = [await findSetting(left.read, 'a'), await findSetting(left.read, 'b')]
    expect(values.map((value) => [...(value ?? '')].sort().join(''))).toEqual(['lr', 'lr'])
  })

  test.each(['between two statements', 'before the commit'])('after its connection was lost %s', async (when) => {
    const [db, other] = await openTwo()
    await db.transaction((tx) => put(tx, 'a', ''))
    let tries = 0
    const loseConnection = async (tx: Tx) => {
      const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(tx)
      if (tries === 1) await sql.raw(`kill ${rows[0]?.id}`).execute(other.read)
    }
    await db.transaction(async (tx) => {
      tries++
      await append(tx, 'a', 'x')
      if (when === 'between two statements') await loseConnection(tx)
      await append(tx, 'a', 'y')
      if (when === 'before the commit') await loseConnection(tx)
    })
    expect([tries, await findSetting(db.read, 'a')]).toEqual([2, 'xy'])
  })

  test('but not for ever', async () => {
    const [db] = await openTwo()
    let tries = 0
    const error = await rejection(
      db.transaction(async () => {
        tries++
        throw Object.assign(new Error('again'), { code: 'ER_LOCK_DEADLOCK' })
      }),
    )
    expect([tries, error]).toMatchObject([5, { message: 'again' }])
  })
})

import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { openOutsideActs } from '../../src/server/acts/outside-acts.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { migrate, migrateUpTo } from '../../src/server/store/db/migrate.ts'
import { insertMeasurements } from '../../src/server/store/measurements.ts'
import { findSeenId, findUpgradedId } from '../../src/server/store/outside-acts.ts'
import { databases, openStore, openTestDb } from '../support/harness.ts'
import { sampleRow } from '../support/series-samples.ts'

const BEFORE = '2026-12-07-order-of-acts-08-task_runs_ordered_day'

/** As a server of the version before does, which knows no list. */
const storeAsBefore = (db: Db, rows: (ReturnType<typeof sampleRow> & { id?: number })[]) =>
  db.transaction((tx) => tx.insertInto('measurements').values(rows).execute())

const actId = (nth: number) => `00000000-0000-4000-8000-${`${nth}`.padStart(12, '0')}`
const bad = (nth: number, more: Parameters<typeof sampleRow>[0] = {}) =>
  sampleRow({ act_id: actId(nth), verdict: 'fora', ...more })

const listed = async (db: Db) =>
  (await db.read.selectFrom('outside_acts').selectAll().orderBy('act_id').orderBy('characteristic').execute()).map(
    ({ act_id, characteristic }) => `${Number(act_id.slice(-12))} ${characteristic}`,
  )

const chore = (db: Db) => openOutsideActs({ db, log: pino({ enabled: false }) })

describe.each(databases)('on %s', (database) => {
  test('what is outside is listed in its own commit, a row a characteristic, and a good one is not', async () => {
    const db = await openStore(database)
    const good = sampleRow({ act_id: actId(1) })
    await db.transaction((tx) =>
      insertMeasurements(tx, [
        ...[good, bad(2), bad(2, { characteristic: 'forca', verdict: 'dentro' }), bad(3, { counted: 0 })],
        ...[bad(4, { characteristic: 'largura' }), bad(4, { characteristic: 'altura' })],
      ]),
    )
    expect(await listed(db)).toEqual(['2 altura', '3 altura', '4 altura', '4 largura'])
  })

  test('an upgrade lists what is there, once, and marks up to where nobody is woken', async () => {
    const db = await openTestDb(database)
    await migrateUpTo(db, BEFORE)
    await storeAsBefore(db, [bad(1), sampleRow({ act_id: actId(2) }), bad(3)])
    await migrate(db)
    expect([await listed(db), await findUpgradedId(db.read), await findSeenId(db.read)]).toEqual([
      ['1 altura', '3 altura'],
      3,
      3,
    ])
    // killed before it was noted: MariaDB has committed some of it
    await db.transaction(async (tx) => {
      await tx.deleteFrom('outside_acts').where('act_id', '=', actId(3)).execute()
      await tx
        .deleteFrom('kysely_migration' as 'settings')
        .where('name', '>=', '2026-12-10-outside-acts-03-outside_acts_filled')
        .execute()
    })
    await storeAsBefore(db, [bad(4)])
    await migrate(db)
    expect([await listed(db), await findUpgradedId(db.read)]).toEqual([['1 altura', '3 altura', '4 altura'], 3])
  })

  test('what a server of the version before stores beside this one is listed within a minute, also where its commit comes late', async () => {
    const db = await openStore(database)
    const look = chore(db)
    await storeAsBefore(
      db,
      [bad(1), bad(3, { characteristic: 'forca' })].map((row, at) => ({ ...row, id: 10 + 10 * at })),
    )
    await look()
    await storeAsBefore(db, [{ ...bad(2), id: 15 }])
    await look()
    expect(await listed(db), 'of a lower number').toEqual(['1 altura', '2 altura', '3 forca'])
    expect(await findSeenId(db.read)).toBe(20)
    await Promise.all([look(), chore(db)()])
    await storeAsBefore(db, [bad(4), sampleRow({ act_id: actId(5) })])
    await Promise.all([look(), chore(db)()])
    expect(await listed(db), 'two servers at once').toEqual(['1 altura', '2 altura', '3 forca', '4 altura'])
  })
})

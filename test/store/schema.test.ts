import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addCrimps, ensureUnit, insertApplicator, listApplicators } from '../../src/server/store/applicators.ts'
import { type Db, isUniqueViolation, openDb, openMysql } from '../../src/server/store/db/db.ts'
import { migrate } from '../../src/server/store/db/migrate.ts'
import { findItem } from '../../src/server/store/items.ts'
import { findUserByName, insertUser } from '../../src/server/store/users.ts'
import { databases, openStore, openTestDb, temporaryFolder } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { BRANCH, itemOf, keepItem, openAnother } from '../support/store.ts'
import { findUnit } from '../support/units.ts'

/** All different, however alike a collation may find them. */
const NAMES = ['a', 'A', 'á', 'a\u0301', 'a ', ' a', 'a\u0000', 'ä', 'ß', 'ss', 'i', 'ı', 'İ', '😀', '😁', '', '﷐', '𐀀']

const put = (db: Db, name: string, value: string) =>
  db.transaction((tx) => tx.insertInto('settings').values({ name, value }).execute())

const namesOf = async (db: Db) =>
  (await db.read.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name)

async function expectExactText(db: Db): Promise<void> {
  for (const [at, name] of NAMES.entries()) await put(db, name, `value ${at}`)
  for (const [at, name] of NAMES.entries()) {
    const rows = await db.read.selectFrom('settings').selectAll().where('name', '=', name).execute()
    expect(rows).toEqual([{ name, value: `value ${at}` }])
    const twice = await put(db, name, '').catch((error: unknown) => error)
    expect(isUniqueViolation(twice)).toBe(true)
  }
  // of UTF-8: the same on both databases
  const bytewise = [...NAMES].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  expect(await namesOf(db)).toEqual(bytewise)
}

const insert = (db: Db, username: string) =>
  db.transaction((tx) =>
    insertUser(tx, {
      username,
      fullName: 'x',
      role: 'operador',
      passwordHash: 'x',
      createdAt: Number.MAX_SAFE_INTEGER,
    }),
  )

describe.each(databases)('the tables on %s', (database) => {
  test('are made once, however often and by however many they are asked for', async () => {
    const db = await openTestDb(database)
    await Promise.all([migrate(db), migrate(db)])
    await put(db, 'kept', 'x')
    const noted = () => sql`select * from kysely_migration order by name`.execute(db.read)
    const before = (await noted()).rows
    await migrate(db)
    expect((await noted()).rows).toEqual(before)
    expect(await namesOf(db)).toEqual(['kept'])
  })

  test('are completed when a start died after a statement and before noting it', async () => {
    const db = await openStore(database)
    await put(db, 'kept', 'x')
    await sql`delete from kysely_migration where name > '2026-11-21-house-02'`.execute(db.read)
    await migrate(db)
    expect(await namesOf(db)).toEqual(['kept'])
  })

  test('tell texts apart by every byte and order them alike', async () => {
    await expectExactText(await openStore(database))
  })

  test('give back any text as it was', async () => {
    const db = await openStore(database)
    await put(db, 'text', '')
    const known = ["'; drop table settings; --", '\\', '%_', '"', 'x'.repeat(100_000), '👩🏽‍🔧', '\r\n\t', 'fim   ']
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (value) => {
        await db.transaction((tx) => tx.updateTable('settings').set({ value }).execute())
        const row = await db.read.selectFrom('settings').select('value').where('value', '=', value).executeTakeFirst()
        expect(row?.value).toBe(value)
      }),
      { numRuns: 60, examples: known.map((value): [string] => [value]) },
    )
  })

  test('hold whole numbers up to the largest safe one, and quantities with decimals, as numbers', async () => {
    const db = await openStore(database)
    const largest = Number.MAX_SAFE_INTEGER
    const line = { reason: 'sample' as const, unitKey: 'ma-1', at: largest }
    await db.transaction(async (tx) => {
      await ensureUnit(tx, { name: 'MA-1', at: largest })
      await addCrimps(tx, { ...line, recordingId: 'a', crimps: largest - 1 })
      await addCrimps(tx, { ...line, recordingId: 'b', crimps: 1 })
    })
    expect(await findUnit(db.read, 'MA-1')).toMatchObject({ crimps: largest, lifetimeCrimps: largest })
    await db.transaction((tx) => addCrimps(tx, { ...line, recordingId: 'c', crimps: -largest }))
    expect(await findUnit(db.read, 'MA-1')).toMatchObject({ crimps: 0 })
    const ledger = await db.read.selectFrom('crimp_ledger').select(['crimps', 'at']).orderBy('id').execute()
    expect(ledger).toEqual([largest - 1, 1, -largest].map((crimps) => ({ crimps, at: largest })))
    await keepItem(db, { ...itemOf('0'.repeat(22), 0.1 + 0.2), Z1_QTREGCO: 1e-7 })
    const copy = await findItem(db.read, BRANCH, '0'.repeat(22))
    expect(copy?.item).toMatchObject({ Z1_QUANT: 0.1 + 0.2, Z1_QTREGCO: 1e-7 })
  })

  test('know a user by the name in whatever case', async () => {
    const db = await openStore(database)
    await insert(db, ' Zé.Ção ')
    for (const name of ['zé.ção', 'ZÉ.ÇÃO', 'Zé.Ção  ']) {
      expect(await findUserByName(db.read, name), name).toMatchObject({ username: 'zé.ção' })
    }
    for (const name of ['ze.cao', 'zé .ção', 'zé.çã']) expect(await findUserByName(db.read, name), name).toBeNull()
    expect(isUniqueViolation(await insert(db, 'ZÉ.ção').catch((error: unknown) => error))).toBe(true)
  })

  test('list names in one order', async () => {
    const db = await openStore(database)
    const terminals = ['t2', 'T10', 'T1', 'Á', 'T1 B', '😀', '｡']
    for (const terminal of terminals) {
      await db.transaction((tx) => insertApplicator(tx, { terminal, miniaplicator: 'MA', at: 1 }))
    }
    const listed = (await listApplicators(db.read)).map(({ terminal }) => terminal)
    expect(listed).toEqual(['T1', 'T1 B', 'T10', 't2', 'Á', '｡', '😀'])
  })
})

describe.each(databases)('several servers on one %s', (database) => {
  test('that start at once make the tables once', async () => {
    const url = database === 'mariadb' ? await freshDatabase() : ''
    const file = join(temporaryFolder(), 'painel.sqlite')
    const open = () => (database === 'mariadb' ? openMysql(url) : openDb({ kind: 'sqlite', file }))
    const servers = [open(), open(), open()]
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
    await Promise.all(servers.map(migrate))
    await put(servers[0] as Db, 'kept', 'x')
    for (const server of servers) expect(await namesOf(server)).toEqual(['kept'])
  })
})

describe('on MariaDB', () => {
  test('the tables bring their own collation, whatever the database was made with', async () => {
    const url = await freshDatabase()
    const connection = await createConnection(url)
    await connection.query('ALTER DATABASE CHARACTER SET latin1 COLLATE latin1_swedish_ci')
    await connection.end()
    const db = openAnother(url)
    await migrate(db)
    await expectExactText(db)
  })

  test('every connection reads what is committed and refuses what does not fit', async () => {
    const db = await openStore('mariadb')
    const settings = () =>
      sql<object>`select @@session.tx_isolation as isolation, @@session.sql_mode as mode, sleep(0.05)`.execute(db.read)
    for (const { rows } of await Promise.all(Array.from({ length: 10 }, settings))) {
      expect(rows).toMatchObject([{ isolation: 'READ-COMMITTED', mode: expect.stringContaining('STRICT_ALL_TABLES') }])
    }
    const tooLong = put(db, 'x'.repeat(65), '')
    await expect(tooLong).rejects.toMatchObject({ code: 'ER_DATA_TOO_LONG' })
    expect(await namesOf(db)).toEqual([])
  })
})

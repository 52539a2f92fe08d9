import { describe, expect, test } from 'vitest'
import { databases, NOON_MS, openTestDb } from '../../../../test/support/harness.ts'
import { insertApplicator, listApplicators } from '../applicators.ts'
import { compileOnce } from './compiled.ts'
import { migrate } from './migrate.ts'

const pair = (terminal: string, miniaplicator: string) => ({ terminal, miniaplicator, at: NOON_MS })

describe.each(databases)('a compiled statement on %s', (database) => {
  test('takes its values by name, as often as it names them and in whatever order they come', async () => {
    const db = await openTestDb(database)
    await migrate(db)
    const pairOf = compileOnce((on, { terminal, miniaplicator }: { terminal: string; miniaplicator: string }) =>
      on
        .selectFrom('applicators')
        .select('miniaplicator as name')
        .where('miniaplicator', '=', miniaplicator)
        .where('terminal', '=', terminal)
        .where('terminal_key', '=', terminal),
    )
    await db.transaction(async (tx) => {
      await insertApplicator(tx, pair('t1', 'MA-1'))
      await insertApplicator(tx, pair('t2', 'MA-2'))
      expect((await pairOf(tx, { terminal: 't1', miniaplicator: 'MA-1' })).rows).toEqual([{ name: 'MA-1' }])
    })
    expect((await pairOf(db.read, { miniaplicator: 'MA-2', terminal: 't2' })).rows).toEqual([{ name: 'MA-2' }])
    expect((await pairOf(db.read, { miniaplicator: 'MA-1', terminal: 't2' })).rows).toEqual([])
  })

  test('sees what its own transaction wrote, and outside of it nothing that is not committed', async () => {
    const db = await openTestDb(database)
    await migrate(db)
    let outside: Promise<unknown> = Promise.resolve()
    const undone = new Error('undone')
    const transaction = db.transaction(async (tx) => {
      await insertApplicator(tx, pair('t1', 'MA-1'))
      outside = listApplicators(db.read)
      expect(await listApplicators(tx)).toHaveLength(1)
      throw undone
    })
    await expect(transaction).rejects.toBe(undone)
    expect(await outside).toEqual([])
    expect(await listApplicators(db.read)).toEqual([])
  })
})

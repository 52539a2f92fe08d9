import { describe, expect, test } from 'vitest'
import { compiled, type Place } from '../../src/server/store/db/compiled.ts'
import { databases, openStore } from '../support/harness.ts'

const valuesFrom = compiled((db, value: Place<{ one: string; other: string; from: string }>) =>
  db
    .selectFrom('settings')
    .select('value')
    .where('name', 'in', [value('one'), value('other')])
    .where('value', '>=', value('from'))
    .orderBy('value'),
)

describe.each(databases)('on %s', (database) => {
  test('a compiled statement is filled with the values of each call, within a transaction and outside', async () => {
    const [db, another] = [await openStore(database), await openStore(database)]
    const settings = ['a', 'b', 'c'].map((name, at) => ({ name, value: String(at) }))
    await db.transaction(async (tx) => {
      await tx.insertInto('settings').values(settings).execute()
      expect(await valuesFrom(tx, { one: 'c', other: 'b', from: '0' })).toEqual([{ value: '1' }, { value: '2' }])
    })
    expect(await valuesFrom(db.read, { one: 'a', other: 'b', from: '1' })).toEqual([{ value: '1' }])
    expect(await valuesFrom(db.read, { one: 'a', other: 'a', from: '0' })).toEqual([{ value: '0' }])
    expect(await valuesFrom(another.read, { one: 'a', other: 'b', from: '0' })).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { compiled, compiledChange, insertRows, type Place } from '../../src/server/store/db/compiled.ts'
import { databases, openStore } from '../support/harness.ts'

const valuesFrom = compiled((db, value: Place<{ one: string; other: string; from: string }>) =>
  db
    .selectFrom('settings')
    .select('value')
    .where('name', 'in', [value('one'), value('other')])
    .where('value', '>=', value('from'))
    .orderBy('value'),
)

const raise = compiledChange((tx, value: Place<{ name: string; from: string; to: string }>) =>
  tx
    .updateTable('settings')
    .set({ value: value('to') })
    .where('name', '=', value('name'))
    .where('value', '=', value('from')),
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

  test('a compiled change says how many rows were as its conditions say', async () => {
    const db = await openStore(database)
    await db.transaction(async (tx) => {
      await insertRows(tx, 'settings', [{ name: 'a', value: '0' }])
      expect(await raise(tx, { name: 'a', from: '0', to: '1' })).toBe(1)
      expect(await raise(tx, { name: 'a', from: '0', to: '2' })).toBe(0)
    })
    expect(await valuesFrom(db.read, { one: 'a', other: 'a', from: '0' })).toEqual([{ value: '1' }])
  })

  test('rows are inserted each with its own values, in whatever order it names them', async () => {
    const db = await openStore(database)
    await db.transaction(async (tx) => {
      await insertRows(tx, 'settings', [])
      await insertRows(tx, 'settings', [{ name: 'a', value: '1' }])
      await insertRows(tx, 'settings', [
        { name: 'b', value: '2' },
        { value: '3', name: 'c' },
      ])
      await insertRows(tx, 'settings', [{ value: '4', name: 'd' }])
    })
    expect(await valuesFrom(db.read, { one: 'a', other: 'b', from: '0' })).toEqual([{ value: '1' }, { value: '2' }])
    expect(await valuesFrom(db.read, { one: 'c', other: 'd', from: '0' })).toEqual([{ value: '3' }, { value: '4' }])
  })
})

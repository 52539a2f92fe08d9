import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listInstants } from '../../src/server/store/instants.ts'
import { openStore } from '../support/harness.ts'

/** Numbers of crimps, whatever their names. */
const counts = ['task_runs.lifetime_at', 'wear_parts.crimps_at_removal']

test('what brings future times back knows every column of an instant that the schema has', async () => {
  const db = await openStore('sqlite')
  const { rows } = await sql<{ name: string }>`
    select m.name || '.' || c.name as name from sqlite_master m join pragma_table_xinfo(m.name) c
    where m.type = 'table' and m.name not like 'sqlite%' and m.name not like 'kysely%'
      and c.type in ('INTEGER', 'integer') and (c.name = 'at' or c.name like '%\\_at' escape '\\'
        or c.name like '%\\_until' escape '\\' or c.name like '%\\_since' escape '\\' or c.name like '%\\_from' escape '\\')`.execute(
    db.read,
  )
  const known = listInstants().map(({ table, column }) => `${table}.${column}`)
  expect(new Set(known).size, 'each once').toBe(known.length)
  const columns = rows.map(({ name }) => name).filter((name) => !counts.includes(name))
  const missing = columns.filter((name) => !known.includes(name))
  expect(missing.map((name) => `${name} is in the schema, and instants.ts does not say what becomes of it`)).toEqual([])
  expect(known.filter((name) => !columns.includes(name)).map((name) => `${name} is not in the schema`)).toEqual([])
})

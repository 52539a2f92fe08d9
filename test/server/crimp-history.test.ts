import { expect, test } from 'vitest'
import { listFiles, readText } from '../support/tidy/source.ts'

const CHANGE = /(updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`](\w+)|\b(update|delete from)\s+["`]?(\w+)/gi

const changedIn = (text: string) =>
  [...text.matchAll(CHANGE)].map((match) => (match[2] ?? match[4] ?? '').toLowerCase())

/** Lines are only ever added to these. */
const appendOnly = ['crimp_history', 'crimp_ledger', 'audit_entries', 'maintenance_records']

test('no statement of the product changes or removes what was written down for good', () => {
  const sources = listFiles().filter((path) => /^src\/server\/.*(?<!\.test)\.ts$/.test(path))
  const changed = sources.flatMap((path) => changedIn(readText(path)))
  expect(changed).toContain('applicator_units')
  expect(changed).toContain('live_changes')
  expect(changed.filter((table) => appendOnly.includes(table))).toEqual([])
  expect(changedIn("tx.updateTable('crimp_history').set; sql`delete from crimp_history`")).toEqual([
    'crimp_history',
    'crimp_history',
  ])
})

import { expect, test } from 'vitest'
import { isStoreUnreachable } from '../../src/server/store/db/db.ts'

test.each([
  ['SQLITE_BUSY', true],
  ['SQLITE_BUSY_SNAPSHOT', true],
  ['SQLITE_BUSY_RECOVERY', true],
  ['SQLITE_READONLY_DBMOVED', true],
  ['SQLITE_IOERR_SHORT_READ', true],
  ['SQLITE_CANTOPEN', true],
  ['SQLITE_CANTOPEN_ISDIR', true],
  ['SQLITE_FULL', true],
  ['SQLITE_CONSTRAINT_UNIQUE', false],
  ['SQLITE_CORRUPT_VTAB', false],
  ['SQLITE_ERROR', false],
  ['ECONNREFUSED', true],
])('SQLite’s extended codes are known by their base: %s', (code, isUnreachable) =>
  expect(isStoreUnreachable(Object.assign(new Error('x'), { code }))).toBe(isUnreachable),
)

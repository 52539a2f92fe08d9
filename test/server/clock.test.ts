import { expect, test } from 'vitest'
import { openClock } from '../../src/server/clock.ts'
import { databases, openTestDb } from '../support/harness.ts'

const HOUR_MS = 3_600_000

test.each(databases)('a server whose clock is an hour behind goes by that of %s', async (database) => {
  const db = await openTestDb(database)
  const warned: object[] = []
  const behind = () => Date.now() - HOUR_MS
  const { now } = await openClock(db, behind, { warn: (fields: object) => warned.push(fields) })
  const apartMs = now() - behind()
  // to the minute: the two clocks of this machine are one
  expect(Math.round(apartMs / 60_000)).toBe(database === 'mariadb' ? 60 : 0)
  expect(warned).toHaveLength(database === 'mariadb' ? 1 : 0)
})

test('while the database is away the clock goes on as it was', async () => {
  let away = false
  const aheadMs = async () => {
    if (away) throw new Error('away')
    return HOUR_MS
  }
  const { now, follow } = await openClock({ aheadMs }, () => 5, { warn: () => {} })
  away = true
  await follow()
  expect(now()).toBe(5 + HOUR_MS)
})

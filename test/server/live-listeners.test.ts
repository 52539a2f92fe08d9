import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveChange } from '../../src/contract/live-changes.ts'
import { noteChanges } from '../../src/server/store/live-changes.ts'
import { openLiveChanges } from '../../src/server/upkeep/live-changes.ts'
import { NOON_MS, openStore, UNTOUCHED } from '../support/harness.ts'

test('a listener that fails keeps no change from the others', async () => {
  const db = await openStore('sqlite')
  const changes: LiveChange[] = [{ topic: 'items', key: UNTOUCHED }]
  const said: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  const live = openLiveChanges({ db, now: () => NOON_MS, log })
  onTestFinished(() => live.stop())
  const end = () => undefined
  const fail = () => {
    throw new Error('the stream is gone')
  }
  await live.listen({ hear: fail, end })
  const { promise: heard, resolve: hear } = Promise.withResolvers<LiveChange[]>()
  await live.listen({ hear, end })
  await db.transaction((tx) => noteChanges(tx, changes, NOON_MS))
  expect(await heard).toEqual(changes)
  expect(said.join('')).toContain('the stream is gone')
})

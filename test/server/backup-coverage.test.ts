import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/server/store/db/db.ts'
import { makeBackup, noteTriedOut } from '../../src/server/upkeep/backups.ts'
import { openTestPanel, temporaryFolder } from '../support/harness.ts'

test('tablets hear until when two backups that were tried out have everything', async () => {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', file: join(folder, 'painel.sqlite') } as const
  const place = { database, backupDir: join(folder, 'backups'), documentsDir: join(folder, 'documentos') }
  const db = openDb(database)
  onTestFinished(() => db.close())
  const { app, clock } = await openTestPanel({ env: { DATA_DIR: folder }, db })
  const covered = async () => {
    clock.advance(3_600_000)
    return (await app.inject('/api/status')).json().coveredUntil
  }
  const backUp = () => makeBackup(place, clock.now())
  expect(await covered()).toBe(null)
  const madeAt = clock.now()
  await noteTriedOut(await backUp())
  expect(await covered(), 'one may be lost').toBe(null)
  await backUp()
  expect(await covered(), 'the second was not tried out').toBe(null)
  await noteTriedOut(await backUp())
  expect(await covered()).toBe(new Date(madeAt - 5 * 60_000).toISOString())
})

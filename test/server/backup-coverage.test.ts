import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../src/server/store/db/db.ts'
import {
  findCoveredUntil,
  findTriedOutAt,
  makeBackup,
  newestBackupAt,
  noteTriedOut,
} from '../../src/server/upkeep/backups.ts'
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

test('backups that were made while the clock was ahead cover nothing, and are not the newest', async () => {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', file: join(folder, 'painel.sqlite') } as const
  const place = { database, backupDir: join(folder, 'backups'), documentsDir: join(folder, 'documentos') }
  const db = openDb(database)
  onTestFinished(() => db.close())
  const { app, clock } = await openTestPanel({ env: { DATA_DIR: folder }, db })
  const now = clock.now()
  const backUp = async (madeAt: number) => await noteTriedOut(await makeBackup(place, madeAt))
  await backUp(now + 365 * 86_400_000)
  await backUp(now + 366 * 86_400_000)
  expect((await app.inject('/api/status')).json().coveredUntil).toBe(null)
  expect(await newestBackupAt(place.backupDir, now)).toBe(null)
  expect(await findTriedOutAt(place.backupDir, now)).toBe(null)
  await backUp(now - 7_200_000)
  await backUp(now - 3_600_000)
  expect(await findCoveredUntil(place.backupDir, now)).toBe(now - 7_200_000 - 5 * 60_000)
  expect(await newestBackupAt(place.backupDir, now)).toBe(now - 3_600_000)
  expect(await findTriedOutAt(place.backupDir, now)).toBe(now - 3_600_000)
})

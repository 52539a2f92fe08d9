import { describe, expect, test } from 'vitest'
import { openPasswords } from '../../src/server/http/passwords.ts'
import type { Db } from '../../src/server/store/db/db.ts'
import { deleteOldThrottles, findThrottle, takeTry } from '../../src/server/store/login-throttles.ts'
import { deleteDeadSessions, insertSecrets, insertSession } from '../../src/server/store/sessions.ts'
import { findUserByName } from '../../src/server/store/users.ts'
import { addUser, databases, openStore } from '../support/harness.ts'

async function addSession(db: Db, id: string, expiresAt: number): Promise<void> {
  const user = await findUserByName(db.read, 'maria')
  await db.transaction(async (tx) => {
    const session = { id, userId: user?.id ?? 0, browser: true, deviceName: '', device: null, createdAt: 1 }
    await insertSession(tx, { ...session, expiresAt })
    await insertSecrets(tx, id, 1, { token: `token of ${id}`, cookie: `cookie of ${id}` })
  })
}

describe.each(databases)('what is outdated on %s goes', (database) => {
  test('sessions with their secrets, and no others', async () => {
    const db = await openStore(database)
    await addUser({ db, passwords: openPasswords() }, { username: 'maria' })
    for (const [id, expiresAt] of [
      ['old', 999],
      ['just', 1000],
      ['young', 1001],
    ] as const) {
      await addSession(db, id, expiresAt)
    }
    const left = async () => {
      const secrets = await db.read.selectFrom('session_secrets').select(['kind', 'session_id as id']).execute()
      return secrets.map(({ kind, id }) => `${kind} of ${id}`).sort()
    }
    const both = (...ids: string[]) => ['cookie', 'token'].flatMap((kind) => ids.map((id) => `${kind} of ${id}`))
    expect(await left()).toEqual(both('just', 'old', 'young'))
    await db.transaction((tx) => deleteDeadSessions(tx, 1000))
    expect(await left()).toEqual(both('just', 'young'))
    expect(await db.read.selectFrom('sessions').select('id').execute()).toHaveLength(2)
    await db.transaction((tx) => deleteDeadSessions(tx, Number.MAX_SAFE_INTEGER))
    expect([await left(), await findUserByName(db.read, 'maria')]).toEqual([[], expect.anything()])
  })

  test('counts of wrong passwords, and no others', async () => {
    const db = await openStore(database)
    const next = { failures: 1, nextAt: 5000 }
    for (const [name, at] of [
      ['old', 999],
      ['young', 1000],
    ] as const) {
      expect(await db.transaction((tx) => takeTry(tx, name, null, { ...next, at }))).toBe(true)
    }
    await db.transaction((tx) => deleteOldThrottles(tx, 1000))
    expect(await findThrottle(db.read, 'old')).toBeNull()
    expect(await findThrottle(db.read, 'young')).toEqual({ ...next, updatedAt: 1000 })
  })

  test('of twenty who take the same try at once one has it', async () => {
    const db = await openStore(database)
    const next = { failures: 1, nextAt: 5000, at: 1 }
    for (const seen of [null, { failures: 1, nextAt: 5000 }]) {
      const after = seen ? { ...next, failures: 2 } : next
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => db.transaction((tx) => takeTry(tx, 'user:maria', seen, after))),
      )
      expect(taken.filter(Boolean)).toHaveLength(1)
    }
    expect(await findThrottle(db.read, 'user:maria')).toEqual({ failures: 2, nextAt: 5000, updatedAt: 1 })
  })
})

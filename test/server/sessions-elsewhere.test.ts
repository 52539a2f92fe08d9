import { hash } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { OpenSession } from '../../src/contract/sessions.ts'
import { openDb } from '../../src/server/store/db/db.ts'
import { revokeSession } from '../../src/server/store/sessions.ts'
import { addUser, databases, openTestPanel, PASSWORD, temporaryFolder } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

test.each(databases)('a session on %s ends at the call after another process ended it', async (database) => {
  const file = join(temporaryFolder(), 'painel.sqlite')
  const url = database === 'mariadb' ? await freshDatabase() : null
  // two connections know no more of each other than two processes do
  const open = () => openDb(url === null ? { kind: 'sqlite', file } : { kind: 'mysql', url })
  const [db, elsewhere] = [open(), open()]
  onTestFinished(async () => void (await Promise.all([db.close(), elsewhere.close()])))
  const panel = await openTestPanel({ db })
  await addUser(panel.context, { username: 'operador' })
  const browser = browserOf(panel)
  const [pair, left] = [pairOf(await browser.login('operador')), pairOf(await browser.login('operador'))]
  const statusOf = async (one: typeof pair) => (await browser.validate(one)).statusCode
  // the second look finds what the first one kept
  for (let look = 0; look < 2; look++) expect([await statusOf(pair), await statusOf(left)]).toEqual([200, 200])

  const secret = await elsewhere.read
    .selectFrom('session_secrets')
    .select('session_id')
    .where('hash', '=', hash('sha256', left.token, 'hex'))
    .executeTakeFirstOrThrow()
  await elsewhere.transaction((tx) => revokeSession(tx, secret.session_id, { at: panel.clock.now(), why: 'admin' }))
  expect([await statusOf(pair), await statusOf(left)]).toEqual([200, 401])

  await elsewhere.transaction(async (tx) => void (await tx.updateTable('users').set({ active: 0 }).execute()))
  expect([await statusOf(pair), await statusOf(left)]).toEqual([401, 401])
})

test.each(databases)('a session on %s says by which browser and from which address it was opened', async (database) => {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'operador' })
  const browser = browserOf(panel)
  const here = pairOf(await browser.login('operador'))
  await panel.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 10; K) Chrome/142.0.0.0 Safari/537.36' },
    remoteAddress: '10.0.0.7',
    payload: { username: 'operador', password: PASSWORD },
  })
  const list = (await browser.ask(here, { url: '/api/sessoes' })).json<OpenSession[]>()
  expect(list.find(({ isCurrent }) => !isCurrent)).toMatchObject({ agent: 'Chrome · Android', address: '10.0.0.7' })
})

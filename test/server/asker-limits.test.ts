import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { limits } from '../../src/server/http/limits.ts'
import { insertSession } from '../../src/server/store/sessions.ts'
import { openStream } from '../support/event-stream.ts'
import { addUser, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { SOON } from '../support/slowness.ts'
import { browserOf, pairOf, sameOrigin } from '../support/visitor.ts'

test.each(databases)(
  'a log-in ends the session before it on its device, then the oldest beyond 60, on %s',
  async (database) => {
    const panel = await openTestPanel({ database })
    const { db, clock } = panel
    await addUser(panel.context, { username: 'operador' })
    const browser = browserOf(panel)
    const enter = async () => pairOf(await browser.login('operador'))
    const before = await enter()
    const headers = { ...sameOrigin, cookie: `__Host-device=${before.device}` }
    const onSameDevice = pairOf(await browser.login('operador', PASSWORD, headers))
    expect((await browser.validate(before)).statusCode).toBe(401)
    clock.advance(1000)
    const { userId } = await db.read
      .selectFrom('sessions')
      .select('user_id as userId')
      .limit(1)
      .executeTakeFirstOrThrow()
    const [createdAt, expiresAt] = [clock.now(), clock.now() + 3_600_000]
    const session = { userId, browser: false, deviceName: '', device: null, createdAt, expiresAt }
    await db.transaction(async (tx) => {
      for (let n = 3; n <= 60; n++) await insertSession(tx, { ...session, id: randomUUID() })
    })
    clock.advance(1000)
    const sixtieth = await enter()
    expect((await browser.validate(onSameDevice)).statusCode).toBe(200)
    await enter()
    const ended = await browser.validate(onSameDevice)
    expect([ended.statusCode, ended.json().message]).toEqual([401, limits.sessionsOfUser.sentence])
    expect((await browser.validate(sixtieth)).statusCode).toBe(200)
    const rows = await db.read.selectFrom('sessions').select('ended_why').where('ended_why', 'is not', null).execute()
    expect(rows.map(({ ended_why }) => ended_why).sort()).toEqual(['limit', 'replaced'])
  },
)

test('an event stream is opened 24 times on one device, or by one session, and again when one was closed', async () => {
  const panel = await openTestPanel({})
  await addUser(panel.context, { username: 'maria' })
  await addUser(panel.context, { username: 'joana' })
  const tokens = [(await panel.login('maria')).token, (await panel.login('joana')).token]
  const listen = (who: number, device = 'tablet') =>
    openStream(panel, { authorization: `Bearer ${tokens[who]}`, cookie: `__Host-device=${device}` })
  const streams = await Promise.all(Array.from({ length: 24 }, (_, n) => listen(n % 2)))
  const elsewhere = await Promise.all(Array.from({ length: 12 }, (_, n) => listen(0, `tablet ${n}`)))
  expect([...streams, ...elsewhere].filter(({ status }) => status !== 200)).toEqual([])
  const refused = await listen(1)
  await refused.ended
  const { message } = JSON.parse(refused.text())
  expect([refused.status, refused.headers['retry-after'], message]).toEqual([429, '5', limits.streamsOfDevice.sentence])
  expect((await listen(1, 'new')).status).toBe(200)
  expect((await listen(0, 'new')).status, 'a session gains nothing by naming other devices').toBe(429)
  streams[0]?.hangUp()
  await vi.waitFor(async () => expect((await listen(0)).status).toBe(200), SOON)
})

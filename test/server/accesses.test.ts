import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/contract/audit-entries.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { deleteOldAccesses, insertAccess } from '../../src/server/store/audit-entries.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { addUser, type Database, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

const TYPED = 'minha-senha-2026'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database, env: { LOG_LEVEL: 'info' } })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  await addUser(panel.context, { username: 'maria' })
  const enter = (username: string, password: string, remoteAddress = '10.0.0.7') =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      payload: { username, password, deviceName: 'Tablet 3' },
    })
  const { token } = (await enter('ana', PASSWORD, '10.0.0.1')).json<{ token: string }>()
  const read = async (query: string) => {
    const entries = (await panel.ask(token, { url: `/api/auditoria?${query}` })).json<AuditEntry[]>()
    return entries.map(({ userName, action, subject, details }) => [
      userName,
      action,
      subject.id,
      JSON.parse(details) as object,
    ])
  }
  return { ...panel, token, enter, read, accesses: () => read('tipo=acessos') }
}

describe.each(databases)('who comes in, leaves or is refused, on %s,', (database) => {
  test("stands in 'Acessos' and in the log with user and address; what a stranger typed stands nowhere", async () => {
    const panel = await setUp(database)
    const { ask, enter, accesses, read, logs, token, db } = panel
    const maria = (await enter('maria', PASSWORD)).json<{ token: string }>()
    await enter('maria', 'errada')
    await enter(TYPED, 'errada')
    await ask(maria.token, { url: '/api/usuarios', remoteAddress: '10.0.0.7' })
    await ask(maria.token, { method: 'POST', url: '/api/auth/logout', remoteAddress: '10.0.0.7' })
    const browser = browserOf(panel)
    const hers = pairOf(await browser.login('maria'))
    const session = await db.read.selectFrom('sessions').select('id').where('browser', '=', 1).executeTakeFirst()
    await ask(token, { method: 'DELETE', url: `/api/sessoes/${session?.id}`, remoteAddress: '10.0.0.1' })
    expect((await browser.validate(hers)).statusCode).toBe(401)
    const device = { deviceName: 'Tablet 3' }
    expect((await accesses()).toReversed()).toEqual([
      ['ana', 'logged_in', '10.0.0.1', device],
      ['maria', 'logged_in', '10.0.0.7', device],
      ['maria', 'login_failed', '10.0.0.7', {}],
      ['desconhecido', 'login_failed', '10.0.0.7', { typedLength: TYPED.length }],
      ['maria', 'access_refused', '10.0.0.7', { call: 'GET /api/usuarios' }],
      ['maria', 'logged_out', '10.0.0.7', {}],
      ['maria', 'logged_in', '127.0.0.1', { deviceName: '' }],
      ['maria', 'session_over', '10.0.0.1', { by: 'ana', deviceName: '' }],
    ])
    expect(
      (await read('')).map(([, action]) => action),
      'the trail of changes is not filled by them',
    ).toEqual(['session_ended'])
    expect((await read('tipo=acessos&texto=10.0.0.1')).length).toBe(2)
    const lines = logs.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toContainEqual(
      expect.objectContaining({ access: 'login_failed', user: 'maria', userId: 2, address: '10.0.0.7' }),
    )
    expect(lines.filter(({ access }) => access === 'logged_in')).toHaveLength(3)
    expect(logs.join('') + JSON.stringify(await accesses())).not.toContain(TYPED)
    const file = (await ask(token, { url: '/api/auditoria/csv?tipo=acessos' })).body
    expect(file).toContain(';"maria";"Saiu";"Endereço 10.0.0.7";')
  })

  test('a password set and an access taken away are also the end of so many sessions', async () => {
    const { enter, accesses, ask, token } = await setUp(database)
    const maria = (await enter('maria', PASSWORD)).json<{ token: string; user: { id: number } }>()
    await enter('maria', PASSWORD)
    const own = { currentPassword: PASSWORD, password: 'guarda-chuva-azul' }
    await ask(maria.token, { method: 'POST', url: '/api/auth/password', payload: own, remoteAddress: '10.0.0.7' })
    const change = (path: string, payload: object) =>
      ask(token, { method: 'PUT', url: `/api/usuarios/2${path}`, payload, remoteAddress: '10.0.0.1' })
    await change('/senha', { password: 'guarda-chuva-verde' })
    await change('', { active: false })
    const ended = (await accesses()).filter(([, action]) => action === 'session_over')
    expect(ended.toReversed(), 'the last change found none').toEqual([
      ['maria', 'session_over', '10.0.0.7', { by: 'maria', sessions: 1 }],
      ['maria', 'session_over', '10.0.0.1', { by: 'ana', sessions: 1 }],
    ])
  })

  test('a flood of refusals is a line for each person and address, and a count', async () => {
    const { enter, accesses, context } = await setUp(database)
    for (let guess = 0; guess < 40; guess++) await enter('maria', 'errada')
    const before = (await accesses()).filter(([who]) => who === 'maria')
    expect(before.map(([, action]) => action)).toEqual(['login_throttled', 'login_failed'])
    await context.accesses.flush()
    const counted = (await accesses()).filter(([who]) => who === 'maria').slice(0, -2)
    expect(counted.map(([, action, , details]) => [action, details])).toEqual([
      ['login_throttled', { more: 34 }],
      ['login_failed', { more: 4 }],
    ])
    await context.accesses.flush()
    expect((await accesses()).length, 'each is counted once').toBe(1 + 4)
    context.passwords.verify = async () => false
    for (let at = 0; at < 150; at++) await enter('x'.repeat(1 + (at % 60)), 'errada', `10.1.0.${at}`)
    const others = (await accesses()).filter(([who]) => who === 'vários')
    expect(others).toEqual([['vários', 'login_failed', '', {}]])
    await context.accesses.flush()
    expect((await accesses())[0]).toEqual(['vários', 'login_failed', '', { more: 49 }])
  })

  test('is part of a person’s file, and goes after a year', async () => {
    const { enter, accesses, db, clock } = await setUp(database)
    await enter('maria', PASSWORD)
    const maria = (await listUsers(db.read)).find(({ username }) => username === 'maria')
    if (!maria) throw new Error('maria is not listed')
    let file = ''
    for await (const rows of personCsv(db, maria, () => 'agora')) file += rows
    expect(file).toContain('agora;Entrou;"Endereço 10.0.0.7";;')
    await db.transaction((tx) => deleteOldAccesses(tx, clock.now()))
    expect(await accesses()).toHaveLength(2)
    await db.transaction((tx) => deleteOldAccesses(tx, clock.now() + 1))
    expect(await accesses()).toEqual([])
  })

  test('what one person repeats all day pushes out nobody else: it becomes a line of that day with how often', async () => {
    const { accesses, db, clock, ask, token } = await setUp(database)
    const DAY_MS = 86_400_000
    const note = (at: number, userName: string, action: 'logged_in' | 'login_failed', address: string, details = {}) =>
      db.transaction((tx) => {
        const subject = { kind: 'address' as const, id: address }
        return insertAccess(tx, { at, userId: 2, userName, action, subject, reason: null, details })
      })
    const before = clock.now() - 40 * DAY_MS
    await note(before, 'joana', 'logged_in', '10.0.0.9')
    for (let n = 0; n < 30; n++) await note(before + 1 + n, 'maria', 'logged_in', '10.0.0.7', { deviceName: `${n}` })
    await note(before + 40, 'maria', 'login_failed', '10.0.0.7')
    for (let n = 0; n < 3; n++) await note(before + 50 + n, 'vários', 'login_failed', `10.0.0.${n}`, { more: 9 })
    await db.transaction((tx) => deleteOldAccesses(tx, 0, 12))
    expect((await accesses()).toReversed()).toEqual([
      ['ana', 'logged_in', '10.0.0.1', { deviceName: 'Tablet 3' }],
      ['joana', 'logged_in', '10.0.0.9', {}],
      ['maria', 'logged_in', '10.0.0.7', { times: 27 }],
      ['maria', 'logged_in', '10.0.0.7', { deviceName: '27' }],
      ['maria', 'logged_in', '10.0.0.7', { deviceName: '28' }],
      ['maria', 'logged_in', '10.0.0.7', { deviceName: '29' }],
      ['maria', 'login_failed', '10.0.0.7', {}],
      ...[0, 1, 2].map((n) => ['vários', 'login_failed', `10.0.0.${n}`, { more: 9 }]),
    ])
    await db.transaction((tx) => deleteOldAccesses(tx, 0, 8))
    expect((await accesses()).toReversed().slice(2, 7), 'addresses that differ are none').toEqual([
      ['maria', 'logged_in', '10.0.0.7', { times: 29 }],
      ['maria', 'logged_in', '10.0.0.7', { deviceName: '29' }],
      ['maria', 'login_failed', '10.0.0.7', {}],
      ['vários', 'login_failed', '', { times: 18 }],
      ['vários', 'login_failed', '10.0.0.2', { more: 9 }],
    ])
    const file = (await ask(token, { url: '/api/auditoria/csv?tipo=acessos' })).body
    expect(file).toContain(';"maria";"Entrou";"Endereço 10.0.0.7";"No mesmo dia: 29 vezes";')
  })

  test('a password that comes with each call is one line a day and address, whichever server it comes to', async () => {
    const panel = await setUp(database)
    const { clock, db } = panel
    const another = await openTestPanel({ db, clock })
    const ask = async ({ app }: Pick<typeof another, 'app'>, remoteAddress: string, password = PASSWORD) => {
      const authorization = `Basic ${Buffer.from(`Maria:${password}`).toString('base64')}`
      return (await app.inject({ url: '/api/configuracao', remoteAddress, headers: { authorization } })).statusCode
    }
    const sameTime = ['10.0.0.7', '10.0.0.7', '10.0.0.8'].map((address) => ask(panel, address))
    expect(await Promise.all(sameTime)).toEqual([200, 200, 200])
    expect([await ask(panel, '10.0.0.7'), await ask(another, '10.0.0.7')]).toEqual([200, 200])
    expect(await ask(panel, '10.0.0.9', 'errada')).toBe(401)
    const line = (address: string) => ['maria', 'logged_in', address, { basic: true }]
    const maria = async () => {
      const rows = await db.read
        .selectFrom('accesses')
        .selectAll()
        .where('user_name', '=', 'maria')
        .orderBy('id')
        .execute()
      return rows.map((row) => [row.user_name, row.action, row.subject_id, JSON.parse(row.details_json)])
    }
    expect(new Set((await maria()).slice(0, 2))).toEqual(new Set([line('10.0.0.7'), line('10.0.0.8')]))
    expect((await maria()).slice(2)).toEqual([['maria', 'login_failed', '10.0.0.9', {}]])
    // half past eleven at the plant, and then tomorrow
    clock.advance(11.5 * 3_600_000)
    await ask(panel, '10.0.0.7')
    expect(await maria()).toHaveLength(3)
    clock.advance(3_600_000)
    await ask(panel, '10.0.0.7')
    expect((await maria()).slice(3)).toEqual([line('10.0.0.7')])
  })
})

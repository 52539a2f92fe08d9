import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { OpenSession } from '../../src/contract/sessions.ts'
import type { User } from '../../src/contract/users.ts'
import { changeUser } from '../../src/server/features/users.ts'
import { openStream } from '../support/event-stream.ts'
import { addUser, type Database, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { browserOf, pairOf } from '../support/visitor.ts'

/** Statements of this very database that wait for another transaction. */
const LOCK_WAITS = sql`
  select 1 from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id
  where t.trx_state = 'LOCK WAIT' and p.db = database()`

const OTHER = 'três porcas na bancada'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  await addUser(panel.context, { username: 'maria' })
  const { token } = await panel.login('ana')
  const ask = async <Reply>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, as = token) => {
    const answer = await panel.ask(as, { method, url: `/api/${url}`, ...(payload ? { payload } : {}) })
    return { status: answer.statusCode, code: answer.json().code as string | undefined, body: answer.json() as Reply }
  }
  const idOf = async (username: string) =>
    (await ask<User[]>('GET', 'usuarios')).body.find((user) => user.username === username)?.id ?? 0
  const enter = async (username: string, password: string) =>
    (await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } })).statusCode
  const trail = async () =>
    (await panel.db.read.selectFrom('audit_entries').selectAll().orderBy('id').execute()).map(
      ({ user_name, action, subject_kind, details_json }) => [
        user_name,
        action,
        subject_kind,
        JSON.parse(details_json),
      ],
    )
  return { ...panel, token, as: ask, idOf, enter, trail }
}

describe.each(databases)('users on %s', (database) => {
  test('the last admin keeps role and access, however many try at once', async () => {
    const { as, idOf, context, db } = await setUp(database)
    const ana = await idOf('ana')
    for (const change of [{ active: false }, { role: 'operador' }]) {
      expect(await as('PUT', `usuarios/${ana}`, change)).toMatchObject({ status: 409, code: 'last_admin' })
    }
    await addUser(context, { username: 'rui', role: 'admin' })
    const outside = { ...context, caller: { userId: 0, username: 'linha de comando' } }
    const rui = await idOf('rui')
    let second: Promise<unknown> = Promise.resolve('not begun')
    let isOver = false
    // SQLite has one connection: there the second does not even begin.
    const isLocked = async () => database === 'sqlite' || isOver || (await LOCK_WAITS.execute(db.read)).rows.length > 0
    await db.transaction(async (tx) => {
      await changeUser({ ...outside, db: { ...db, transaction: (work) => work(tx) } }, ana, { role: 'operador' })
      // Not committed yet: whoever counted now would count two.
      second = changeUser(outside, rui, { role: 'operador' })
        .catch((error: unknown) => (error as { code?: string }).code)
        .finally(() => {
          isOver = true
        })
      // MariaDB tells the same for as long as it is asked more often than every 100 ms.
      await expect.poll(isLocked, { interval: 300 }).toBe(true)
    })
    expect(await second).toBe('last_admin')
  })

  test('everybody sees and ends the sessions of their own, an admin those of all', async () => {
    const panel = await setUp(database)
    const { as, login, clock, trail } = panel
    const browser = browserOf(panel)
    clock.advance(1000)
    const pair = pairOf(await browser.login('maria'))
    const { token } = await login('maria')
    const mine = (await as<OpenSession[]>('GET', 'sessoes', undefined, token)).body
    expect(mine.map(({ username, isCurrent }) => [username, isCurrent])).toEqual([
      ['maria', expect.any(Boolean)],
      ['maria', expect.any(Boolean)],
    ])
    const all = (await as<OpenSession[]>('GET', 'sessoes')).body
    expect(all.map(({ username }) => username)).toEqual(['maria', 'maria', 'ana'])
    const [hers] = all.filter(({ username }) => username === 'ana')
    const [theirs] = mine.filter(({ isBrowser }) => isBrowser)
    expect(await as('DELETE', `sessoes/${hers?.id}`, undefined, token)).toMatchObject({ status: 404 })
    expect(await as('DELETE', `sessoes/${theirs?.id}`, undefined, token)).toMatchObject({ status: 200 })
    expect((await browser.validate(pair)).statusCode).toBe(401)
    expect(await as('DELETE', `sessoes/${theirs?.id}`, undefined, token)).toMatchObject({ status: 404 })
    const [left] = (await as<OpenSession[]>('GET', 'sessoes', undefined, token)).body
    expect(left?.isCurrent).toBe(true)
    expect(await as('DELETE', `sessoes/${left?.id}`)).toMatchObject({ status: 200 })
    expect(await as('GET', 'sessoes', undefined, token)).toMatchObject({ status: 401 })
    expect((await trail()).map(([who, action]) => [who, action])).toEqual([
      ['maria', 'session_ended'],
      ['ana', 'session_ended'],
    ])
  })
})

describe('users', () => {
  test('an admin makes one, who comes in; a name twice, a weak password and a stranger are refused', async () => {
    const { as, enter, login, trail, logs } = await setUp('sqlite')
    const wanted = { username: 'Joao.Dias', fullName: ' João Dias ', role: 'operador', password: OTHER }
    const created = await as<User>('POST', 'usuarios', wanted)
    expect([created.status, created.body]).toMatchObject([
      201,
      { username: 'joao.dias', fullName: 'João Dias', role: 'operador', active: true, lastUsedAt: null },
    ])
    expect(await enter('joao.dias', OTHER)).toBe(200)
    expect(await as('POST', 'usuarios', { ...wanted, username: 'JOAO.dias' })).toMatchObject({ code: 'user_exists' })
    const weak = { ...wanted, username: 'rui.alves', password: 'Rui.Alves' }
    expect(await as('POST', 'usuarios', weak)).toMatchObject({ status: 400, code: 'password_weak' })
    expect(await as('POST', 'usuarios', { ...weak, password: 'curta' })).toMatchObject({ code: 'input_invalid' })
    for (const password of ['Rui2026!', 'unidade1', 'Butthead', 'outubro2026']) {
      const guessed = { ...weak, fullName: 'Rui Alves', password }
      expect(await as('POST', 'usuarios', guessed), password).toMatchObject({ code: 'password_weak' })
    }
    const chief = { ...weak, role: 'admin', password: 'h7k-m2p-x' }
    expect(await as('POST', 'usuarios', chief)).toMatchObject({ status: 400, code: 'password_short' })
    const { token: operator } = await login('maria')
    for (const [method, url, body] of [
      ['GET', 'usuarios'],
      ['POST', 'usuarios', wanted],
      ['PUT', 'usuarios/1', { role: 'admin' }],
      ['PUT', 'usuarios/1/senha', { password: OTHER }],
      ['PUT', 'configuracao', { limitWarningPercent: 5 }],
      ['GET', 'auditoria'],
      ['GET', 'auditoria/csv'],
    ] as const) {
      expect(await as(method, url, body, operator), url).toMatchObject({ status: 403, code: 'not_allowed' })
    }
    expect(await trail()).toEqual([
      ['ana', 'user_created', 'user', { name: 'joao.dias', is: { fullName: 'João Dias', role: 'operador' } }],
    ])
    expect(await as('POST', 'usuarios', { ...chief, role: 'operador' }), 'an operator’s may').toMatchObject({
      status: 201,
    })
    expect(logs.join()).not.toContain(OTHER)
  })

  test('who becomes an admin has an admin’s password first', async () => {
    const { as, idOf } = await setUp('sqlite')
    const rui = { username: 'rui', fullName: 'Rui Alves', role: 'operador', password: 'h7k-m2p-x' }
    await as('POST', 'usuarios', rui)
    const promote = async () => as('PUT', `usuarios/${await idOf('rui')}`, { role: 'admin' })
    expect(await promote()).toMatchObject({ status: 409, code: 'promotion_short' })
    expect(await as('PUT', `usuarios/${await idOf('rui')}/senha`, { password: OTHER })).toMatchObject({ status: 200 })
    expect(await promote()).toMatchObject({ status: 200 })
  })

  test('who loses access is out at once, stream included, and stays out when let in again', async () => {
    const panel = await setUp('sqlite')
    const { as, idOf, login, enter, trail, db } = panel
    const { token } = await login('maria')
    const stream = await openStream(panel, { authorization: `Bearer ${token}` })
    const bystander = await openStream(panel, { authorization: `Bearer ${panel.token}` })
    const id = await idOf('maria')
    expect(await as('PUT', `usuarios/${id}`, { active: false })).toMatchObject({ status: 200, body: { active: false } })
    expect(await as('GET', 'sessoes', undefined, token)).toMatchObject({ status: 401 })
    expect(await enter('maria', PASSWORD)).toBe(401)
    await stream.ended
    expect(stream.text()).toContain('event: encerrada\n')
    await bystander.until((heard) => heard.some(({ topic }) => topic === 'sessions'))
    expect(bystander.text()).not.toContain('event: encerrada')
    bystander.hangUp()

    expect(await as('PUT', `usuarios/${id}`, { active: true })).toMatchObject({ body: { active: true } })
    expect(await as('GET', 'sessoes', undefined, token)).toMatchObject({ status: 401 })
    expect(await enter('maria', PASSWORD)).toBe(200)
    // what changes nothing leaves no line
    await as('PUT', `usuarios/${id}`, { active: true, fullName: 'Maria Souza' })
    const access = { fullName: 'Maria Souza', role: 'operador', active: true }
    expect(await trail()).toEqual([
      ['ana', 'user_changed', 'user', { name: 'maria', was: access, is: { ...access, active: false } }],
      ['ana', 'user_changed', 'user', { name: 'maria', was: { ...access, active: false }, is: access }],
    ])
    expect(await db.read.selectFrom('users').select('active').where('id', '=', id).execute()).toEqual([{ active: 1 }])
  })

  test('a new password ends the sessions of its user; one’s own takes the current one', async () => {
    const { as, idOf, login, enter, trail } = await setUp('sqlite')
    const { token } = await login('maria')
    for (let guess = 0; guess < 6; guess++) await enter('maria', 'esquecida')
    expect(await enter('maria', PASSWORD)).toBe(429)
    expect(await as('PUT', `usuarios/${await idOf('maria')}/senha`, { password: OTHER })).toMatchObject({ status: 200 })
    expect(await as('GET', 'sessoes', undefined, token)).toMatchObject({ status: 401 })
    expect([await enter('maria', PASSWORD), await enter('maria', OTHER)]).toEqual([401, 200])

    expect(await as('PUT', `usuarios/${await idOf('ana')}/senha`, { password: OTHER })).toMatchObject({
      status: 409,
      code: 'own_password',
    })
    expect(await as('PUT', 'usuarios/999/senha', { password: OTHER })).toMatchObject({ status: 404 })
    expect(await trail()).toEqual([['ana', 'password_set', 'user', { name: 'maria' }]])
  })

  test('users and settings are changed by whoever typed the password within five minutes, in that session', async () => {
    const { as, idOf, clock, login, trail, context, app } = await setUp('sqlite')
    context.config.authBasicPassword = true
    const { token: elsewhere } = await login('ana')
    const maria = await idOf('maria')
    const changes = [
      ['POST', 'usuarios', { username: 'rui', fullName: 'Rui Alves', role: 'operador', password: OTHER }],
      ['PUT', `usuarios/${maria}`, { role: 'admin' }],
      ['PUT', `usuarios/${maria}/senha`, { password: OTHER }],
      ['PUT', 'configuracao', { limitWarningPercent: 75 }],
    ] as const
    clock.advance(5 * 60_000)
    expect(await as('PUT', `usuarios/${maria}`, { fullName: 'Maria' }), 'the log-in counts').toMatchObject({
      status: 200,
    })
    clock.advance(1)
    const tryAll = async () => {
      const answers: number[] = []
      for (const [method, url, body] of changes) answers.push((await as(method, url, body)).status)
      return answers
    }
    expect(await tryAll()).toEqual([428, 428, 428, 428])
    expect(await as('PUT', `usuarios/${maria}`, { role: 'chefe' }), 'what is wrong anyway').toMatchObject({
      status: 400,
    })
    const confirm = (password: string) => as('POST', 'auth/confirm', { password })
    expect(await confirm('errada')).toMatchObject({ status: 422, code: 'current_password_wrong' })
    expect(await as(...changes[0])).toMatchObject({ status: 428, code: 'password_needed' })
    expect(await confirm(PASSWORD)).toMatchObject({ status: 200 })
    clock.advance(5 * 60_000)
    expect(await tryAll()).toEqual([201, 200, 200, 200])
    expect(await as('PUT', 'configuracao', { limitWarningPercent: 60 }, elsewhere)).toMatchObject({ status: 428 })
    clock.advance(1)
    expect(await as(...changes[1])).toMatchObject({ status: 428 })
    const basic = await app.inject({
      method: 'PUT',
      url: '/api/configuracao',
      headers: { authorization: `Basic ${Buffer.from(`ana:${PASSWORD}`).toString('base64')}` },
      payload: { limitWarningPercent: 55 },
    })
    expect(basic.statusCode, 'it carries the password itself').toBe(200)
    for (let guess = 0; guess < 5; guess++) await confirm('errada')
    expect(await confirm(PASSWORD), 'guesses wait as at the entrance').toMatchObject({ status: 429 })
    expect(await trail()).toHaveLength(6)
  })
})

import { describe, expect, test } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { changeUser, setPassword } from '../../src/server/features/users.ts'
import { findUserByName } from '../../src/server/store/users.ts'
import { openStream } from '../support/event-stream.ts'
import { addUser, type Database, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { browserOf, type Pair, pairOf } from '../support/visitor.ts'

const OTHER = 'três porcas na bancada'

async function setUp(database: Database) {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  await addUser(panel.context, { username: 'maria' })
  const browser = browserOf(panel)
  const pair = pairOf(await browser.login('maria'))
  const change = async (payload: object, as: Pick<Pair, 'token' | 'cookie'> = pair) => {
    const answer = await browser.ask(as, { method: 'POST', url: '/api/auth/password', payload })
    return { status: answer.statusCode, body: answer.json(), waitS: answer.headers['retry-after'] }
  }
  const enter = async (password: string, username = 'maria') => (await browser.login(username, password)).statusCode
  const isIn = async () => (await browser.validate(pair)).statusCode === 200
  const trail = () =>
    panel.db.read
      .selectFrom('audit_entries')
      .select(['user_name', 'action', 'subject_kind', 'details_json'])
      .orderBy('id')
      .execute()
  return { ...panel, browser, pair, change, enter, isIn, trail }
}

const refusal = (code: keyof typeof refusals) => ({
  status: refusals[code].status,
  body: { code, message: refusals[code].message },
})

describe.each(databases)('a password that its owner changes, on %s,', (database) => {
  test('gives way to the one that an administrator sets at the same time', async () => {
    const { context, change, enter, isIn, db } = await setUp(database)
    const maria = await findUserByName(db.read, 'maria')
    const { hash } = context.passwords
    const taken = 'o alicate na gaveta'
    const ana = { ...context, caller: { userId: 1, username: 'ana' } }
    // her own is known to be right by now, and not yet replaced
    context.passwords.hash = async (password) => {
      context.passwords.hash = hash
      await setPassword(ana, maria?.id ?? 0, { password: taken, spared: null })
      return await hash(password)
    }
    expect(await change({ currentPassword: PASSWORD, password: OTHER })).toMatchObject(
      refusal('current_password_wrong'),
    )
    expect([await enter(OTHER), await enter(taken), await isIn()]).toEqual([401, 200, false])
  })
})

describe('a password that is set', () => {
  test('is as long as the role asks that its owner has by then', async () => {
    const { context, db, enter } = await setUp('sqlite')
    const id = (await findUserByName(db.read, 'maria'))?.id ?? 0
    const { hash } = context.passwords
    const ana = { ...context, caller: { userId: 1, username: 'ana' } }
    context.passwords.hash = async (password) => {
      context.passwords.hash = hash
      await changeUser(ana, id, { role: 'admin' })
      return await hash(password)
    }
    await expect(setPassword(ana, id, { password: 'porca 42', spared: null })).rejects.toMatchObject({
      code: 'password_short',
    })
    expect([await enter('porca 42'), await enter(PASSWORD)]).toEqual([401, 200])
  })
})

describe('a password that its owner changes', () => {
  test('ends all other sessions, and everybody enters with the new one', async () => {
    const panel = await setUp('sqlite')
    const { browser, change, enter, isIn, login, ask, trail } = panel
    const { token } = await login('maria')
    const { token: colleague } = await login('ana')
    const stream = await openStream(panel, { authorization: `Bearer ${token}` })
    expect(await change({ currentPassword: PASSWORD, password: OTHER })).toMatchObject({
      status: 200,
      body: { message: 'Senha trocada' },
    })
    await stream.ended
    expect(stream.text()).toContain('event: encerrada\n')
    const statusOf = async (as: string) => (await ask(as, { url: '/api/sessoes' })).statusCode
    expect([await isIn(), await statusOf(token), await statusOf(colleague)]).toEqual([true, 401, 200])
    expect((await browser.refresh(panel.pair)).statusCode).toBe(200)
    expect([await enter(PASSWORD), await enter(OTHER), await enter(PASSWORD, 'ana')]).toEqual([401, 200, 200])
    expect(await trail()).toEqual([
      { user_name: 'maria', action: 'password_set', subject_kind: 'user', details_json: '{"name":"maria"}' },
    ])
  })

  test('is no way to guess the one before: a wrong one counts as at the entrance, and ends no session', async () => {
    const { change, enter, isIn, clock, trail } = await setUp('sqlite')
    const wrong = { currentPassword: 'errada', password: OTHER }
    for (let guess = 0; guess < 5; guess++) expect(await change(wrong)).toMatchObject(refusal('current_password_wrong'))
    expect(await change({ ...wrong, currentPassword: PASSWORD })).toMatchObject({
      status: 429,
      body: { code: 'too_many_attempts', message: 'Muitas tentativas. Tente novamente em 2 segundos.' },
      waitS: '2',
    })
    expect(await enter(PASSWORD)).toBe(429)
    clock.advance(2000)
    expect([await enter('errada'), await enter(PASSWORD)], 'the count goes on').toEqual([401, 429])
    clock.advance(4000)
    expect(await isIn()).toBe(true)
    expect(await trail()).toEqual([])
    expect(await change({ ...wrong, currentPassword: PASSWORD })).toMatchObject({ status: 200 })
    expect([await enter('errada'), await enter(OTHER)], 'it begins anew').toEqual([401, 200])
  })

  test('has to be another one, long enough and not easily guessed, and asked for by somebody who is logged in', async () => {
    const { change, enter, pair, trail } = await setUp('sqlite')
    const form = { currentPassword: PASSWORD, password: OTHER }
    expect(await change({ ...form, password: PASSWORD })).toMatchObject(refusal('password_same'))
    const [composed, decomposed] = [OTHER.normalize('NFC'), OTHER.normalize('NFD')]
    expect(await change({ currentPassword: composed, password: decomposed })).toMatchObject(refusal('password_same'))
    expect(await change({ ...form, password: '12345678' })).toMatchObject(refusal('password_weak'))
    expect(await change({ ...form, password: 'curta' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'password', message: 'A senha precisa de pelo menos 8 caracteres' }] },
    })
    for (const as of [
      { token: 'x', cookie: 'x' },
      { ...pair, cookie: null },
    ]) {
      expect(await change(form, as)).toMatchObject(refusal('session_missing'))
    }
    expect([await enter(PASSWORD), await enter(OTHER)]).toEqual([200, 401])
    expect(await trail()).toEqual([])
  })
})

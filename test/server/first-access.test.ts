import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import { firstAccess } from '../../src/contract/first-access.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { writeFirstCode } from '../../src/server/features/first-access.ts'
import { addUser, type Database, databases, openTestPanel } from '../support/harness.ts'
import { sameOrigin } from '../support/visitor.ts'

const ana = { username: 'ana', fullName: 'Ana Lima', password: 'três porcas na bancada' }

async function setUp({ database = 'sqlite', env = {} }: { database?: Database; env?: Record<string, string> } = {}) {
  const panel = await openTestPanel({ database, env })
  const write = async (isTerminal = true) => {
    const said = await writeFirstCode(panel.context, { isTerminal, origin: 'http://127.0.0.1:3000' })
    return { said, code: /[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(said ?? '')?.[0] ?? '' }
  }
  const begin = (codigo: string, more: object = {}, given: object = {}) =>
    panel.app.inject({
      method: 'POST',
      url: '/api/primeiro-acesso',
      headers: { ...sameOrigin, host: 'localhost' },
      payload: { codigo, ...ana, ...more },
      ...given,
    })
  const isOpen = async () =>
    (await panel.app.inject({ url: '/api/primeiro-acesso' })).json<{ aberto: boolean }>().aberto
  return { ...panel, write, begin, isOpen }
}

const saidOf = (answer: { statusCode: number; json: () => unknown }) =>
  [answer.statusCode, (answer.json() as ErrorReply).code] as const

describe.each(databases)('the first access on %s', (database) => {
  test('makes one administrator, of four who have the code at the same instant, and is over', async () => {
    const { write, begin, isOpen, db } = await setUp({ database })
    const { code } = await write()
    expect(await isOpen()).toBe(true)
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, at) => begin(code.toLowerCase(), { username: `ana${at}` })),
    )
    const [entered, ...more] = answers.filter(({ statusCode }) => statusCode === 200)
    expect(more).toEqual([])
    expect(entered?.json<Session>()).toMatchObject({ fullName: 'Ana Lima', role: 'admin' })
    expect(firstAccess.begin.reply.safeParse(entered?.json()), 'what the contract says').toMatchObject({
      success: true,
    })
    expect(await db.read.selectFrom('users').select('role').execute()).toEqual([{ role: 'admin' }])
    expect(await isOpen()).toBe(false)
    expect(saidOf(await begin(code))).toEqual([409, 'first_access_over'])
    expect((await write()).said).toBeNull()
  })
})

test('a wrong code creates nobody and is throttled as a log-in; one of an earlier start is wrong', async () => {
  const { write, begin, clock, db } = await setUp()
  const { code: old } = await write()
  const { code } = await write()
  for (const wrong of [old, 'ABCD-EFGH-JKLM', '-']) {
    expect(saidOf(await begin(wrong))).toEqual([422, 'first_access_code_wrong'])
  }
  for (let tries = 0; tries < 2; tries++) await begin(old)
  expect(saidOf(await begin(code)), 'not even the right one').toEqual([429, 'too_many_attempts'])
  clock.advance(60_000)
  expect((await begin(code)).statusCode).toBe(200)
  expect(await db.read.selectFrom('users').select('username').execute()).toEqual([{ username: 'ana' }])
})

test('a weak password costs neither the code nor a user', async () => {
  const { write, begin } = await setUp()
  const { code } = await write()
  expect(saidOf(await begin(code, { password: 'curta123' }))).toEqual([400, 'password_short'])
  expect(saidOf(await begin(code, { password: '1234567890' }))).toEqual([400, 'password_weak'])
  expect((await begin(code)).statusCode).toBe(200)
})

test('on plain HTTP it is for the server’s own keyboard, whatever ALLOW_PLAIN_HTTP says', async () => {
  const { write, begin } = await setUp({ env: { ALLOW_PLAIN_HTTP: 'on', TRUSTED_PROXIES: '10.0.0.9' } })
  const { code } = await write()
  expect(saidOf(await begin(code, {}, { remoteAddress: '10.0.0.7' }))).toEqual([403, 'plain_http'])
  const headers = { ...sameOrigin, host: 'painel.fabrica.local', origin: 'http://painel.fabrica.local' }
  expect(saidOf(await begin(code, {}, { headers })), 'through a proxy of this machine').toEqual([403, 'plain_http'])
  const proxied = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.7' }
  expect((await begin(code, {}, { headers: proxied, remoteAddress: '10.0.0.9' })).statusCode).toBe(200)
})

test('where nobody reads a terminal, a file of the panel’s own has the code until it is used', async () => {
  const { write, begin, context } = await setUp()
  const { said, code } = await write(false)
  const file = join(context.config.dataDir, 'primeiro-acesso')
  expect(said).toContain(file)
  expect(code, 'what is printed may be logged').toBe('')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await begin(readFileSync(file, 'utf8').trim())).statusCode).toBe(200)
  expect(existsSync(file)).toBe(false)
})

test('a panel that has users has no first access, whoever they are', async () => {
  const { write, begin, isOpen, context } = await setUp()
  const { code } = await write()
  await addUser(context, { username: 'maria' })
  expect(await isOpen()).toBe(false)
  expect(saidOf(await begin(code))).toEqual([409, 'first_access_over'])
})

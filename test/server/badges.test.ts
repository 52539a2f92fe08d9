import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { Session } from '../../src/contract/sessions.ts'
import type { Station } from '../../src/contract/stations.ts'
import type { User } from '../../src/contract/users.ts'
import { personCsv } from '../../src/server/features/users.ts'
import { listUsers } from '../../src/server/store/users.ts'
import { addUser, crimpOf, type Database, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, cookieOf, grantOf, type Pair, pairOf, sameOrigin } from '../support/visitor.ts'

const PIN = '7302'
const MINUTE_MS = 60_000

async function setUp({ database = 'sqlite', env = {} }: { database?: Database; env?: Record<string, string> } = {}) {
  const panel = await openTestPanel({ database, env })
  await addUser(panel.context, { username: 'ana', fullName: 'Ana Lima', role: 'admin' })
  await addUser(panel.context, { username: 'maria', fullName: 'Maria Souza', role: 'lider' })
  await addUser(panel.context, { username: 'joao', fullName: 'João Dias' })
  const browser = browserOf(panel)
  const admin = pairOf(await browser.login('ana'))
  const as = async (pair: Pair, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    await browser.ask(pair, {
      method,
      url: `/api/${url}`,
      headers: { cookie: `__Host-sid=${pair.cookie}; __Host-device=${pair.device}` },
      ...(payload ? { payload } : {}),
    })
  const people = (await as(admin, 'GET', 'usuarios')).json<User[]>()
  const idOf = (username: string) => people.find((user) => user.username === username)?.id ?? 0
  const badgeOf = async (username: string, pin: string | null = PIN) => {
    if (pin !== null) await as(admin, 'PUT', `usuarios/${idOf(username)}/pin`, { pin })
    return (await as(admin, 'POST', `usuarios/${idOf(username)}/cracha`)).json<{ codigo: string }>().codigo
  }
  let station = ''
  /** `device`: the secret that the tablet's browser shows. */
  const scan = async (codigo: string, pin = PIN, device = admin.device) => {
    const headers = { ...sameOrigin, cookie: `__Host-device=${device}; __Host-station=${station}` }
    return await panel.app.inject({ method: 'POST', url: '/api/auth/cracha', headers, payload: { codigo, pin } })
  }
  const enrol = async () => {
    const answer = await as(admin, 'POST', 'estacao', { name: 'Bancada 1' })
    station = cookieOf(answer, '__Host-station')?.value ?? ''
    return answer
  }
  const stateOf = async (username: string, pair = admin) =>
    (await as(pair, 'GET', 'usuarios')).json<User[]>().find((user) => user.username === username)?.badge
  return { ...panel, browser, admin, as, idOf, badgeOf, scan, enrol, stateOf }
}

const saidOf = (answer: { statusCode: number; json: () => unknown }) =>
  [answer.statusCode, (answer.json() as ErrorReply).code] as const

/** As the tablet goes on: its device stays what it was. */
const enteredOf = (answer: Parameters<typeof pairOf>[0], { device }: Pair): Pair => ({ ...pairOf(answer), device })

test('badge and PIN take the place of the session that was there, with an operator’s permissions alone', async () => {
  const { admin, as, badgeOf, scan, enrol, browser } = await setUp()
  const code = await badgeOf('ana')
  await enrol()
  const answer = await scan(` ${code.toLowerCase()} `)
  expect(answer.json<Session>()).toMatchObject({ username: 'ana', role: 'operador', byBadge: true })
  expect(cookieOf(answer, '__Host-device')?.value, 'the same device').toBe(admin.device)
  expect(saidOf(await browser.validate(admin))).toEqual([401, 'session_missing'])
  const pair = enteredOf(answer, admin)
  expect((await as(pair, 'GET', 'pendencias')).statusCode).toBe(200)
  expect(saidOf(await as(pair, 'GET', 'usuarios'))).toEqual([403, 'not_allowed'])
  expect(enteredOf(await browser.refresh(pair), admin).deliveryGrant).not.toBeNull()
  expect((await browser.validate(pair)).json()).toMatchObject({ role: 'operador', byBadge: true })
})

test('the password lifts the session of a badge to what its owner may do', async () => {
  const { admin, as, badgeOf, scan, enrol, browser } = await setUp()
  const code = await badgeOf('ana')
  await enrol()
  const pair = enteredOf(await scan(code), admin)
  expect(saidOf(await as(pair, 'POST', 'auth/confirm', { password: 'errada' }))).toEqual([
    422,
    'current_password_wrong',
  ])
  expect(saidOf(await as(pair, 'GET', 'usuarios'))).toEqual([403, 'not_allowed'])
  expect((await as(pair, 'POST', 'auth/confirm', { password: PASSWORD })).statusCode).toBe(200)
  expect((await browser.validate(pair)).json()).toMatchObject({ role: 'admin', byBadge: false })
  expect((await as(pair, 'GET', 'usuarios')).statusCode).toBe(200)
})

test('a person’s file says of a badge and a PIN that they are there, and neither of them', async () => {
  const { db, badgeOf } = await setUp()
  const code = await badgeOf('maria')
  const maria = (await listUsers(db.read)).find(({ username }) => username === 'maria')
  if (!maria) throw new Error('maria is not listed')
  let file = ''
  for await (const rows of personCsv(db, maria, () => 'agora')) file += rows
  expect(file).toContain('Líder, ativo, com crachá e PIN')
  expect(file).not.toMatch(new RegExp(`${code}|${PIN}`))
})

test('on any other device, and on a station that was taken back, badge and PIN are worth nothing', async () => {
  const { admin, as, badgeOf, scan, enrol, browser } = await setUp()
  const code = await badgeOf('maria')
  const elsewhere = [403, 'badge_elsewhere']
  expect(saidOf(await scan(code))).toEqual(elsewhere)
  await enrol()
  expect(saidOf(await scan(code, PIN, randomUUID()))).toEqual(elsewhere)
  expect(saidOf(await scan(code, PIN, null))).toEqual(elsewhere)
  const pair = enteredOf(await scan(code), admin)
  const again = pairOf(await browser.login('ana'))
  const [station] = (await as(again, 'GET', 'estacoes')).json<Station[]>()
  expect(station).toMatchObject({ name: 'Bancada 1', enrolledBy: 'Ana Lima' })
  expect((await as(again, 'DELETE', `estacoes/${station?.id}`)).json()).toEqual([])
  expect(saidOf(await browser.validate(pair)), 'who had come in by badge').toEqual([401, 'session_missing'])
  expect(saidOf(await scan(code))).toEqual(elsewhere)
})

test('a station that was taken back ends the session of a badge also in a browser that has lost its device', async () => {
  const panel = await openTestPanel()
  for (const [username, role] of [['ana', 'admin'] as const, ['maria', 'operador'] as const]) {
    await addUser(panel.context, { username, role })
  }
  const station = await openStation(panel, 'ana')
  const browser = browserOf(panel)
  const pair = pairOf(await browser.refresh(pairOf(await station.scan(await station.giveBadge('maria')))))
  await station.takeBack()
  expect(saidOf(await browser.validate(pair))).toEqual([401, 'session_missing'])
})

test('what waits on the tablet after the change is taken under its author’s grant', async () => {
  const { app, admin, badgeOf, scan, enrol, db } = await setUp()
  const [marias, joaos] = [await badgeOf('maria'), await badgeOf('joao')]
  await enrol()
  const maria = enteredOf(await scan(marias), admin)
  await scan(joaos)
  const headers = { ...grantOf(maria), 'idempotency-key': randomUUID() }
  const url = '/api/apontamentos/corte-crimpagem'
  const payload = { ...crimpOf(1), captura: { salvoNoDispositivo: true } }
  expect((await app.inject({ method: 'POST', url, headers, payload })).json().retido).toBeUndefined()
  const rows = await db.read
    .selectFrom('recordings as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select('u.username')
    .execute()
  expect(rows).toEqual([{ username: 'maria' }])
})

test.each(databases)('five wrong PINs lock the badge there for 15 minutes, on %s', async (database) => {
  const { badgeOf, scan, enrol, clock } = await setUp({ database })
  const code = await badgeOf('maria')
  const other = await badgeOf('joao')
  await enrol()
  const wrong = [422, 'badge_wrong']
  const tries = await Promise.all(Array.from({ length: 9 }, () => scan(code, '9071')))
  const said = tries.map(saidOf).toSorted(([one], [two]) => one - two)
  expect(said.slice(0, 4)).toEqual([wrong, wrong, wrong, wrong])
  expect(new Set(said.slice(4).map(([status]) => status)), 'no sixth reaches the PIN').toEqual(new Set([429]))
  expect(saidOf(await scan(code))).toEqual([429, 'badge_locked'])
  expect((await scan(other)).statusCode, 'another badge').toBe(200)
  clock.advance(15 * MINUTE_MS)
  expect((await scan(code)).statusCode).toBe(200)
  expect(saidOf(await scan(code, '9071')), 'a right one forgives none').toEqual([429, 'badge_locked'])
})

test('an administrator sees and lifts a blocked badge', async () => {
  const { admin, as, idOf, badgeOf, scan, enrol, clock, browser, stateOf } = await setUp()
  const code = await badgeOf('maria')
  await enrol()
  for (let tries = 0; tries < 10; tries++) {
    if (tries >= 5) clock.advance(15 * MINUTE_MS)
    await scan(code, '9071')
  }
  const again = { ...pairOf(await browser.login('ana')), device: admin.device }
  expect(await stateOf('maria', again)).toBe('blocked')
  expect((await as(again, 'POST', `usuarios/${idOf('maria')}/cracha/liberacao`)).json()).toMatchObject({
    badge: 'good',
  })
  expect((await scan(code)).statusCode).toBe(200)
})

test('a new print ends the old badge and its session; a cancelled one, one without PIN and a leaver’s do not enter', async () => {
  const { admin, as, idOf, badgeOf, scan, enrol, browser, stateOf } = await setUp()
  const bare = await badgeOf('joao', null)
  expect(await stateOf('joao')).toBe('no_pin')
  const old = await badgeOf('maria')
  await enrol()
  expect(saidOf(await scan(bare))).toEqual([422, 'badge_without_pin'])
  const pair = enteredOf(await scan(old), admin)
  const again = { ...pairOf(await browser.login('ana')), device: admin.device }
  const young = (await as(again, 'POST', `usuarios/${idOf('maria')}/cracha`)).json<{ codigo: string }>().codigo
  expect(saidOf(await browser.validate(pair))).toEqual([401, 'session_missing'])
  expect(saidOf(await scan(old))).toEqual([422, 'badge_wrong'])
  await as(again, 'PUT', `usuarios/${idOf('maria')}`, { active: false })
  expect(saidOf(await scan(young))).toEqual([422, 'badge_wrong'])
  await as(again, 'PUT', `usuarios/${idOf('maria')}`, { active: true })
  await as(again, 'DELETE', `usuarios/${idOf('maria')}/cracha`)
  expect(await stateOf('maria', again)).toBe('none')
  expect(saidOf(await scan(young))).toEqual([422, 'badge_wrong'])
})

test('everybody sets their own PIN with the password; weak ones and a badge for consulta are refused', async () => {
  const { admin, as, idOf, badgeOf, scan, enrol, browser } = await setUp()
  const code = await badgeOf('joao', null)
  await enrol()
  const joao = pairOf(await browser.login('joao'))
  for (const pin of ['1234', '0000', '1985']) {
    expect(saidOf(await as(joao, 'PUT', 'auth/pin', { currentPassword: PASSWORD, pin })), pin).toEqual([
      400,
      'pin_weak',
    ])
    expect(saidOf(await as(admin, 'PUT', `usuarios/${idOf('joao')}/pin`, { pin })), pin).toEqual([400, 'pin_weak'])
  }
  const wrong = await as(joao, 'PUT', 'auth/pin', { currentPassword: 'errada', pin: PIN })
  expect(saidOf(wrong)).toEqual([422, 'current_password_wrong'])
  expect((await as(joao, 'PUT', 'auth/pin', { currentPassword: PASSWORD, pin: PIN })).statusCode).toBe(200)
  expect((await scan(code)).statusCode).toBe(200)
  const again = pairOf(await browser.login('ana'))
  await as(again, 'PUT', `usuarios/${idOf('joao')}`, { role: 'consulta' })
  expect(saidOf(await as(again, 'POST', `usuarios/${idOf('joao')}/cracha`))).toEqual([409, 'badge_useless'])
})

test('neither code nor PIN stands in log, trail or database, and the trail tells who gave and tried what', async () => {
  const { badgeOf, scan, enrol, db, logs } = await setUp({ env: { LOG_LEVEL: 'trace' } })
  const code = await badgeOf('maria')
  await enrol()
  await scan(code, '9071')
  await scan(code)
  const tables = ['audit_entries', 'accesses', 'badges', 'stations', 'sessions', 'login_throttles'] as const
  const rows = await Promise.all(tables.map((table) => db.read.selectFrom(table).selectAll().execute()))
  const text = JSON.stringify(rows) + logs.join()
  for (const secret of [code, code.slice(4), `"${PIN}"`, '"9071"']) expect(text).not.toContain(secret)
  const [audit = [], accesses = []] = rows as { action: string; user_name: string }[][]
  expect(audit.map(({ action }) => action)).toEqual(['pin_set', 'badge_issued', 'station_enrolled'])
  expect(accesses.slice(-2).map(({ action, user_name }) => [action, user_name])).toEqual([
    ['login_failed', 'maria'],
    ['logged_in', 'maria'],
  ])
})

test('a PIN that is set while the old one is hashed anew stays', async () => {
  const { context, badgeOf, scan, enrol, as, admin, idOf } = await setUp()
  const code = await badgeOf('maria')
  await enrol()
  const keys = context.keys as { current: Buffer; former: Buffer | null }
  Object.defineProperty(keys, 'former', { value: keys.current, configurable: true })
  Object.assign(keys, { current: Buffer.alloc(32, 7) })
  const { hash } = context.passwords
  // the old one is known to be right by now, and not yet hashed anew
  context.passwords.hash = async (pin) => {
    context.passwords.hash = hash
    expect((await as(admin, 'PUT', `usuarios/${idOf('maria')}/pin`, { pin: '9071' })).statusCode).toBe(200)
    return await hash(pin)
  }
  await scan(code)
  expect(saidOf(await scan(code))).toEqual([422, 'badge_wrong'])
  expect((await scan(code, '9071')).statusCode).toBe(200)
})

test('a PIN outlives a rotated key once it was used, and works under another key no more', async () => {
  const { context, badgeOf, scan, enrol } = await setUp()
  const code = await badgeOf('maria')
  await enrol()
  const keys = context.keys as { current: Buffer; former: Buffer | null }
  const [first, second] = [keys.current, Buffer.alloc(32, 7)]
  Object.defineProperty(keys, 'former', { value: first, configurable: true })
  Object.assign(keys, { current: second })
  expect((await scan(code)).statusCode).toBe(200)
  Object.defineProperty(keys, 'former', { value: null, configurable: true })
  expect((await scan(code)).statusCode, 'hashed anew').toBe(200)
  Object.assign(keys, { current: Buffer.alloc(32, 9) })
  expect(saidOf(await scan(code))).toEqual([422, 'badge_wrong'])
})

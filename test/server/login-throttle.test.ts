import { describe, expect, test } from 'vitest'
import { addUser, openTestPanel, PASSWORD } from '../support/harness.ts'
import { cookieOf, sameOrigin } from '../support/visitor.ts'

const setUp = async (options: Parameters<typeof openTestPanel>[0]) => {
  const panel = await openTestPanel(options)
  await addUser(panel.context, { username: 'operador' })
  let reached = 0
  const { passwords } = panel.context
  panel.context.passwords = {
    hash: passwords.hash,
    verify: (password, stored) => {
      reached++
      return passwords.verify(password, stored)
    },
  }
  const login = (password: string, more: { username?: string; device?: string; remoteAddress?: string } = {}) => {
    const { username = 'operador', device, remoteAddress = '10.0.0.7' } = more
    return panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { ...sameOrigin, ...(device === undefined ? {} : { cookie: `__Host-device=${device}` }) },
      payload: { username, password },
    })
  }
  return { ...panel, login, reached: () => reached }
}

/** Wrong until it is told to wait; the seconds it is told. */
const waitOf = async (login: () => ReturnType<Awaited<ReturnType<typeof setUp>>['login']>) => {
  for (;;) {
    const answer = await login()
    if (answer.statusCode === 401) continue
    const seconds = Number(answer.headers['retry-after'])
    expect([answer.statusCode, answer.json()]).toEqual([
      429,
      { message: `Muitas tentativas. Tente novamente em ${seconds} segundos.`, code: 'too_many_attempts' },
    ])
    return seconds
  }
}

describe('entering', () => {
  test('a wrong name and a wrong password are told apart by nothing', async () => {
    const panel = await setUp({})
    const wrong = [await panel.login('errada'), await panel.login(PASSWORD, { username: 'ninguem' })]
    for (const answer of wrong) {
      expect(answer.statusCode).toBe(401)
      expect(answer.json()).toEqual({ message: 'Usuário ou senha inválidos', code: 'credentials_invalid' })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect(panel.reached()).toBe(2)
    const [person, nobody] = await Promise.all(
      ['operador', 'ninguem'].map((username) => waitOf(() => panel.login('errada', { username }))),
    )
    expect(person).toBe(nobody)
  })

  test('while somebody guesses, a known device still enters at once, and one that only looks like it does not', async () => {
    const panel = await setUp({})
    const device = cookieOf(await panel.login(PASSWORD), '__Host-device')?.value ?? ''
    await waitOf(() => panel.login('errada'))
    expect((await panel.login(PASSWORD)).statusCode, 'the right one, from a device nobody knows').toBe(429)
    expect((await panel.login(PASSWORD, { device: `${device}x`, remoteAddress: '10.0.0.8' })).statusCode).toBe(429)
    expect((await panel.login(PASSWORD, { device })).statusCode).toBe(200)
    // it is known for its own user only
    await addUser(panel.context, { username: 'admin', role: 'admin' })
    await waitOf(() => panel.login('errada', { username: 'admin', device, remoteAddress: '10.0.0.9' }))
  })
})

test('a try that no password was looked at for, because too many were waiting, is not counted', async () => {
  const panel = await setUp({})
  const names = Array.from({ length: 60 }, (_, at) => `nome-${at}`)
  const answers = await Promise.all(
    names.map((username, at) => panel.login('errada', { username, remoteAddress: `10.0.1.${at}` })),
  )
  const busy = answers.flatMap(({ statusCode }, at) => (statusCode === 503 ? [at] : []))
  expect(busy.length).toBeGreaterThan(0)
  const throttles = await panel.db.read.selectFrom('login_throttles').selectAll().execute()
  const counted = busy.flatMap((at) => [`user:nome-${at}`, `address:10.0.1.${at}`])
  expect(throttles.filter(({ name, failures }) => counted.includes(name) && failures > 0)).toEqual([])
  expect(throttles.filter(({ failures }) => failures > 0)).toHaveLength(2 * (names.length - busy.length))
})

test('each wrong try in a row makes the next one wait twice as long, up to a quarter of an hour', async () => {
  const panel = await setUp({})
  const waits: number[] = []
  for (let round = 0; round < 11; round++) {
    const seconds = await waitOf(() => panel.login('errada'))
    waits.push(seconds)
    panel.clock.advance(seconds * 1000 - 1)
    expect(await waitOf(() => panel.login(PASSWORD))).toBe(1)
    panel.clock.advance(1)
  }
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect((await panel.login(PASSWORD)).statusCode).toBe(200)
  expect((await panel.login('errada')).statusCode, 'a right one starts the count anew').toBe(401)
})

test('guesses at many names from one address are slowed down too; other addresses and known devices are not', async () => {
  const panel = await setUp({})
  const device = cookieOf(await panel.login(PASSWORD), '__Host-device')?.value ?? ''
  let guess = 0
  await waitOf(() => panel.login('errada', { username: `nome-${guess++}` }))
  expect(guess).toBeGreaterThan(20)
  expect((await panel.login(PASSWORD)).statusCode).toBe(429)
  expect((await panel.login(PASSWORD, { device })).statusCode).toBe(200)
  expect((await panel.login(PASSWORD, { remoteAddress: '10.0.0.8' })).statusCode).toBe(200)
})

test('a stranger at an address that has to wait makes nobody wait elsewhere', async () => {
  const panel = await setUp({})
  let guess = 0
  await waitOf(() => panel.login('errada', { username: `nome-${guess++}` }))
  for (let round = 0; round < 20; round++) expect((await panel.login('errada')).statusCode).toBe(429)
  expect((await panel.login(PASSWORD, { remoteAddress: '10.0.0.8' })).statusCode).toBe(200)
})

test('one person who has to wait and goes on trying does not make the others at that address wait', async () => {
  const panel = await setUp({})
  for (let round = 0; round < 60; round++) await panel.login('errada')
  await addUser(panel.context, { username: 'vizinho' })
  expect((await panel.login(PASSWORD, { username: 'vizinho' })).statusCode).toBe(200)
})

test('however many enter with the right password from one address, none of them counts there', async () => {
  const panel = await setUp({})
  for (let round = 0; round < 40; round++) expect((await panel.login(PASSWORD)).statusCode).toBe(200)
  expect((await panel.login('errada', { username: 'nome' })).statusCode).toBe(401)
})

test('the real password as Basic goes through the same count', async () => {
  const panel = await setUp({})
  const ask = (secret: string) =>
    panel.app.inject({
      url: '/api/miniaplicadores',
      remoteAddress: '10.0.0.7',
      headers: { authorization: `Basic ${Buffer.from(`operador:${secret}`).toString('base64')}` },
    })
  await waitOf(() => ask('errada'))
  expect((await panel.login(PASSWORD)).statusCode).toBe(429)
  expect((await ask(PASSWORD)).statusCode).toBe(429)
})

test('the wrong tries of an address halve each hour, however steadily they come', async () => {
  const panel = await setUp({})
  panel.context.passwords.verify = async () => false
  let name = 0
  const guess = () => panel.login('errada', { username: `nome-${name++}` })
  const hours = 6
  const waits: number[] = []
  for (let hour = 0; hour < hours; hour++) {
    for (let at = 0; at < 12; at++) {
      const { statusCode, headers } = await guess()
      if (statusCode === 429) waits.push(Number(headers['retry-after']))
      panel.clock.advance(5 * 60_000)
    }
  }
  expect(waits, 'twelve an hour are at most 24 with what is left of the hours before').toEqual([])
  const [row] = await panel.db.read
    .selectFrom('login_throttles')
    .select('failures')
    .where('name', '=', 'address:10.0.0.7')
    .execute()
  expect(row?.failures).toBeLessThanOrEqual(24)
})

test('an IPv6 network of one household counts as one address, and an IPv4 address in IPv6 as itself', async () => {
  const panel = await setUp({})
  panel.context.passwords.verify = async () => false
  let at = 0
  const guess = (remoteAddress: string) => panel.login('errada', { username: `nome-${at++}`, remoteAddress })
  for (let host = 1; host <= 31; host++) await guess(`2001:db8:0:1::${host.toString(16)}`)
  expect((await guess('2001:db8:0:1:ffff::1')).statusCode).toBe(429)
  expect((await guess('2001:db8:0:2::1')).statusCode).toBe(401)
  for (let host = 1; host <= 31; host++) await guess(`::ffff:10.0.0.${host}`)
  expect((await guess('10.0.0.1')).statusCode).toBe(401)
})

test('what the address of a try refuses does not count against its person', async () => {
  const panel = await setUp({})
  panel.context.passwords.verify = async () => false
  for (let at = 0; at < 30; at++) await panel.login('errada', { username: `nome-${at}` })
  const { db } = panel
  // the neighbour's try is the one too many, after the address was looked at and before it is counted
  panel.context.db = {
    ...db,
    transaction: async (work) => {
      panel.context.db = db
      await panel.login('errada', { username: 'vizinho' })
      return await db.transaction(work)
    },
  }
  expect((await panel.login('errada')).statusCode).toBe(429)
  const counts = db.read.selectFrom('login_throttles').select('failures')
  expect(await counts.where('name', '=', 'user:operador').execute()).toEqual([{ failures: 0 }])
  expect(await counts.where('name', '=', 'address:10.0.0.7').execute()).toEqual([{ failures: 31 }])
})

import { expect, test } from 'vitest'
import { addUser, type Database, openTestPanel, PASSWORD } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { cookieOf, sameOrigin } from '../support/visitor.ts'

const { sqlite, mariadb } = sizeOf('p22')
const MINUTE_MS = 60_000
const AT_ONCE = 20
const REACH_ARGON2_MAX = 25

/** The same guesses of a password, from one address or from a new one each time. */
const setUp = async (database: Database) => {
  const panel = await openTestPanel({ database })
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
  const login = (password: string, remoteAddress: string, headers: Record<string, string> = {}) =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { ...sameOrigin, ...headers },
      payload: { username: 'operador', password },
    })
  const device = cookieOf(await login(PASSWORD, '10.0.0.7'), '__Host-device')?.value ?? ''
  return { ...panel, login, device, reached: () => reached }
}

test.each([
  ['sqlite', 'one address', sqlite],
  ['sqlite', 'as many addresses', sqlite],
  ['mariadb', 'one address', mariadb],
] as const)('P22: guesses at one account in ten minutes on %s, from %s', async (database, from, guesses) => {
  const panel = await setUp(database)
  const before = panel.reached()
  let known = 0
  for (let guess = 0; guess < guesses; guess += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => {
        const [high, low] = [(guess + at) >> 8, (guess + at) & 255]
        const address = from === 'one address' ? '10.0.0.8' : `10.1.${high}.${low}`
        return panel.login(`palpite-${guess + at}`, address)
      }),
    )
    expect(answers.map(({ statusCode }) => statusCode).filter((code) => code !== 401 && code !== 429)).toEqual([])
    panel.clock.advance((10 * MINUTE_MS * AT_ONCE) / guesses)
  }
  const reached = panel.reached() - before
  expect((await panel.login(PASSWORD, '10.0.0.9')).statusCode, 'the right one, from a device nobody knows').toBe(429)
  for (const address of ['10.0.0.7', '10.0.0.8']) {
    const { statusCode } = await panel.login(PASSWORD, address, { cookie: `__Host-device=${panel.device}` })
    if (statusCode === 200) known++
  }
  report(`P22 ${database}`, { guesses }, { reachedArgon2: reached, knownDevicesEntered: `${known} of 2` })
  expect(reached).toBeGreaterThan(4)
  expect(reached).toBeLessThanOrEqual(REACH_ARGON2_MAX)
  expect(known).toBe(2)
})

import { expect, onTestFinished, test } from 'vitest'
import { personOf, startDirectory } from '../support/directory/responder.ts'
import { addUser, type Database, openTestPanel, PASSWORD, type TestPanel } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { openStation, PIN } from '../support/station.ts'
import { cookieOf, sameOrigin } from '../support/visitor.ts'

const { sqlite, mariadb } = sizeOf('p22')
const MINUTE_MS = 60_000
const AT_ONCE = 20
const REACH_ARGON2_MAX = 25

/** How many passwords and PINs have reached argon2. */
function countHashed({ context }: Pick<TestPanel, 'context'>): () => number {
  let reached = 0
  const { passwords } = context
  context.passwords = {
    hash: passwords.hash,
    verify: (password, stored) => {
      reached++
      return passwords.verify(password, stored)
    },
  }
  return () => reached
}

/** Guesses at once, spread over so much time. */
async function guessFor(
  { clock }: Pick<TestPanel, 'clock'>,
  { guesses, overMs }: { guesses: number; overMs: number },
  guess: (at: number) => Promise<{ statusCode: number }>,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (let begun = 0; begun < guesses; begun += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => guess(begun + at)))
    for (const { statusCode } of answers) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1)
    clock.advance((overMs * AT_ONCE) / guesses)
  }
  return counts
}

/** The same guesses of a password, from one address or from a new one each time. */
const setUp = async (database: Database) => {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'operador' })
  const reached = countHashed(panel)
  const login = (password: string, remoteAddress: string, headers: Record<string, string> = {}) =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { ...sameOrigin, ...headers },
      payload: { username: 'operador', password },
    })
  const device = cookieOf(await login(PASSWORD, '10.0.0.7'), '__Host-device')?.value ?? ''
  return { ...panel, login, device, reached }
}

test.each([
  ['sqlite', 'one address', sqlite],
  ['sqlite', 'as many addresses', sqlite],
  ['mariadb', 'one address', mariadb],
] as const)('P22: guesses at one account in ten minutes on %s, from %s', async (database, from, guesses) => {
  const panel = await setUp(database)
  const before = panel.reached()
  let known = 0
  const counts = await guessFor(panel, { guesses, overMs: 10 * MINUTE_MS }, (at) => {
    const address = from === 'one address' ? '10.0.0.8' : `10.1.${at >> 8}.${at & 255}`
    return panel.login(`palpite-${at}`, address)
  })
  expect([...counts.keys()].toSorted()).toEqual([401, 429])
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

test('P22: guesses at the PIN of one badge in a day', async () => {
  const { guesses } = sizeOf('p22Badge')
  const panel = await openTestPanel()
  for (const username of ['ana', 'maria', 'joao']) {
    await addUser(panel.context, { username, role: username === 'ana' ? 'admin' : 'operador' })
  }
  const station = await openStation(panel, 'ana')
  const [guessed, other] = [await station.giveBadge('maria'), await station.giveBadge('joao')]
  const reached = countHashed(panel)
  const counts = await guessFor(panel, { guesses, overMs: 24 * 60 * MINUTE_MS }, () => station.scan(guessed, '9071'))
  expect([...counts.keys()].toSorted()).toEqual([422, 429])
  const tried = reached()
  report('P22 badge', { guesses }, { reachedArgon2: tried, answers: JSON.stringify([...counts]) })
  expect(tried, 'ten in a day').toBe(10)
  expect((await station.scan(guessed, PIN)).statusCode, 'the right one, until an administrator unblocks it').toBe(422)
  expect((await station.scan(other, PIN)).statusCode, 'another badge there').toBe(200)
  expect((await panel.login('maria')).username, 'its owner by password').toBe('maria')
})

test('P22: guesses at one account of the directory in ten minutes', async () => {
  const { guesses } = sizeOf('p22Directory')
  const directory = await startDirectory({ people: [personOf('maria')] })
  onTestFinished(() => directory.close())
  const panel = await openTestPanel({ env: directory.env })
  const login = (password: string, remoteAddress: string, cookie = '') =>
    panel.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { ...sameOrigin, cookie },
      payload: { username: 'maria', password },
    })
  const theirs = 'senha-do-diretório'
  const device = cookieOf(await login(theirs, '10.0.0.7'), '__Host-device')?.value
  directory.heard.length = 0
  const counts = await guessFor(panel, { guesses, overMs: 10 * MINUTE_MS }, (at) =>
    login(`palpite-${at}`, `10.1.${at >> 8}.${at & 255}`),
  )
  expect([...counts.keys()].toSorted()).toEqual([401, 429])
  const reached = directory.heard.filter((line) => line.startsWith('bind CN=Maria Souza')).length
  report('P22 directory', { guesses }, { reachedDirectory: reached })
  expect(reached).toBeGreaterThan(4)
  expect(reached).toBeLessThanOrEqual(REACH_ARGON2_MAX)
  expect((await login(theirs, '10.0.0.8', `__Host-device=${device}`)).statusCode, 'from hers').toBe(200)
})

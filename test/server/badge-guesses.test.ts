import { expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { Session } from '../../src/contract/sessions.ts'
import { badgeOf } from '../../src/domain/people/badges.ts'
import { PasswordsBusy } from '../../src/server/http/passwords.ts'
import { addUser, type Database, databases, openTestPanel, PASSWORD } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { browserOf, sameOrigin } from '../support/visitor.ts'

const WRONG = '9071'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

async function setUp(database: Database = 'sqlite') {
  const panel = await openTestPanel({ database })
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  for (const username of ['maria', 'joao']) await addUser(panel.context, { username })
  return { ...panel, station: await openStation(panel, 'ana') }
}

/** A card that nobody has. */
const strange = (n: number) => badgeOf([...String(n).padStart(14, '0')].map(Number))

const saidOf = (answer: { statusCode: number; json: () => unknown }) =>
  [answer.statusCode, (answer.json() as ErrorReply).code] as const

const wrong = [422, 'badge_wrong']
const locked = [429, 'badge_locked']
const blocked = [422, 'badge_blocked']

type Scanning = Pick<Awaited<ReturnType<typeof openStation>>, 'scan'>

/** What so many wrong PINs are answered, each after its lock is over. */
async function guess({ scan }: Scanning, code: string, count: number, clock: { advance(ms: number): void }) {
  const said: unknown[] = []
  while (said.length < count) {
    const answer = saidOf(await scan(code, WRONG))
    said.push(answer)
    if (answer[0] === 429) clock.advance(15 * MINUTE_MS)
  }
  return said
}

test('a right PIN between wrong ones forgives none of them, and each hour half of them', async () => {
  const { station, clock } = await setUp()
  const card = await station.giveBadge('maria')
  const next = async (pin = WRONG) => saidOf(await station.scan(card, pin))
  expect([await next(), await next(), await next(), await next()]).toEqual([wrong, wrong, wrong, wrong])
  expect((await station.scan(card)).statusCode).toBe(200)
  expect(await next(), 'the fifth').toEqual(locked)
  clock.advance(15 * MINUTE_MS)
  expect((await station.scan(card)).statusCode).toBe(200)
  expect(await next(), 'the sixth').toEqual(locked)
  clock.advance(HOUR_MS)
  expect([await next(), await next()], 'three were left').toEqual([wrong, locked])
})

test('the tenth wrong PIN of a day, on whatever devices, blocks the card until an administrator lifts it', async () => {
  const { station, clock, ...panel } = await setUp()
  const card = await station.giveBadge('maria')
  const other = await openStation(panel, 'ana')
  const first = await guess(station, card, 6, clock)
  clock.advance(3 * HOUR_MS)
  const second = await guess(other, card, 4, clock)
  expect(second.at(-1)).toEqual(blocked)
  expect([...first, ...second].filter((said) => String(said) === String(blocked))).toHaveLength(1)
  for (const { scan } of [station, other]) expect(saidOf(await scan(card))).toEqual(blocked)
  clock.advance(25 * HOUR_MS)
  expect(saidOf(await station.scan(card)), 'the day after').toEqual(blocked)
  expect((await browserOf(panel).login('maria')).statusCode, 'the password still enters').toBe(200)
  await station.unblockBadge('maria')
  expect((await station.scan(card)).statusCode).toBe(200)
})

test('nine wrong PINs today and one tomorrow block nobody', async () => {
  const { station, clock } = await setUp()
  const card = await station.giveBadge('maria')
  expect(await guess(station, card, 9, clock)).not.toContainEqual(blocked)
  clock.advance(24 * HOUR_MS)
  expect(saidOf(await station.scan(card, WRONG))).toEqual(wrong)
  expect((await station.scan(card)).statusCode).toBe(200)
})

test('a strange card is answered as one that somebody has, try by try', async () => {
  const { station, clock } = await setUp()
  const card = await station.giveBadge('maria')
  for (let n = 0; n < 14; n++) {
    const said = [await station.scan(strange(1), WRONG), await station.scan(card, WRONG)].map(saidOf)
    expect(said[0], `try ${n}`).toEqual(said[1])
    if (n >= 4) clock.advance(10 * MINUTE_MS)
  }
  expect(saidOf(await station.scan(strange(1), WRONG))).toEqual(blocked)
})

test('strange cards at one station are slowed down as passwords from one address are', async () => {
  const { station } = await setUp()
  const said = []
  for (let n = 0; n < 33; n++) said.push(saidOf(await station.scan(strange(n), WRONG)))
  expect(said.slice(0, 31)).toEqual(Array(31).fill(wrong))
  expect(said.slice(31)).toEqual(Array(2).fill([429, 'too_many_attempts']))
})

test('a PIN that was not looked at, because too many were waiting, is no wrong one', async () => {
  const { context, station } = await setUp()
  const card = await station.giveBadge('maria')
  const { passwords } = context
  context.passwords = { ...passwords, verify: () => Promise.reject(new PasswordsBusy('full')) }
  for (let n = 0; n < 12; n++) expect(saidOf(await station.scan(card))).toEqual([503, 'overloaded'])
  context.passwords = passwords
  expect((await station.scan(card)).statusCode).toBe(200)
})

test('each wrong PIN is a line in the trail at once', async () => {
  const { station, db } = await setUp()
  const card = await station.giveBadge('maria')
  for (let n = 0; n < 4; n++) await station.scan(card, WRONG)
  const lines = await db.read
    .selectFrom('accesses')
    .select(['user_name', 'details_json'])
    .where('action', '=', 'login_failed')
    .execute()
  expect(lines).toEqual(Array(4).fill({ user_name: 'maria', details_json: '{"badge":true}' }))
})

test.each(databases)(
  'whoever comes in by card or password is told once how many PINs were wrong since when, on %s',
  async (database) => {
    const { station, clock, ...panel } = await setUp(database)
    const card = await station.giveBadge('maria')
    const since = new Date(clock.now()).toISOString()
    for (let n = 0; n < 3; n++) {
      await station.scan(card, WRONG)
      clock.advance(MINUTE_MS)
    }
    const saidWrong = (answer: { json: () => unknown }) => (answer.json() as Session).wrongPins
    expect(saidWrong(await station.scan(await station.giveBadge('joao'))), 'somebody else').toBeUndefined()
    expect(saidWrong(await station.scan(card))).toEqual({ count: 3, since })
    expect(saidWrong(await station.scan(card))).toBeUndefined()
    await station.scan(card, WRONG)
    expect(saidWrong(await browserOf(panel).login('maria'))?.count).toBe(1)
    expect(saidWrong(await browserOf(panel).login('maria'))).toBeUndefined()
  },
)

test('strange cards in a loop at one station cost nobody elsewhere a log-in', async () => {
  const { app, context, station } = await setUp()
  const people = Array.from({ length: 15 }, (_, at) => `operador${at}`)
  for (const username of people) await addUser(context, { username })
  let isOver = false
  let scanned = 0
  const loop = async () => {
    while (!isOver) await station.scan(strange(scanned++))
  }
  const loops = Array.from({ length: 30 }, loop)
  const others = await Promise.all(
    people.map((username, at) =>
      app.inject({
        ...{ method: 'POST', url: '/api/auth/login', headers: sameOrigin, remoteAddress: `10.0.0.${at + 1}` },
        payload: { username, password: PASSWORD },
      }),
    ),
  )
  isOver = true
  await Promise.all(loops)
  expect(others.map(({ statusCode }) => statusCode)).toEqual(people.map(() => 200))
})

test('a strange card and one without PIN take as many hashes as a wrong PIN, also after the key was rotated', async () => {
  const { context, station } = await setUp()
  const [card, bare] = [await station.giveBadge('maria'), await station.giveBadge('joao', null)]
  const { passwords } = context
  let hashed = 0
  context.passwords = {
    ...passwords,
    verify: (...given) => {
      hashed++
      return passwords.verify(...given)
    },
  }
  const costOf = async (codigo: string) => {
    const before = hashed
    await station.scan(codigo, WRONG)
    return hashed - before
  }
  expect([await costOf(card), await costOf(strange(1)), await costOf(bare)]).toEqual([1, 1, 1])
  Object.defineProperty(context.keys, 'former', { value: Buffer.alloc(32, 7), configurable: true })
  expect([await costOf(card), await costOf(strange(1)), await costOf(bare)]).toEqual([2, 2, 2])
})

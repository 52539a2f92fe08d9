import { expect, test } from 'vitest'
import { badgeOf } from '../../src/domain/badges.ts'
import { addUser, openTestPanel, PASSWORD } from '../support/harness.ts'
import { openStation } from '../support/station.ts'
import { sameOrigin } from '../support/visitor.ts'

const WRONG = '9071'

async function setUp() {
  const panel = await openTestPanel()
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  for (const username of ['maria', 'joao']) await addUser(panel.context, { username })
  return { ...panel, station: await openStation(panel, 'ana') }
}

/** A card that nobody has. */
const strange = (n: number) => badgeOf([...String(n).padStart(14, '0')].map(Number))

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

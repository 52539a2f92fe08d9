import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { changeUser, setPassword } from '../../src/server/features/users.ts'
import { type Db, openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { findUserByName } from '../../src/server/store/users.ts'
import { addUser, openTestPanel, PASSWORD } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { browserOf, type Pair, pairOf } from '../support/visitor.ts'

const HOUR_MS = 3_600_000
const { histories } = sizeOf('p23')

/** The rules of one session in the words of the decision, without a database. Generations count the renewals. */
type Model = {
  pairs: { generation: number }[]
  createdAt: number
  expiresAt: number
  dead: boolean
  /** When a whole pair of this generation was first used. */
  firstUsedAt: Map<number, number>
}

const newestOf = (model: Model) => Math.max(...model.pairs.map(({ generation }) => generation))

/** 60 s after the first use of any younger pair. */
const endOf = (model: Model, generation: number) =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...[...model.firstUsedAt].flatMap(([used, at]) => (used > generation ? [at + 60_000] : [])),
  )

/** Whether this token and this cookie are let in now; a secret used after its end kills the family. */
function isLetIn(model: Model, token: number, cookie: number | null, now: number): boolean {
  if (model.dead || now >= model.expiresAt) return false
  for (const at of [token, cookie]) {
    if (at === null) return false
    const generation = model.pairs[at]?.generation ?? 0
    if (now > endOf(model, generation)) {
      model.dead = true
      return false
    }
  }
  const [one, other] = [model.pairs[token]?.generation, model.pairs[cookie ?? -1]?.generation]
  if (one !== undefined && one === other && !model.firstUsedAt.has(one)) model.firstUsedAt.set(one, now)
  return true
}

function renew(model: Model, now: number): void {
  const newest = newestOf(model)
  const isFresh = newest > 1 && ![...model.firstUsedAt.keys()].some((used) => used >= newest)
  model.pairs.push({ generation: isFresh ? newest : newest + 1 })
  model.expiresAt = Math.min(now + 12 * HOUR_MS, model.createdAt + 24 * HOUR_MS)
}

const chosen = fc.nat({ max: 9 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constant('use' as const), token: chosen, cookie: chosen }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('use' as const), token: chosen, cookie: fc.constant(null) }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('refresh' as const), token: chosen, cookie: chosen }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 30_000, 60_000, 60_001, HOUR_MS, 8 * HOUR_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('logout' as const), token: chosen, cookie: chosen }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('deactivate' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('password' as const) }) },
)

/** Many short histories, and none of them is about disks. */
function openInMemory(): Db {
  const db = openSqlite(withOurTransactions(openSqliteFile(':memory:')))
  onTestFinished(() => db.close())
  return db
}

test('whatever a browser and a thief do with a session, it lives and dies as decided', async () => {
  const panel = await openTestPanel({ db: openInMemory() })
  await addUser(panel.context, { username: 'operador' })
  const browser = browserOf(panel)
  const { clock, context } = panel
  const { id = 0 } = (await findUserByName(context.db.read, 'operador')) ?? {}
  const admin = { ...context, caller: { userId: 0, username: 'admin' } }
  const expel = {
    // let in again at once: what was out must stay out
    deactivate: async () => {
      await changeUser(admin, id, { active: false })
      await changeUser(admin, id, { active: true })
    },
    password: () => setPassword(admin, id, { password: PASSWORD, spared: null }),
  }
  const outcomes = new Map<string, number>()
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const pairs: Pair[] = [pairOf(await browser.login('operador'))]
      const now = clock.now()
      const model: Model = {
        pairs: [{ generation: 1 }],
        createdAt: now,
        expiresAt: now + 12 * HOUR_MS,
        dead: false,
        firstUsedAt: new Map(),
      }
      for (const one of steps) {
        if (one.act === 'wait') {
          clock.advance(one.ms)
          continue
        }
        if (one.act === 'deactivate' || one.act === 'password') {
          await expel[one.act]()
          model.dead = true
          count(one.act)
          continue
        }
        // the youngest is the likeliest
        const place = (at: number) => Math.max(0, pairs.length - 1 - Math.floor(at / 3))
        const token = place(one.token)
        const cookie = one.cookie === null ? null : place(one.cookie)
        const secrets = {
          token: pairs[token]?.token ?? '',
          cookie: cookie === null ? null : (pairs[cookie]?.cookie ?? ''),
        }
        const letIn = isLetIn(model, token, cookie, clock.now())
        const call = { use: browser.validate, refresh: browser.refresh, logout: browser.logout }[one.act]
        const answer = await call(secrets)
        expect(answer.statusCode, `${one.act} with token ${token} and cookie ${cookie}`).toBe(letIn ? 200 : 401)
        count(`${one.act} ${answer.statusCode}`)
        if (!letIn) continue
        if (one.act === 'logout') model.dead = true
        if (one.act === 'refresh') {
          pairs.push(pairOf(answer))
          renew(model, clock.now())
        }
        if (one.act !== 'logout') expect(answer.json().expiresAt).toBe(new Date(model.expiresAt).toISOString())
      }
    }),
    { numRuns: histories, seed: SEED },
  )
  // the histories were not all of one kind
  for (const outcome of ['use 200', 'use 401', 'refresh 200', 'refresh 401', 'logout 200', 'deactivate', 'password']) {
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(histories / 20)
  }
  report('P23', { histories }, { deviations: 0, ...Object.fromEntries(outcomes) })
})

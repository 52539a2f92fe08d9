import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '../../src/contract/sessions.ts'
import { changeUser, setPassword } from '../../src/server/features/users.ts'
import { type Db, openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { findUserByName } from '../../src/server/store/users.ts'
import { personOf, startDirectory } from '../support/directory/responder.ts'
import { addUser, openTestPanel, PASSWORD, type TestPanel } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { openStation } from '../support/station.ts'
import { browserOf, type Pair, pairOf } from '../support/visitor.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

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
  { weight: 2, arbitrary: fc.record({ act: fc.constant('logout' as const), token: chosen, cookie: chosen }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('expel' as const), how: chosen }) },
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
const YOUNGEST = { token: 0, cookie: 0 }
const ONE_BEFORE = { token: 3, cookie: 3 }

/** The former pair is used at the last moment of its life or at the first after it; then the younger one. */
const lateUse = fc.constantFrom(60_000, 60_001).map((ms): Step[] => [
  { act: 'refresh', ...YOUNGEST },
  { act: 'use', ...YOUNGEST },
  { act: 'wait', ms },
  { act: 'use', ...ONE_BEFORE },
  { act: 'use', ...YOUNGEST },
])
/** The answer of a renewal is lost, and the pair before renews once more: both younger pairs live. */
const lostAnswer = fc.constant<Step[]>([
  { act: 'refresh', ...YOUNGEST },
  { act: 'use', ...YOUNGEST },
  { act: 'refresh', ...YOUNGEST },
  { act: 'refresh', ...ONE_BEFORE },
  { act: 'use', ...YOUNGEST },
  { act: 'wait', ms: 60_001 },
  { act: 'use', ...ONE_BEFORE },
])
/** Half of the histories begin where a session's rules part from each other: chance alone needs a thousand. */
const history = fc
  .tuple(fc.oneof(lateUse, lostAnswer, fc.constant<Step[]>([])), fc.array(step, { minLength: 1, maxLength: 20 }))
  .map(([beginning, others]) => [...beginning, ...others])

/** Many short histories, and none of them is about disks. */
function openInMemory(): Db {
  const db = openSqlite(withOurTransactions(openSqliteFile(':memory:')))
  onTestFinished(() => db.close())
  return db
}

type Entrance = {
  enter: () => Promise<Awaited<ReturnType<TestPanel['app']['inject']>>>
  /** What ends all sessions of the person; whoever was out is let in again at once, and what was out must stay out. */
  expels: Record<string, () => Promise<unknown>>
}

const passwordEntrance = async (panel: TestPanel): Promise<Entrance> => {
  await addUser(panel.context, { username: 'operador' })
  const { id = 0 } = (await findUserByName(panel.db.read, 'operador')) ?? {}
  const admin = { ...panel.context, caller: { userId: 0, username: 'admin' } }
  return {
    enter: () => browserOf(panel).login('operador'),
    expels: {
      deactivate: async () => {
        await changeUser(admin, id, { active: false })
        await changeUser(admin, id, { active: true })
      },
      password: () => setPassword(admin, id, { password: PASSWORD, spared: null }),
    },
  }
}

const badgeEntrance = async (panel: TestPanel): Promise<Entrance> => {
  const { expels } = await passwordEntrance(panel)
  await addUser(panel.context, { username: 'ana', role: 'admin' })
  const station = await openStation(panel, 'ana')
  let code = await station.giveBadge('operador')
  return {
    enter: () => station.scan(code),
    expels: {
      ...expels,
      'another badge': async () => {
        code = await station.giveBadge('operador')
      },
      'no station': async () => {
        await station.takeBack()
        await station.enrol()
      },
    },
  }
}

const directoryEntrance = (panel: TestPanel, people: unknown[]): Entrance => {
  const enter = () => browserOf(panel).login('maria', 'senha-do-diretório')
  const leave = async () => {
    const known = people.splice(0)
    panel.clock.advance(15 * MINUTE_MS)
    await panel.context.directory?.look()
    people.push(...known)
    await enter()
  }
  return { enter, expels: { leave } }
}

async function expectModelKept(
  { clock, ...panel }: TestPanel,
  { enter, expels }: Entrance,
  histories: number,
): Promise<Record<string, number>> {
  const browser = browserOf(panel)
  const outcomes = new Map<string, number>()
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const entered = await enter()
      expect(entered.statusCode, entered.body).toBe(200)
      const pairs: Pair[] = [pairOf(entered)]
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
        if (one.act === 'expel') {
          const [name = '', expel] = Object.entries(expels)[one.how % Object.keys(expels).length] ?? []
          await expel?.()
          model.dead = true
          count(name)
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
        if (one.act !== 'logout') {
          expect(answer.json<Session>().expiresAt).toBe(new Date(model.expiresAt).toISOString())
        }
      }
    }),
    { numRuns: histories, seed: SEED },
  )
  // the histories were not all of one kind
  for (const outcome of ['use 200', 'use 401', 'refresh 200', 'refresh 401', 'logout 200', ...Object.keys(expels)]) {
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(histories / 20)
  }
  return Object.fromEntries(outcomes)
}

test('whatever a browser and a thief do with a session, it lives and dies as decided', async () => {
  const { histories } = sizeOf('p23')
  const panel = await openTestPanel({ db: openInMemory() })
  const outcomes = await expectModelKept(panel, await passwordEntrance(panel), histories)
  report('P23', { histories }, { deviations: 0, ...outcomes })
})

test('the same of a session that a badge has opened, which ends with its badge and its station', async () => {
  const { histories } = sizeOf('p23Badge')
  const panel = await openTestPanel({ db: openInMemory() })
  const outcomes = await expectModelKept(panel, await badgeEntrance(panel), histories)
  report('P23 badge', { histories }, { deviations: 0, ...outcomes })
})

test('the same of a session of somebody of the directory, which ends when the directory has the person no more', async () => {
  const { histories } = sizeOf('p23OfDirectory')
  const { people, env, close } = await startDirectory({ people: [personOf('maria')] })
  onTestFinished(() => close())
  const panel = await openTestPanel({ db: openInMemory(), env })
  const outcomes = await expectModelKept(panel, directoryEntrance(panel, people), histories)
  report('P23 of the directory', { histories }, { deviations: 0, ...outcomes })
})

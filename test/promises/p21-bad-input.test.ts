import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { anySent } from '../support/bad-input/anything.ts'
import { expectRefusal } from '../support/bad-input/refusal.ts'
import { isStream, nameOf, requestOf, type Sent } from '../support/bad-input/requests.ts'
import { addUser, type Database, openTestPanel } from '../support/harness.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'

const { sqlite, mariadb } = sizeOf('p21')
const ANSWER_MS_MAX = 2000

const setUp = async (database: Database) => {
  const panel = await openTestPanel({ database })
  // an administrator may call everything
  await addUser(panel.context, { username: 'operador', role: 'admin' })
  const { token } = await panel.login('operador')
  const tally = { accepted: 0, refused: 0, slowestMs: 0 }
  const send = async (endpoint: Endpoint, sent: Sent) => {
    const startedMs = performance.now()
    const answer = await panel.ask(token, requestOf(endpoint, sent))
    tally.slowestMs = Math.max(tally.slowestMs, Math.round(performance.now() - startedMs))
    const isAnswer = (endpoint.statuses ?? [200]).includes(answer.statusCode)
    if (isAnswer) tally.accepted++
    else {
      tally.refused++
      expectRefusal(answer, `${nameOf(endpoint)} ${JSON.stringify(sent)}`, endpoint)
    }
  }
  return { send, tally }
}

test.each([
  ['sqlite', sqlite],
  ['mariadb', mariadb],
] as const)('P21: nothing that can be sent breaks a call on %s', async (database, requests) => {
  const { send, tally } = await setUp(database)
  // after leaving every answer would be the same
  const called = endpoints.filter((one) => !one.path.endsWith('/logout') && !isStream(one))
  const runs = Math.ceil(requests / called.length)
  for (const [at, endpoint] of called.entries()) {
    await fc.assert(
      fc.asyncProperty(anySent(endpoint), (sent) => send(endpoint, sent)),
      { numRuns: runs, seed: SEED + at, endOnFailure: isFull },
    )
  }
  const { accepted, refused, slowestMs } = tally
  report(`P21 ${database}`, { requests: accepted + refused }, { accepted, refused, slowestMs })
  expect(accepted + refused).toBeGreaterThanOrEqual(requests)
  expect(accepted).toBeGreaterThan(runs)
  expect(refused).toBeGreaterThan(runs)
  if (isFull) expect(slowestMs).toBeLessThan(ANSWER_MS_MAX)
})

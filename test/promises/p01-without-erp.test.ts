import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { type LivePanel, startLivePanel } from '../support/promises/live-panel.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { findOffencesWithoutErp, kindsWithoutErp, nothingAnswered } from '../support/promises/without-erp.ts'

/** Of each kind. */
const OPERATORS = 3
const ANSWERED_A_KILL = 10

/** Each press is about something else, and is repeated under its id until it is answered. */
async function pressOn(
  live: LivePanel,
  { path, bodyOf }: (typeof kindsWithoutErp)[number],
  answered: Set<string> | undefined,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const id = randomUUID()
    const payload = bodyOf(id)
    let answer = await live.send(path, id, payload)
    // beyond what one person may call in a minute a tablet waits
    while (answer === null || answer.status === 503 || answer.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await live.send(path, id, payload)
    }
    if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`)
    answered?.add(id)
  }
}

async function killUnderPresses(kills: number, mistake?: 'late-commits'): Promise<string[]> {
  const random = randomFor(SEED, 'kills of calls')
  const live = await startLivePanel({ piecesMin: 1 })
  if (mistake) await live.restartWith(mistake)
  const answered = nothingAnswered()
  let isOver = false
  const operators = Promise.all(
    Array.from({ length: OPERATORS }).flatMap(() =>
      kindsWithoutErp.map((kind, at) => pressOn(live, kind, answered[at], () => isOver)),
    ),
  )
  for (let kill = 1; kill <= kills; kill++) {
    do await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)))
    while (answered.some(({ size }) => size < kill * ANSWERED_A_KILL))
    await live.panel.kill('SIGKILL')
    await live.panel.restart()
  }
  isOver = true
  await operators
  await live.panel.kill('SIGTERM')
  const [calls = 0, measurements = 0] = answered.map(({ size }) => size)
  report('P1 without an ERP', { kills }, { calls, measurements })
  const db = openSqlite(withOurTransactions(openSqliteFile(join(live.panel.dataDir, 'painel.sqlite'))))
  const offences = await findOffencesWithoutErp(answered, db)
  await db.close()
  return offences
}

describe('P1: the server is killed at random while people call for maintenance and measure, on SQLite', () => {
  const { kills } = sizeOf('p01WithoutErp')

  test(`${kills} kills: every press that was answered is there once, whole, and no number twice`, async () => {
    expect(await killUnderPresses(kills)).toEqual([])
  })

  test('it notices when what was answered is committed later', async () => {
    const found = await killUnderPresses(smallOf('p01WithoutErp').kills, 'late-commits')
    expect(found).toContainEqual(expect.stringContaining('presses were seen as answered and are not here'))
    expect(found).toContainEqual(expect.stringContaining('acts were seen as answered and are not here'))
  })
})

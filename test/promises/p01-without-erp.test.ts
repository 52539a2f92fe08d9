import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { startLivePanel } from '../support/promises/live-panel.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import {
  countsWithoutErp,
  findOffencesWithoutErp,
  nothingAnswered,
  pressWithoutErp,
} from '../support/promises/without-erp.ts'

/** Of each kind. */
const OPERATORS = 3
const ANSWERED_A_KILL = 10

async function killUnderPresses(kills: number, mistake?: 'late-commits'): Promise<string[]> {
  const random = randomFor(SEED, 'kills of calls')
  const live = await startLivePanel({ piecesMin: 1 })
  if (mistake) await live.restartWith(mistake)
  const answered = nothingAnswered()
  let isOver = false
  const operators = pressWithoutErp(live, { people: OPERATORS, answered, isOver: () => isOver })
  for (let kill = 1; kill <= kills; kill++) {
    do await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)))
    while (answered.some(({ size }) => size < kill * ANSWERED_A_KILL))
    await live.panel.kill('SIGKILL')
    await live.panel.restart()
  }
  isOver = true
  await operators
  await live.panel.kill('SIGTERM')
  report('P1 without an ERP', { kills }, countsWithoutErp(answered))
  const db = openSqlite(withOurTransactions(openSqliteFile(join(live.panel.dataDir, 'painel.sqlite'))))
  const offences = await findOffencesWithoutErp(answered, db)
  await db.close()
  return offences
}

describe('P1: the server is killed at random while people call, measure and throw pieces away, on SQLite', () => {
  const { kills } = sizeOf('p01WithoutErp')

  test(`${kills} kills: every press that was answered is there once, whole, and no number twice`, async () => {
    expect(await killUnderPresses(kills)).toEqual([])
  })

  test('it notices when what was answered is committed later', async () => {
    const found = await killUnderPresses(smallOf('p01WithoutErp').kills, 'late-commits')
    expect(found).toContainEqual(expect.stringContaining('presses were seen as answered and are not here'))
    expect(found).toContainEqual(expect.stringContaining('acts were seen as answered and are not here'))
    expect(found).toContainEqual(expect.stringContaining('scraps were seen as answered and are not here'))
  })
})

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { callOf } from '../support/harness.ts'
import { findCallOffences } from '../support/promises/called-plant.ts'
import { type LivePanel, startLivePanel } from '../support/promises/live-panel.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'

const OPERATORS = 6
const ANSWERED_A_KILL = 10

/** Each press is about another machine, and is repeated under its id until it is answered. */
async function callOn(live: LivePanel, answered: Set<string>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const id = randomUUID()
    const payload = callOf({ maquina: `PR ${id}` })
    let answer = await live.callMaintenance(id, payload)
    while (answer === null || answer.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await live.callMaintenance(id, payload)
    }
    if (answer.status !== 201) throw new Error(`answered ${answer.status}: ${answer.text}`)
    answered.add(id)
  }
}

async function killUnderCalls(kills: number, mistake?: 'late-commits'): Promise<string[]> {
  const random = randomFor(SEED, 'kills of calls')
  const live = await startLivePanel({ piecesMin: 1 })
  if (mistake) await live.restartWith(mistake)
  const answered = new Set<string>()
  let isOver = false
  const operators = Promise.all(Array.from({ length: OPERATORS }, () => callOn(live, answered, () => isOver)))
  for (let kill = 1; kill <= kills; kill++) {
    do await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)))
    while (answered.size < kill * ANSWERED_A_KILL)
    await live.panel.kill('SIGKILL')
    await live.panel.restart()
  }
  isOver = true
  await operators
  await live.panel.kill('SIGTERM')
  report('P1 calls', { kills }, { answered: answered.size })
  const db = openSqlite(withOurTransactions(openSqliteFile(join(live.panel.dataDir, 'painel.sqlite'))))
  const offences = await findCallOffences(answered, db)
  await db.close()
  return offences
}

describe('P1: the server is killed at random while people call for maintenance, on SQLite', () => {
  const { kills } = sizeOf('p01Calls')

  test(`${kills} kills: every press that was answered is there once, and no number twice`, async () => {
    expect(await killUnderCalls(kills)).toEqual([])
  })

  test('it notices when what was answered is committed later', async () => {
    expect(await killUnderCalls(smallOf('p01Calls').kills, 'late-commits')).toContainEqual(
      expect.stringContaining('are not here'),
    )
  })
})

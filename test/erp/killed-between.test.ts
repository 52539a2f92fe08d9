import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listCounterDeviations } from '../../src/server/store/applicators.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { startLivePanel } from '../support/promises/live-panel.ts'
import { APPLICATOR, recordingOf } from '../support/promises/workload.ts'
import { SOON } from '../support/slowness.ts'
import { findUnit } from '../support/units.ts'

const PIECES = 3

test.each([
  ['after the ERP stored and before anybody here knew', 'F06', 1],
  ['after the bytes left and before the ERP stored', 'F05', 0],
] as const)('the server is killed %s: delivered once, counted once', async (_, fault, storedThen) => {
  const live = await startLivePanel({ piecesMin: 1 })
  const { panel, simulator } = live
  const crimp = live.sections.find(({ part, open }) => part === 'l1' && open > 2 * PIECES)
  if (!crimp) throw new Error('the sample has no crimp open')
  // the ERP has confirmed something before, as it will have in any plant
  expect(await live.record(randomUUID(), recordingOf(crimp, 1))).toMatchObject({ status: 201 })
  await simulator.state.setFaults([{ id: fault }])
  const id = randomUUID()
  const answer = live.record(id, recordingOf(crimp, PIECES))
  await vi.waitUntil(() => simulator.state.log.at(-1)?.outcome === 'silence', SOON)
  await panel.kill('SIGKILL')
  expect(await answer).toBe(null)
  expect(simulator.state.writes).toHaveLength(1 + storedThen)

  await panel.restart()
  expect(await live.record(id, recordingOf(crimp, PIECES)), 'the tablet repeats it').toMatchObject({ status: 202 })
  await live.finish()
  expect(simulator.state.writes.map(({ pieces }) => pieces)).toEqual([1, PIECES])
  const db = openSqlite(withOurTransactions(openSqliteFile(join(panel.dataDir, 'painel.sqlite'))))
  try {
    const states = await db.read.selectFrom('erp_outbox').select('state').execute()
    expect(states).toEqual([{ state: 'confirmed' }, { state: 'confirmed' }])
    expect((await findUnit(db.read, APPLICATOR))?.crimps).toBe(1 + PIECES)
    expect(await listCounterDeviations(db.read)).toEqual([])
  } finally {
    await db.close()
  }
})

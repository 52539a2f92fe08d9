import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openMysql } from '../../src/server/store/db/db.ts'
import { findUnfitness } from '../../src/server/store/db/fitness.ts'
import { noWait } from '../support/harness.ts'
import { startTestCluster } from '../support/promises/galera.ts'
import { RACES_PER_SECTION_MIN, race } from '../support/promises/last-piece.ts'
import { openLoadedPanel } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf } from '../support/promises/sizes.ts'

const { races } = sizeOf('p12')

test(`P12: ${races} races for the last pieces over Galera, whose reads wait for each other, one winner each`, async () => {
  const db = openMysql((await startTestCluster()).databaseUrl)
  onTestFinished(() => db.close())
  await db.read.connection().execute(async (connection) => {
    expect(await findUnfitness(connection)).toBeNull()
    await sql.raw('set session wsrep_sync_wait = 0').execute(connection)
    expect(await findUnfitness(connection)).toBe('é Galera com wsrep_sync_wait=0: o painel precisa de 1')
    await sql.raw('set session wsrep_sync_wait = 1').execute(connection)
  })
  const sectionsMin = Math.ceil(races / RACES_PER_SECTION_MIN)
  const panel = await openLoadedPanel({ db, sectionsMin, answerWait: noWait })
  const tally = await race(panel, races)
  const { writes } = panel.simulator.state
  report('P12 galera', { races: tally.races }, { winners: writes.length })
  expect(tally.offences).toEqual([])
  expect(tally.races).toBeGreaterThanOrEqual(races)
  expect(writes.length).toBe(tally.races)
})

import { describe, expect, test } from 'vitest'
import { openMysql } from '../../src/server/store/db/db.ts'
import { freshDatabase, startOwnMariadb } from '../support/mariadb.ts'
import { type KillRun, killUnderLoad } from '../support/promises/kill-run.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { isFull, sizeOf } from '../support/promises/sizes.ts'
import { countsWithoutErp, findOffencesWithoutErp } from '../support/promises/without-erp.ts'

const ACCEPTING_AGAIN_MS_MAX = 10_000
/** At each kind that no ERP hears of. */
const PEOPLE = 1

async function judge(run: KillRun, url: string): Promise<string[]> {
  const db = openMysql(url)
  const offences = [...(await findOffences(run, db)), ...(await findOffencesWithoutErp(run.answered, db))]
  await db.close()
  return offences
}

describe('P2: the same with MariaDB', () => {
  const panelSize = sizeOf('p02Panel')
  test(`${panelSize.kills} kills of the server: nothing lost, nothing doubled`, async () => {
    const url = await freshDatabase()
    const run = await killUnderLoad({
      env: { DATABASE_URL: url },
      kills: panelSize.kills,
      settledMin: panelSize.settled,
      withoutErp: PEOPLE,
      kill: async (panel) => {
        await panel.kill('SIGKILL')
        await panel.restart()
      },
    })
    const counts = { settled: run.settled.size, atErp: run.writes.length, ...countsWithoutErp(run.answered) }
    report('P2 server', { kills: panelSize.kills }, counts)
    expect(await judge(run, url)).toEqual([])
    expect(run.settled.size).toBeGreaterThanOrEqual(panelSize.settled)
  })

  const databaseSize = sizeOf('p02Database')
  test(`${databaseSize.kills} kills of the database in the middle of transactions`, async () => {
    const mariadb = await startOwnMariadb()
    const acceptingAfterMs: number[] = []
    const run = await killUnderLoad({
      env: { DATABASE_URL: mariadb.url },
      kills: databaseSize.kills,
      settledMin: databaseSize.settled,
      withoutErp: PEOPLE,
      kill: async (panel, settled) => {
        await mariadb.kill()
        await mariadb.restart()
        const answeringAt = performance.now()
        const before = settled.size
        while (settled.size === before) await new Promise((resolve) => setTimeout(resolve, 20))
        acceptingAfterMs.push(Math.round(performance.now() - answeringAt))
        expect((await fetch(`${panel.url}/ready`)).status).toBe(200)
      },
    })
    const slowestMs = Math.max(...acceptingAfterMs)
    const counts = { settled: run.settled.size, atErp: run.writes.length, ...countsWithoutErp(run.answered) }
    report('P2 database', { kills: databaseSize.kills }, { ...counts, acceptingAfterMsMax: slowestMs })
    expect(await judge(run, mariadb.url)).toEqual([])
    expect(run.settled.size).toBeGreaterThanOrEqual(databaseSize.settled)
    if (isFull) expect(slowestMs).toBeLessThanOrEqual(ACCEPTING_AGAIN_MS_MAX)
  })
})

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import type { Panel } from '../support/panel.ts'
import { type KillRun, killUnderLoad } from '../support/promises/kill-run.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf, smallOf } from '../support/promises/sizes.ts'

const { kills, settled } = sizeOf('p01')
const small = smallOf('p01')
const mistaken = { kills: small.kills, settledMin: small.settled }

async function killAndRestart(panel: Panel): Promise<void> {
  await panel.kill('SIGKILL')
  await panel.restart()
}

async function judge(run: KillRun): Promise<string[]> {
  const file = join(run.panel.dataDir, 'painel.sqlite')
  const raw = new Sqlite(file, { readonly: true })
  const integrity = raw.pragma('integrity_check', { simple: true })
  raw.close()
  const db = openSqlite(withOurTransactions(openSqliteFile(file)))
  const offences = await findOffences(run, db)
  await db.close()
  return integrity === 'ok' ? offences : [...offences, `integrity_check: ${integrity}`]
}

describe('P1: the server is killed at random while recording, on SQLite', () => {
  test(`${kills} kills: nothing lost, nothing doubled, counters right`, async () => {
    const run = await killUnderLoad({ kills, settledMin: settled, kill: killAndRestart })
    report('P1', { kills }, { settled: run.settled.size, atErp: run.writes.length })
    expect(await judge(run)).toEqual([])
    expect(run.settled.size).toBeGreaterThanOrEqual(settled)
  })

  test('it notices when what was answered is committed later', async () => {
    const run = await killUnderLoad({ ...mistaken, mistake: 'late-commits', kill: killAndRestart })
    expect(await judge(run)).toContainEqual(expect.stringMatching(/not at the ERP|unknown here/))
  })

  test('it notices when a sending is not noted before it begins', async () => {
    const run = await killUnderLoad({ ...mistaken, mistake: 'unnoted-sending', kill: killAndRestart })
    expect(await judge(run)).toContainEqual(expect.stringContaining('twice at the ERP'))
  })
})

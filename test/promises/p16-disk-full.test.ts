import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { type LivePanel, startLivePanel } from '../support/promises/live-panel.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'
import { recordingOf } from '../support/promises/workload.ts'

const { rounds } = sizeOf('p16')
const REFUSALS_PER_ROUND = 12
const SAVED_PER_ROUND = 12
const TRIES_MAX = 2000

/** Brings the trouble on, and returns what ends it. */
type Trouble = (live: LivePanel) => Promise<() => Promise<void>>

const random = randomFor(SEED, 'disk')
const databaseFile = ({ panel }: LivePanel) => join(panel.dataDir, 'painel.sqlite')

/** No file of the server may grow beyond a size that its journal has already: writes fail as on a full disk. */
const fullDisk: Trouble = async (live) => {
  const limit = (size: string) => execFileSync('prlimit', [`--pid=${live.panel.pid()}`, `--fsize=${size}:unlimited`])
  limit(String(random.between(0, statSync(`${databaseFile(live)}-wal`).size)))
  return async () => {
    limit('unlimited')
  }
}

const hasStrace = (() => {
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=none', 'true'])
    return true
  } catch {
    return false
  }
})()

/** What was written cannot be brought to the disk: every sync fails. */
const failingSync: Trouble = async ({ panel }) => {
  const syncs = 'fsync,fdatasync'
  const tracer: ChildProcess = spawn(
    'strace',
    ['-f', '-p', String(panel.pid()), '-e', `trace=${syncs}`, '-e', `inject=${syncs}:error=EIO`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // it says so when it is attached
  await once(tracer.stderr as NodeJS.ReadableStream, 'data')
  tracer.stderr?.resume()
  return async () => {
    const gone = once(tracer, 'exit')
    tracer.kill('SIGINT')
    await gone
  }
}

async function troubleAndBack(trouble: Trouble) {
  const live = await startLivePanel({ piecesMin: 10_000 })
  const settled = new Map<string, CutCrimpRecording>()
  const refused = new Map<string, CutCrimpRecording>()
  const record = async (id: string, payload: CutCrimpRecording): Promise<void> => {
    const answer = await live.record(id, payload)
    if (answer === null) throw new Error(`no answer:\n${live.panel.logs()}`)
    if (answer.status === 201 || answer.status === 202) return void settled.set(id, payload)
    const { code } = JSON.parse(answer.text) as ErrorReply
    expect(`${answer.status} ${code}`, `${answer.text}\n${live.panel.logs().slice(-2000)}`).toBe(
      '503 store_unavailable',
    )
    refused.set(id, payload)
  }
  const recordUntil = async (isDone: () => boolean) => {
    for (let tries = 0; !isDone(); tries++) {
      if (tries === TRIES_MAX) throw new Error('the trouble did not show')
      await record(randomUUID(), recordingOf(random.pick(live.sections), 1))
    }
  }
  for (let round = 0; round < rounds; round++) {
    const savedBefore = settled.size
    await recordUntil(() => settled.size >= savedBefore + SAVED_PER_ROUND)
    const end = await trouble(live)
    const refusedBefore = refused.size
    await recordUntil(() => refused.size >= refusedBefore + REFUSALS_PER_ROUND)
    await end()
    // without any repair: what was refused is now taken, under the same ids
    const again = [...refused]
    for (const [id, payload] of again) if (!settled.has(id)) await record(id, payload)
    expect([...refused.keys()].filter((id) => !settled.has(id))).toEqual([])
  }
  await live.finish()
  const raw = new Sqlite(databaseFile(live), { readonly: true })
  expect(raw.pragma('integrity_check', { simple: true })).toBe('ok')
  raw.close()
  const db = openSqlite(withOurTransactions(openSqliteFile(databaseFile(live))))
  const { writes } = live.simulator.state
  expect(await findOffences({ settled, writes }, db)).toEqual([])
  await db.close()
  return { settled: settled.size, refused: refused.size, atErp: writes.length }
}

describe('P16: the disk fails', () => {
  test(`full, ${rounds} times: refused in words, nothing falsely saved, well again by itself`, async () => {
    const figures = await troubleAndBack(fullDisk)
    report('P16 full', { rounds }, figures)
    expect(figures.refused).toBeGreaterThanOrEqual(rounds * REFUSALS_PER_ROUND)
  })

  test(`EIO on sync, ${rounds} times, by strace`, async () => {
    if (!hasStrace) {
      report('P16 EIO', { rounds }, { 'not shown': 'strace is not to be had here' })
      expect(isFull, 'the full size needs strace').toBe(false)
      return
    }
    const figures = await troubleAndBack(failingSync)
    report('P16 EIO', { rounds }, figures)
    expect(figures.refused).toBeGreaterThanOrEqual(rounds * REFUSALS_PER_ROUND)
  })
})

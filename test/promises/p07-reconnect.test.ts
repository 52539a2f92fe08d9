import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { naturalKey } from '../../src/domain/acts/recordings.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { type LivePanel, startLivePanel } from '../support/promises/live-panel.ts'
import { findOffences, type Seen } from '../support/promises/offences.ts'
import { p95, report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'
import { type Outcome, recordAlone, startTcpProxy } from '../support/promises/tcp-proxy.ts'
import { recordingOf, type Section, searchPath } from '../support/promises/workload.ts'

const { tablets, recordings } = sizeOf('p07')
const SECTIONS_OF_TABLET = 12
/** What the tablets have not used up is for the operator beside them. */
const SECTIONS_OF_OPERATOR = 30

/**
 * Interactive is what an operator waits for and only the panel answers: the header's indicators, Pendências, the
 * applicators of a terminal, and a recording until it is committed, from where on the ERP's turn is all that is
 * waited for. A search and the answer to a recording wait up to 2.5 s for the ERP, which the tablets keep busy at its
 * own pace: no panel can hurry it, so that they have P11's limit instead.
 */
const LOCAL_P95_MS_MAX = 1000
const SCREEN_MS_MAX = 3000

type Offline = { id: string; key: string; payload: CutCrimpRecording }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What one tablet has recorded while it had no network: often the same section again. */
function recordOffline(sections: Section[], random: ReturnType<typeof randomFor>): Offline[] {
  const own = Array.from({ length: SECTIONS_OF_TABLET }, () => random.pick(sections))
  return Array.from({ length: recordings }, () => {
    const section = random.pick(own.filter(({ open }) => open > 0))
    section.open--
    const { item, part } = section
    const registradoEm = new Date().toISOString()
    const payload = { ...recordingOf(section, 1), captura: { registradoEm, salvoNoDispositivo: true } }
    return { id: randomUUID(), key: naturalKey(item.Z1_FILIAL, item.Z1_CODBAR, part), payload }
  })
}

/** As the tablet's sender: one after another, what got no answer holds up its own lane, then again after a while. */
async function deliverAll(port: number, token: string, queue: readonly Offline[]): Promise<number[]> {
  const statuses: number[] = []
  let waiting = [...queue]
  for (let failures = 0; waiting.length > 0; failures++) {
    if (failures > 0) await pause(Math.min(60_000, 2000 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2))
    const unanswered: Offline[] = []
    for (const recording of waiting) {
      const isBlocked = unanswered.some(({ key }) => key === recording.key)
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': recording.id }
      const status = isBlocked ? null : await recordAlone(port, headers, JSON.stringify(recording.payload))
      if (status === null || status >= 500) unanswered.push(recording)
      else statuses.push(status)
    }
    waiting = unanswered
  }
  return statuses
}

/** Looks, searches and records until the tablets are done. */
async function workBeside(live: LivePanel, sections: readonly Section[], isOver: () => boolean) {
  const sqlite = new Sqlite(join(live.panel.dataDir, 'painel.sqlite'), { readonly: true })
  const stored = sqlite.prepare('select 1 from recordings where id = ?')
  const settled = new Map<string, CutCrimpRecording>()
  const took = {
    localMs: [] as number[],
    committedMs: [] as number[],
    searchMs: [] as number[],
    answerMs: [] as number[],
  }
  const since = (startedMs: number) => performance.now() - startedMs
  const get = async (path: string, into: number[]) => {
    const startedMs = performance.now()
    const answer = await fetch(live.panel.url + path, { headers: { authorization: `Bearer ${live.token}` } })
    await answer.text()
    into.push(since(startedMs))
    expect(answer.status, path).toBe(200)
  }
  const record = async (section: Section) => {
    const id = randomUUID()
    const payload = recordingOf(section, 1)
    const startedMs = performance.now()
    let isAnswered = false
    const answering = live.record(id, payload).then((answer) => {
      took.answerMs.push(since(startedMs))
      isAnswered = true
      return answer
    })
    while (!isAnswered && !stored.get(id)) await pause(5)
    took.committedMs.push(since(startedMs))
    const answer = await answering
    expect([201, 202], answer?.text).toContain(answer?.status)
    settled.set(id, payload)
  }
  const look = async () => {
    const terminal = sections.find(({ part }) => part === 'l1')?.item.Z1_TERML1 ?? ''
    while (!isOver()) {
      for (const path of ['/api/status', '/api/pendencias', `/api/miniaplicadores/por-terminal/${terminal}`])
        await get(path, took.localMs)
      await pause(100)
    }
  }
  const produce = async () => {
    for (let turn = 0; !isOver(); turn++) {
      const section = sections[turn % sections.length] as Section
      await get(searchPath(section.item.Z1_CODBAR), took.searchMs)
      await record(section)
    }
  }
  await Promise.all([look(), produce()])
  sqlite.close()
  return { settled, took }
}

/** Per tablet and lane, in the order made; as the ERP stored them. */
function outOfOrder(queues: readonly (readonly Offline[])[], writes: Seen['writes']): string[] {
  const storedAt = new Map(writes.map(({ id }, at) => [id, at]))
  return queues.flatMap((queue) =>
    queue
      .filter(({ id, key }, at) => {
        const before = queue.slice(0, at).findLast((other) => other.key === key)
        return before && (storedAt.get(before.id) ?? 0) > (storedAt.get(id) ?? 0)
      })
      .map(({ id }) => `${id} overtook an earlier one of its lane`),
  )
}

async function judge(live: LivePanel, seen: Seen): Promise<string[]> {
  const db = openSqlite(withOurTransactions(openSqliteFile(join(live.panel.dataDir, 'painel.sqlite'))))
  onTestFinished(() => db.close())
  return findOffences(seen, db)
}

describe('P7: tablets come back at once', () => {
  test(`${tablets} tablets, ${recordings} recordings each: all once, and an operator beside them works on`, async () => {
    const random = randomFor(SEED, 'tablets')
    const live = await startLivePanel({ piecesMin: 4 * tablets * recordings, simulator: { profile: 'realistic' } })
    const { panel, simulator } = live
    const spare = live.sections.slice(-SECTIONS_OF_OPERATOR)
    const shared = live.sections.slice(0, -SECTIONS_OF_OPERATOR).map((section) => ({ ...section }))
    const queues = Array.from({ length: tablets }, () => recordOffline(shared, random))
    const tokens: string[] = []
    for (const _ of queues) tokens.push(await live.logIn())
    // the network that comes back is a bad one at first
    const fates: [Outcome, number][] = [
      ['pass', 85],
      ['swallow', 5],
      ['cut', 5],
      ['refuse', 5],
    ]
    const network = await startTcpProxy(
      () => Number(new URL(panel.url).port),
      () => random.weighted(fates),
    )
    let over = false
    const startedMs = performance.now()
    const deliveries = Promise.all(
      queues.map((queue, tablet) => deliverAll(network.port, tokens[tablet] as string, queue)),
    ).finally(() => {
      over = true
    })
    const [answers, beside] = await Promise.all([deliveries, workBeside(live, spare, () => over)])
    const answeredSeconds = Math.round((performance.now() - startedMs) / 1000)
    await live.untilNothingWaits()
    const deliveredSeconds = Math.round((performance.now() - startedMs) / 1000)
    await panel.kill('SIGTERM')

    const { localMs, committedMs, searchMs, answerMs } = beside.took
    const { swallow, cut, refuse } = network.counts
    const callsLost = swallow + cut + refuse
    const made = new Map(queues.flat().map(({ id, payload }) => [id, payload]))
    const seen = { settled: new Map([...made, ...beside.settled]), writes: simulator.state.writes }
    report(
      'P7',
      { tablets, recordings },
      {
        ...{ atErp: seen.writes.length, callsLost },
        ...{ answeredSeconds, deliveredSeconds },
        ...{ localP95Ms: p95(localMs), committedP95Ms: p95(committedMs) },
        ...{ searchP95Ms: p95(searchMs), answerP95Ms: p95(answerMs) },
      },
    )
    expect(answers.flat().filter((status) => status !== 201 && status !== 202)).toEqual([])
    expect(made.size).toBe(tablets * recordings)
    expect(beside.settled.size).toBeGreaterThan(0)
    expect(callsLost).toBeGreaterThan(0)
    expect(await judge(live, seen)).toEqual([])
    expect(outOfOrder(queues, seen.writes)).toEqual([])
    if (!isFull) return
    expect(Math.max(p95(localMs), p95(committedMs))).toBeLessThan(LOCAL_P95_MS_MAX)
    expect(Math.max(p95(searchMs), p95(answerMs))).toBeLessThan(SCREEN_MS_MAX)
  })
})

import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../deploy/galera/cluster.ts'
import type { Node } from '../../deploy/galera/nodes.ts'
import { randomFor } from '../../src/erp-simulator/random.ts'
import { openMysql } from '../../src/server/store/db.ts'
import { startPanel } from '../support/panel.ts'
import { startTestCluster } from '../support/promises/galera.ts'
import { type KillRun, killUnderLoad } from '../support/promises/kill-run.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'

const { kills, settled: settledMin } = sizeOf('p03')
const WRITE_GAP_MS_MAX = 15_000
const WRITER_CHANCE = 0.7

/** Watches operators see things saved. The function that it returns ends that, and says how long nobody did at most. */
function watchGap(settled: KillRun['settled']): () => number {
  let size = settled.size
  let sinceMs = performance.now()
  let longestMs = 0
  const look = () => {
    const nowMs = performance.now()
    longestMs = Math.max(longestMs, nowMs - sinceMs)
    if (settled.size === size) return
    size = settled.size
    sinceMs = nowMs
  }
  const watch = setInterval(look, 20)
  return () => {
    clearInterval(watch)
    look()
    return Math.round(longestMs)
  }
}

/** What each node holds, asked past HAProxy. */
async function judgeNodes(run: KillRun, nodes: readonly Node[]): Promise<string[]> {
  const offences: string[] = []
  for (const { name, url } of nodes) {
    const db = openMysql(`${url}/painel`)
    offences.push(...(await findOffences(run, db)).map((offence) => `${name}: ${offence}`))
    await db.close()
  }
  return offences
}

async function killNodes({ nodes, databaseUrl, entrance, panelPorts, findWriter }: Cluster) {
  const random = randomFor(SEED, 'nodes')
  const gapsMs: number[] = []
  let writersKilled = 0
  let writersRelieved = 0
  const run = await killUnderLoad({
    env: { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: '127.0.0.1' },
    kills,
    settledMin,
    beside: { port: panelPorts[0], entrance, start: (env) => startPanel({ env, port: panelPorts[1] }) },
    async kill(_panel, settled) {
      const writer = await findWriter()
      const others = nodes.filter((node) => node !== writer)
      const victim = gapsMs.length === 0 || random.chance(WRITER_CHANCE) ? writer : random.pick(others)
      const endWatch = watchGap(settled)
      await victim.kill()
      if (victim === writer) writersKilled++
      await victim.restart()
      const before = settled.size
      while (settled.size === before) await new Promise((resolve) => setTimeout(resolve, 20))
      gapsMs.push(endWatch())
      const now = await findWriter()
      // it comes back, and the other one goes on writing
      if (victim === writer) expect(now).not.toBe(writer)
      // who gives its state to one that comes back stands still: a writer that has to is relieved
      else if (now !== writer) writersRelieved++
    },
  })
  return { run, gapMsMax: Math.max(...gapsMs), writersKilled, writersRelieved }
}

describe('P3: three MariaDB nodes with Galera and two servers behind HAProxy', () => {
  test(`${kills} nodes killed under load: nothing lost, nothing doubled, on no node`, async () => {
    const cluster = await startTestCluster()
    const { run, ...tally } = await killNodes(cluster)
    report('P3', { kills }, { settled: run.settled.size, atErp: run.writes.length, ...tally })
    expect(await judgeNodes(run, cluster.nodes)).toEqual([])
    expect(run.settled.size).toBeGreaterThanOrEqual(settledMin)
    if (isFull) expect(tally.gapMsMax).toBeLessThanOrEqual(WRITE_GAP_MS_MAX)
  })
})

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect as connectPlain, createServer } from 'node:net'
import { join } from 'node:path'
import { connect, rootCertificates } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { Cluster } from '../../deploy/galera/cluster.ts'
import type { Node } from '../../deploy/galera/nodes.ts'
import { findOutage, openMysql } from '../../src/server/store/db/db.ts'
import { openMysqlRows } from '../../src/server/store/db/mysql-rows.ts'
import { temporaryFolder } from '../support/harness.ts'
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
  for (const { name, urlOf } of nodes) {
    const db = openMysql(urlOf('painel'))
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
    env: { DATABASE_URL: databaseUrl, TRUSTED_PROXIES: '127.0.0.1', DOCUMENTS_DIR: temporaryFolder() },
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

/** What hinders a panel with this address; null: nothing. */
async function hindranceOf(url: string): Promise<unknown> {
  const db = openMysql(url)
  const outage = await findOutage(db.read)
  await db.close()
  return outage
}

async function speaksTls(port: number, ca: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: '127.0.0.1', port, ca }, () => resolve(socket.authorized))
  socket.on('error', () => resolve(false))
  return await promise.finally(() => socket.destroy())
}

/** The address of a door to the database that shuts, once, where TLS should begin. */
async function behindBrokenDoor(url: string): Promise<string> {
  const address = new URL(url)
  const port = Number(address.port)
  let isBroken = true
  const door = createServer((client) => {
    const database = connectPlain(port, '127.0.0.1')
    for (const stream of [client, database]) stream.on('error', () => stream.destroy())
    database.pipe(client)
    if (isBroken) client.once('data', () => client.resetAndDestroy())
    else client.pipe(database)
    isBroken = false
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void door.close())
  await once(door, 'listening')
  address.port = String((door.address() as AddressInfo).port)
  return address.href
}

test('P3: what is said to a node, between nodes and while one copies from another is said by TLS', async () => {
  const { databaseUrl, nodes } = await startTestCluster()
  const caFile = new URL(databaseUrl).searchParams.get('ssl-ca') ?? ''
  const otherCa = join(temporaryFolder(), 'ca.pem')
  writeFileSync(otherCa, rootCertificates[0] ?? '')
  const unlucky = openMysql(await behindBrokenDoor(databaseUrl))
  expect(await unlucky.transaction((tx) => findOutage(tx))).toBeNull()
  await unlucky.close()
  const byName = new URL(databaseUrl)
  byName.hostname = 'localhost'
  // its certificate names the number only
  expect(await hindranceOf(byName.href)).toMatchObject({ code: 'HANDSHAKE_SSL_ERROR' })
  for (const url of [databaseUrl, ...nodes.map(({ urlOf }) => urlOf('painel'))]) {
    const address = new URL(url)
    expect(await hindranceOf(url)).toBeNull()
    const rows = openMysqlRows(url)
    expect(await rows.ask("show status like 'Ssl_cipher'")).toEqual([
      { Variable_name: 'Ssl_cipher', Value: expect.stringMatching(/./) },
    ])
    rows.close()
    address.searchParams.set('ssl-ca', otherCa)
    expect(await hindranceOf(address.href)).toMatchObject({ code: 'HANDSHAKE_SSL_ERROR' })
    address.search = ''
    expect(await hindranceOf(address.href)).toMatchObject({ code: 'ER_ACCESS_DENIED_ERROR' })
  }
  for (const { groupPort } of nodes) expect(await speaksTls(groupPort, readFileSync(caFile, 'utf8'))).toBe(true)
  const last = nodes.at(-1)
  if (!last) throw new Error('a cluster without nodes')
  expect(last.log()).toMatch(/Using stunnel for SSL encryption/)
  await last.kill()
  const db = openMysql(databaseUrl)
  await sql`create table missed (id int primary key)`.execute(db.read)
  await db.close()
  await last.restart()
  expect(last.log()).toMatch(/Receiving IST\.\.\. 100\.0%/)
  for (const { log } of nodes) expect(log()).not.toMatch(/tcp:\/\//)
})

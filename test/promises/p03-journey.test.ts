import { describe, expect as expectValue, onTestFinished, test } from 'vitest'
import { startErpSimulator } from '../../demo/simulator/simulator.ts'
import type { Cluster } from '../../deploy/galera/cluster.ts'
import { openPasswords } from '../../src/server/http/passwords.ts'
import { openMysql } from '../../src/server/store/db/db.ts'
import { insertUser } from '../../src/server/store/users.ts'
import { temporaryFolder } from '../support/harness.ts'
import { badge, fillCable, RECORD, registerPieces } from '../support/journeys/cable.ts'
import { expect } from '../support/journeys/journey.ts'
import { makeTablet, returnToItem } from '../support/journeys/tablet.ts'
import { startPanel } from '../support/panel.ts'
import { startTestCluster } from '../support/promises/galera.ts'
import { report } from '../support/promises/report.ts'
import { LONG } from '../support/slowness.ts'

const BEFORE = 2
const AFTER = 3
const POLL = { ...LONG, intervals: [500] }

/** Two servers behind the cluster's entrance, on one ERP that stores twice what it is sent twice. */
async function startPlant(cluster: Cluster) {
  const simulator = await startErpSimulator({ dedup: false })
  onTestFinished(() => simulator.close())
  const env = {
    ...{ ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', LOG_LEVEL: 'error' },
    ...{ DATABASE_URL: cluster.databaseUrl, TRUSTED_PROXIES: '127.0.0.1', DOCUMENTS_DIR: temporaryFolder() },
  }
  for (const port of cluster.panelPorts) {
    const panel = await startPanel({ env, port })
    onTestFinished(panel.stop)
  }
  const db = openMysql(cluster.databaseUrl)
  const user = { username: 'operador', fullName: 'Maria Souza', role: 'operador' as const, createdAt: Date.now() }
  // the journeys' log in types the name as the password, which no command takes
  const passwordHash = await openPasswords().hash(user.username)
  await db.transaction((tx) => insertUser(tx, { ...user, passwordHash }))
  await db.close()
  await expect.poll(async () => (await fetch(`${cluster.entrance}/ready`)).status, POLL).toBe(200)
  return simulator
}

async function piecesAt(url: string): Promise<number[]> {
  const db = openMysql(url)
  const rows = await db.read.selectFrom('recordings').select('pieces').where('state', '=', 'delivered').execute()
  await db.close()
  return rows.map(({ pieces }) => pieces).sort((a, b) => a - b)
}

describe('P3: an operator records in a browser while the node that writes dies', () => {
  test('what the screen had taken is at the ERP and on every node, once', async () => {
    const cluster = await startTestCluster()
    const simulator = await startPlant(cluster)
    const tablet = await makeTablet(cluster.entrance)
    onTestFinished(tablet.remove)
    const page = await tablet.open(false)
    await returnToItem(page, cluster.entrance)
    await fillCable(page)
    for (let pieces = 1; pieces <= BEFORE; pieces++) await registerPieces(page, pieces)

    const writer = await cluster.findWriter()
    let killing: Promise<void> | undefined
    await page.context().route(RECORD, async (route) => {
      // it is on its way already: the node dies before, in or after the commit
      const going = route.continue()
      killing ??= writer.kill()
      await Promise.all([going, killing])
    })
    const all = BEFORE + 1 + AFTER
    for (let pieces = BEFORE + 1; pieces <= all; pieces++) await registerPieces(page, pieces)
    expectValue(killing).toBeDefined()

    await expect(badge(page)).toBeHidden(LONG)
    const amounts = Array.from({ length: all }, (_, at) => at + 1)
    const atErp = () => simulator.state.writes.map(({ pieces }) => pieces).sort((a, b) => a - b)
    await expect.poll(atErp, POLL).toEqual(amounts)
    await writer.restart()
    expectValue(await cluster.findWriter()).not.toBe(writer)
    for (const { urlOf } of cluster.nodes) await expect.poll(() => piecesAt(urlOf('painel')), POLL).toEqual(amounts)
    report('P3 in Chromium', { recordings: all }, { nodes: cluster.nodes.length, killed: writer.name })
  })
})

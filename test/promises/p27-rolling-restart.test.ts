import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../deploy/galera/processes.ts'
import { openMysql } from '../../src/server/store/db/db.ts'
import { temporaryFolder } from '../support/harness.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { type PanelProcess, startPanel } from '../support/panel.ts'
import { killUnderLoad } from '../support/promises/kill-run.ts'
import type { LivePanel } from '../support/promises/live-panel.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { countsWithoutErp, findOffencesWithoutErp } from '../support/promises/without-erp.ts'
import { largeOrders, searchPath } from '../support/promises/workload.ts'

const { restarts } = sizeOf('p27')
const READERS = 3

/** What HAProxy does for a plant: each connection goes to the next server, or to the other when that one takes none. */
async function startEntrance(ports: readonly number[]): Promise<string> {
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => open.delete(client))
    const first = turn++
    const goTo = (tries: number) => {
      const upstream = connect(ports[(first + tries) % ports.length] ?? 0, '127.0.0.1')
      let isConnected = false
      upstream.once('connect', () => {
        isConnected = true
        client.pipe(upstream).pipe(client)
        client.once('close', () => upstream.destroy())
      })
      upstream.on('error', () => {
        if (!isConnected && tries + 1 < ports.length) goTo(tries + 1)
        else client.destroy()
      })
    }
    goTo(0)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of open) client.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The status of an answer, or what came instead, over a connection of its own: a browser repeats by itself on an old one. */
const outcomeOf = (address: string, token: string): Promise<number | string> =>
  new Promise((resolve) => {
    const call = get(address, { agent: false, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', (error) => resolve(error.message))
    })
    call.on('error', (error) => resolve(error.message))
  })

/** Screens that are opened while `work` goes on, and what went wrong on them. */
async function readDuring(address: string, token: string, work: Promise<unknown>, tally: { reads: number }) {
  const errors: string[] = []
  let over = false
  const paths = ['/api/status', searchPath(largeOrders[0] ?? '')]
  const read = async (at: number) => {
    for (let turn = at; !over; turn++) {
      const path = paths[turn % paths.length] ?? ''
      let outcome = await outcomeOf(address + path, token)
      // nothing came back: HAProxy asks the other server (deploy/galera/haproxy.cfg)
      if (typeof outcome === 'string') outcome = await outcomeOf(address + path, token)
      if (outcome !== 200) errors.push(`${path}: ${outcome}`)
      tally.reads++
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, (_, at) => read(at)))
  await work.finally(() => {
    over = true
  })
  await readers
  return errors
}

describe('P27: the servers of a plant are restarted one after the other', () => {
  test(`${restarts} restarts under load: nothing lost, nothing doubled, no error on a screen`, async () => {
    const url = await freshDatabase()
    const ports = [await freePort(), await freePort()] as const
    const entrance = await startEntrance(ports)
    const tally = { reads: 0, restarts: 0 }
    const errors: string[] = []
    let second: PanelProcess | undefined
    const restartOne = async (panel: PanelProcess) => {
      expect(await panel.kill('SIGTERM')).toBe(0)
      await panel.restart()
    }
    const kill = async (first: PanelProcess, _settled: unknown, { token }: LivePanel) => {
      const panel = tally.restarts++ % 2 === 0 ? first : second
      if (!panel) throw new Error('the second server is missing')
      errors.push(...(await readDuring(entrance, token, restartOne(panel), tally)))
    }
    const run = await killUnderLoad({
      env: { DATABASE_URL: url, DOCUMENTS_DIR: temporaryFolder() },
      kills: restarts,
      settledMin: restarts * 20,
      withoutErp: 1,
      beside: {
        ...{ port: ports[0], entrance },
        start: async (env) => {
          second = await startPanel({ env, port: ports[1] })
          return second
        },
      },
      kill,
    })
    const counts = { settled: run.settled.size, atErp: run.writes.length, ...countsWithoutErp(run.answered) }
    report('P27', { restarts }, { ...counts, reads: tally.reads })
    expect(errors).toEqual([])
    const db = openMysql(url)
    expect(await findOffences(run, db)).toEqual([])
    expect(await findOffencesWithoutErp(run.answered, db)).toEqual([])
    await db.close()
    expect(tally.reads).toBeGreaterThan(restarts)
  })
})

import { describe, expect, test } from 'vitest'
import type { ErrorReply } from '../../src/contract/errors.ts'
import type { Status } from '../../src/contract/settings.ts'
import { openMysql } from '../../src/server/store/db/db.ts'
import { freshDatabase } from '../support/mariadb.ts'
import { type LoadedPanel, openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { sizeOf } from '../support/promises/sizes.ts'
import { startTcpProxy } from '../support/promises/tcp-proxy.ts'
import { recordingOf, type Section, searchPath } from '../support/promises/workload.ts'

const { outages } = sizeOf('p24')
const AWAY_MS = 30 * 60_000

/** Every kind of call that a tablet makes by itself or for its operator. */
const callsOf = ({ ask, record, token, sections }: LoadedPanel) => [
  () => ask(token, { method: 'POST', url: '/api/auth/validate' }),
  () => ask(token, { method: 'POST', url: '/api/auth/refresh' }),
  () => ask(token, { method: 'GET', url: searchPath('01621401001') }),
  () => record(token, recordingOf(sections[0] as Section, 1)),
]

describe('P24: the database is away for half an hour', () => {
  test(`${outages} outages: nobody is logged out, each call says why, and it works again`, async () => {
    let away = false
    const target = new URL(await freshDatabase())
    const { port, cutAll } = await startTcpProxy(
      () => Number(target.port),
      () => (away ? 'refuse' : 'pass'),
    )
    const address = new URL(target)
    address.port = String(port)
    const db = openMysql(address.href)
    const panel = await openLoadedPanel({ db })
    const statusOf = async () => (await panel.app.inject('/api/status')).json() as Status
    const refusals: string[] = []
    for (let outage = 0; outage < outages; outage++) {
      away = true
      cutAll()
      for (const call of callsOf(panel)) {
        const answer = await call()
        refusals.push(`${answer.statusCode} ${(answer.json() as ErrorReply).code}`)
      }
      panel.clock.advance(AWAY_MS)
      expect((await statusOf()).database).toBe('offline')
      expect((await panel.app.inject('/ready')).statusCode).toBe(503)

      away = false
      expect((await statusOf()).database).toBe('mysql')
      const validated = await panel.ask(panel.token, { method: 'POST', url: '/api/auth/validate' })
      expect(validated.statusCode).toBe(200)
      const recorded = await panel.record(panel.token, recordingOf(panel.sections[outage] as Section, 1))
      expect(recorded.statusCode).toBe(201)
    }
    await untilNothingWaits(panel)
    report('P24', { outages }, { refusedCalls: refusals.length, recorded: panel.simulator.state.writes.length })
    expect(new Set(refusals)).toEqual(new Set(['503 store_unavailable']))
    expect(refusals).toHaveLength(4 * outages)
    expect(panel.simulator.state.writes).toHaveLength(outages)
    await db.close()
  })
})

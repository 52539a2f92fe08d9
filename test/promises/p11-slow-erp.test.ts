import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import { openLoadedPanel } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { isFull, SEED, sizeOf } from '../support/promises/sizes.ts'
import { recordingOf, searchPath } from '../support/promises/workload.ts'

const { recordings } = sizeOf('p11')
const TABLETS = 8
/** As in a plant. */
const ANSWER_WAIT_MS = 2500
const SCREEN_MS_MAX = 3000
const OPEN_CALLS_MAX = 2
const SEARCHED = '01622001001'

describe('P11: the ERP is slow, half of its answers take over 8 s, one in a hundred 60 s', () => {
  test(`${recordings} recordings of ${TABLETS} tablets: each answered, never more than two calls open`, async () => {
    const random = randomFor(SEED, 'slowness')
    const panel = await openLoadedPanel({
      answerWait: () => AbortSignal.timeout(ANSWER_WAIT_MS),
    })
    const { simulator, context } = panel
    await simulator.state.setFaults([
      { id: 'F01', ms: 8000, count: null },
      { id: 'F01', ms: 52_000, count: null, chance: 0.01 },
    ])
    context.outbox.start()
    const tookMs: number[] = []
    const statuses: number[] = []
    for (let wave = 0; wave < recordings / TABLETS; wave++) {
      const answers = Array.from({ length: TABLETS }, async () => {
        const startedMs = performance.now()
        const { statusCode } = await panel.record(panel.token, recordingOf(random.pick(panel.sections), 1))
        tookMs.push(performance.now() - startedMs)
        statuses.push(statusCode)
      })
      await Promise.all(answers)
    }
    const searchedAtMs = performance.now()
    const search = await panel.ask(panel.token, { method: 'GET', url: searchPath(SEARCHED) })
    const searchMs = Math.round(performance.now() - searchedAtMs)
    const slowestMs = Math.round(Math.max(...tookMs))
    const { openCallsMax } = simulator.state
    report('P11', { recordings }, { slowestAnswerMs: slowestMs, searchMs, openCallsMax })
    expect(statuses).toEqual(Array.from({ length: statuses.length }, () => 202))
    expect(statuses.length).toBeGreaterThanOrEqual(recordings)
    expect(openCallsMax).toBe(OPEN_CALLS_MAX)
    expect(search.statusCode).toBe(200)
    if (isFull) expect(Math.max(slowestMs, searchMs)).toBeLessThanOrEqual(SCREEN_MS_MAX)
    // what is still open ends before the database does
    await simulator.close()
    await context.outbox.stop(10_000)
  })
})

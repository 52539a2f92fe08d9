import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { randomFor } from '../../demo/simulator/random.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { databases } from '../support/harness.ts'
import { openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { findOffences } from '../support/promises/offences.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf } from '../support/promises/sizes.ts'
import { inLanes, recordingOf } from '../support/promises/workload.ts'

const { fires } = sizeOf('p15')
const GAP_MS_MAX = 500
const LANES = 16

describe('P15: what is fired twice is done once', () => {
  test.each(databases)(`${fires} double fires of one id on %s`, async (database) => {
    const random = randomFor(SEED, 'fires')
    const panel = await openLoadedPanel({ database, piecesMin: 4 * fires })
    // the second tab has a session of its own
    const { token: secondTab } = await panel.login('operador')
    const half = Math.floor(panel.sections.length / 2)
    const wholeSections = panel.sections.slice(half)
    const piecewise = panel.sections.slice(0, half)
    const settled = new Map<string, CutCrimpRecording>()
    const different: string[] = []
    const fireTwice = async (): Promise<void> => {
      const id = randomUUID()
      // all that is left: whatever the first has taken, the second must not be told that it is gone
      const whole = random.chance(0.5) ? wholeSections.pop() : undefined
      const payload = whole ? recordingOf(whole, whole.open) : recordingOf(random.pick(piecewise), 1)
      const gapMs = random.chance(0.3) ? 0 : random.between(1, GAP_MS_MAX)
      const first = panel.record(panel.token, payload, id)
      if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs))
      const second = panel.record(random.chance(0.5) ? secondTab : panel.token, payload, id)
      const statuses = [await first, await second].map(({ statusCode }) => statusCode)
      if (statuses.every((status) => status < 300)) settled.set(id, payload)
      // no piece of this section was left: another act takes its place
      else if (statuses.every((status) => status === 409)) await fireTwice()
      else different.push(statuses.join(' and '))
    }
    await inLanes(Array.from({ length: fires }), LANES, fireTwice)
    await untilNothingWaits(panel)
    const { writes } = panel.simulator.state
    report(`P15 ${database}`, { fires }, { settled: settled.size, atErp: writes.length })
    expect(different).toEqual([])
    expect(settled.size).toBe(fires)
    expect(await findOffences({ settled, writes }, panel.db)).toEqual([])
  })
})

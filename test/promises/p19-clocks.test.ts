import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testClock } from '../support/harness.ts'
import { type LoadedPanel, openLoadedPanel, untilNothingWaits } from '../support/promises/loaded-panel.ts'
import { report } from '../support/promises/report.ts'
import { recordingOf, type Section } from '../support/promises/workload.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const isLoggedIn = async ({ ask, token }: LoadedPanel) =>
  (await ask(token, { method: 'POST', url: '/api/auth/validate' })).statusCode === 200

/** Records one piece, as pressed at that instant, and says which day of the plant it counts to. */
async function dayOf(panel: LoadedPanel, pressedAt: number | null): Promise<string> {
  const id = randomUUID()
  const captura = pressedAt === null ? {} : { captura: { registradoEm: new Date(pressedAt).toISOString() } }
  const answer = await panel.record(panel.token, { ...recordingOf(panel.sections[0] as Section, 1), ...captura }, id)
  expect(answer.statusCode).toBe(201)
  const { day } = await panel.db.read
    .selectFrom('recordings')
    .select('production_day as day')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return day
}

/** Written down by hand: the instant in UTC and the calendar day at the plant. */
const instants = [
  ['America/Sao_Paulo', '2026-11-22T02:59:59.999Z', '2026-11-21', 'the last millisecond of a day'],
  ['America/Sao_Paulo', '2026-11-22T03:00:00.000Z', '2026-11-22', 'midnight'],
  ['America/Sao_Paulo', '2027-01-01T02:30:00.000Z', '2026-12-31', 'an old year'],
  // summer time began at midnight: 00:00 was 01:00
  ['America/Sao_Paulo', '2018-11-04T02:59:59.000Z', '2018-11-03', 'before a day without a midnight'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00.000Z', '2018-11-04', 'a day without a midnight'],
  // summer time ended at midnight: 23:00 to 24:00 came twice
  ['America/Sao_Paulo', '2019-02-17T01:30:00.000Z', '2019-02-16', 'an hour that comes twice, first'],
  ['America/Sao_Paulo', '2019-02-17T02:30:00.000Z', '2019-02-16', 'an hour that comes twice, again'],
  ['America/Sao_Paulo', '2019-02-17T03:00:00.000Z', '2019-02-17', 'after an hour that came twice'],
  ['America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08', 'the hour before a jump'],
  ['America/New_York', '2026-11-01T04:30:00.000Z', '2026-11-01', 'summer time ends today'],
  ['America/New_York', '2026-11-02T04:30:00.000Z', '2026-11-01', 'winter time since yesterday'],
] as const

describe('P19: clocks are wrong, days begin and summer time ends', () => {
  test.each(instants)('%s %s is %s: %s', async (timeZone, instant, day) => {
    const panel = await openLoadedPanel({ clock: testClock(Date.parse(instant)), env: { TIME_ZONE: timeZone } })
    expect(await dayOf(panel, null)).toBe(day)
    expect(await dayOf(panel, Date.parse(instant))).toBe(day)
  })

  test('a tablet two days ahead counts to today, one that was offline to the day it was pressed', async () => {
    const panel = await openLoadedPanel({})
    const now = panel.clock.now()
    expect(await dayOf(panel, now + 48 * HOUR_MS)).toBe('2026-11-21')
    expect(await dayOf(panel, now - 48 * HOUR_MS)).toBe('2026-11-19')
    expect(await isLoggedIn(panel)).toBe(true)
  })

  test("the server's clock is set back and forth by five minutes: nobody is logged out, nothing stands still", async () => {
    const panel = await openLoadedPanel({})
    const steps = [-5, 5, 5, -5, -5, 10, -10].map((minutes) => minutes * MINUTE_MS)
    let loggedOut = 0
    for (const step of steps) {
      panel.clock.advance(step)
      if (!(await isLoggedIn(panel))) loggedOut++
      const refreshed = await panel.ask(panel.token, { method: 'POST', url: '/api/auth/refresh' })
      if (refreshed.statusCode !== 200) loggedOut++
      expect(await dayOf(panel, null)).toBe('2026-11-21')
    }
    // a lost answer and a clock that goes back before the ERP says what became of it
    await panel.simulator.state.setFaults([
      { id: 'F06', variant: 'reset' },
      { id: 'F11', operation: 'integracoes' },
    ])
    const answer = await panel.record(panel.token, recordingOf(panel.sections[1] as Section, 1))
    panel.clock.advance(-5 * MINUTE_MS)
    await untilNothingWaits(panel)
    report('P19', { steps: steps.length }, { loggedOut, recorded: panel.simulator.state.writes.length })
    expect(answer.statusCode).toBe(202)
    expect(loggedOut).toBe(0)
    expect(panel.simulator.state.writes).toHaveLength(steps.length + 1)
  })
})

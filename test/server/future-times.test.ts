import { describe, expect, test } from 'vitest'
import { ensureUnit } from '../../src/server/store/applicators.ts'
import { listPlans } from '../../src/server/store/control-plans.ts'
import { insertRun, insertTask, listLastRuns } from '../../src/server/store/maintenance-tasks.ts'
import { openFutureWatch } from '../../src/server/upkeep/clock.ts'
import { databases } from '../support/harness.ts'
import { planOf, setUpMeasuring } from '../support/measuring.ts'

const DAY_MS = 86_400_000
const MONTH_MS = 30 * DAY_MS

describe.each(databases)('a minute in which the clock was thirty days ahead, on %s,', (database) => {
  const setUp = async () => {
    const panel = await setUpMeasuring({ database })
    const clock = { now: panel.clock.now, follow: async () => {}, apartMs: () => 0 }
    const look = openFutureWatch(panel.context, clock, panel.clock.elapsedMs)
    return { ...panel, look, login: async () => (await panel.login('operador')).token }
  }

  test('leaves no sample that is the newest one for thirty days, and the sample says what its author said', async () => {
    const { plan, clock, login, measure, heights, contextOf, rows, look } = await setUp()
    await plan()
    clock.set(MONTH_MS)
    const saidAt = clock.now()
    expect(await measure(heights(1300, 1300, 1300), undefined, await login())).toMatchObject({ http: 201 })
    clock.set(-MONTH_MS)
    await look()
    clock.advance(60_000)
    const token = await login()
    expect(await measure(heights(1100, 1100, 1100), undefined, token)).toMatchObject({ http: 201 })
    const { ultimas } = await contextOf(token)
    expect(ultimas.map(({ veredito }) => veredito)).toEqual(['dentro'])
    const [first] = await rows()
    expect([first?.measured_at, first?.received_at]).toEqual([saidAt, clock.now() - 60_000])
  })

  test('hides no later run of a task, and no work after it asks for a sample of after the maintenance', async () => {
    const { db, clock, look } = await setUp()
    await db.transaction((tx) => ensureUnit(tx, { name: 'MA-0001', at: 1 }))
    const run = (doneDay: string) =>
      db.transaction((tx) =>
        insertRun(
          tx,
          { taskId: 1, unitKey: 'ma-0001', lifetimeAt: 0, doneDay, note: doneDay, historyId: null },
          { userId: 1, name: 'Ana', at: clock.now() },
        ),
      )
    await db.transaction((tx) =>
      insertTask(tx, { miniaplicator: null, name: 'Limpeza', everyCrimps: null, everyDays: 7, active: true }),
    )
    clock.set(MONTH_MS)
    await run('2026-12-21')
    clock.set(-MONTH_MS)
    await look()
    expect((await listLastRuns(db.read)).map(({ doneDay }) => doneDay)).toEqual(['2026-11-21'])
    const { maintained_at: at } = await db.read
      .selectFrom('applicator_units')
      .select('maintained_at')
      .where('name_key', '=', 'ma-0001')
      .executeTakeFirstOrThrow()
    expect(at).toBe(clock.now())
    clock.advance(2 * DAY_MS)
    await run('2026-11-23')
    clock.advance(2 * MONTH_MS)
    expect(
      (await listLastRuns(db.read)).map(({ doneDay }) => doneDay),
      'also when that day has passed',
    ).toEqual(['2026-11-23'])
    const said = await db.read.selectFrom('task_runs').select('done_day').orderBy('id').execute()
    expect(said.map(({ done_day: day }) => day)).toEqual(['2026-12-21', '2026-11-23'])
  })

  test('puts off no version of a plan that was to hold at once; one that somebody planned begins on its day', async () => {
    const { db, clock, plan, look } = await setUp()
    const planned = Date.UTC(2026, 11, 24, 3)
    await plan(planOf(), clock.now() + MONTH_MS)
    await plan(planOf({ terminal: 'T0925590' }), planned)
    await look()
    const begun = await listPlans(db.read, {})
    expect(begun.map(({ plan: { terminal }, from }) => [terminal, from])).toEqual([
      ['T0925590', planned],
      ['T1326030', clock.now()],
    ])
  })
})

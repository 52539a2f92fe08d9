import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Fault } from '../../demo/simulator/faults.ts'
import { randomFor } from '../../demo/simulator/random.ts'
import type { CutItem } from '../../src/contract/items.ts'
import { startChores } from '../../src/server/panel.ts'
import { openSqlite, openSqliteFile, withOurTransactions } from '../../src/server/store/db/db.ts'
import { openFutureWatch } from '../../src/server/upkeep/clock.ts'
import {
  addUser,
  type Clock,
  cutOf,
  measurementOf,
  NOON_MS,
  ORDER,
  openTestPanel,
  type TestPanel,
  temporaryFolder,
  testClock,
} from '../support/harness.ts'
import { QueueTablet } from '../support/promises/queue-tablet.ts'
import { lookAmongRecordingsAlone } from '../support/promises/receipts-mistake.ts'
import { report } from '../support/promises/report.ts'
import { SEED, sizeOf, smallOf } from '../support/promises/sizes.ts'
import { kindsWithoutErp, listStoredWithoutErp } from '../support/promises/without-erp.ts'
import { recordingOf, searchPath, sectionsOf } from '../support/promises/workload.ts'
import { SOON } from '../support/slowness.ts'

const { steps, seeds } = sizeOf('p32')
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const FAR_MS = 400 * DAY_MS
const LATE_MS = 15 * MINUTE_MS
const ROUND_MS = 15_000
/** As many as an act and its delivery take. */
const STATEMENTS = 80

const stepsMs = [5 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS, FAR_MS].flatMap((ms) => [ms, -ms])
/** The ERP stores later than it is waited for. */
const late: Fault[] = [{ id: 'F08', operation: 'apontamentos', ms: 45_000 }]
/** Or it stores and says nothing, does nothing and says nothing, is away, or is well. */
const erpStates: Fault[][] = [
  late,
  [{ id: 'F06', variant: 'reset', operation: 'apontamentos' }],
  [{ id: 'F05', operation: 'apontamentos' }],
  [{ id: 'F31', variant: 'refused', count: null }],
  [],
]

/** A deliberate mistake: what counts the time that has passed is set together with the clock on the wall. */
const onWallAlone = (clock: Clock): Clock => ({ ...clock, elapsedMs: clock.now })

/** Somebody sets the clock before the n-th statement from now. */
function openSteppingSqlite() {
  const connection = withOurTransactions(openSqliteFile(join(temporaryFolder(), 'painel.sqlite')))
  let left = Number.POSITIVE_INFINITY
  let strike = (): void => undefined
  const before = <T>(execute: () => T): T => {
    if (--left <= 0) spare()
    return execute()
  }
  const spare = () => {
    left = Number.POSITIVE_INFINITY
    strike()
    strike = () => undefined
  }
  const prepare = (text: string) => {
    const statement = connection.prepare(text)
    return {
      reader: statement.reader,
      all: (parameters: unknown[]) => before(() => statement.all(parameters)),
      run: (parameters: unknown[]) => before(() => statement.run(parameters)),
    }
  }
  const database = { prepare, close: () => connection.close() } as unknown as Pick<Sqlite.Database, 'prepare' | 'close'>
  const db = openSqlite(database)
  onTestFinished(() => db.close())
  const strikeBefore = (statement: number, does: () => void) => {
    left = statement
    strike = does
  }
  return { db, strikeBefore, strikeNow: spare }
}

async function stepThrough(
  count: number,
  seed: number,
  erp = erpStates,
  bend = (clock: Clock) => clock,
  makeMistake = async (_: TestPanel) => {},
) {
  const random = randomFor(SEED, 'p32', `${seed}`)
  const right = testClock()
  const { db, strikeBefore, strikeNow } = openSteppingSqlite()
  const panel = await openTestPanel({
    db,
    clock: bend(right),
    // the clock of the ERP is right all the time
    simulator: { dedup: false, now: () => NOON_MS + right.elapsedMs() },
    answerWait: () => AbortSignal.timeout(20),
  })
  await makeMistake(panel)
  const { context, simulator, clock } = panel
  await addUser(context, { username: 'operador' })
  const found = await panel.ask((await panel.login('operador')).token, { url: searchPath(ORDER) })
  const sections = sectionsOf(found.json<{ items: CutItem[] }>().items)
  const tablet = new QueueTablet('operador', false)
  const look = openFutureWatch(context, { now: clock.now, follow: async () => {}, apartMs: () => 0 }, clock.elapsedMs)
  await look()
  const waiting = () => db.read.selectFrom('recordings').select('id').where('state', '=', 'waiting').execute()
  const isOver = async () => tablet.isDone && (await waiting()).length === 0
  const work = async (rounds: number, isEnough: () => Promise<boolean>) => {
    for (let round = 0; round < rounds && !(await isEnough()); round++) {
      clock.advance(ROUND_MS)
      if (round % 4 === 0) await look()
      if (!tablet.isDone) await tablet.send(panel)
      await context.outbox.deliverDue()
    }
  }
  let overdue = 0
  for (let at = 0; at < count; at++) {
    const step = random.pick(stepsMs)
    await simulator.state.setFaults(random.pick(erp))
    strikeBefore(random.between(1, STATEMENTS), () => clock.set(step))
    tablet.freeze(recordingOf(random.pick(sections), 1))
    // with an act of another kind each third time: most steps are to fall into a delivery
    const kind = at % 3 === 0 ? kindsWithoutErp[(at / 3) % kindsWithoutErp.length] : undefined
    if (kind) tablet.freezeWithoutErp(kind.path, kind.bodyOf(`${at}`))
    await tablet.send(panel)
    if (kind) tablet.reload()
    await context.outbox.deliverDue()
    strikeNow()
    await work(2, async () => false)
    clock.set(-step)
    await look()
    await simulator.state.setFaults([])
    await work(LATE_MS / ROUND_MS, isOver)
    if (!(await isOver())) overdue++
  }
  // what is left to a person is said as an error
  panel.errors.splice(0)
  const toPerson = await db.read.selectFrom('recordings').select('id').where('state', '=', 'uncertain').execute()
  const times = Map.groupBy(simulator.state.writes, ({ id }) => id)
  const stored = await listStoredWithoutErp(db)
  const lost =
    tablet.acts.filter((id) => !times.has(id)).length -
    toPerson.length +
    tablet.actsWithoutErp.filter((id) => !stored.has(id)).length
  // that something is missing here is a lie of whoever says so
  const doubts = (await db.read.selectFrom('epoch_witnesses').select('kind').execute()).length
  return { overdue, lost, doubled: [...times.values()].filter(({ length }) => length > 1).length, doubts }
}

/** What stays, and would not if the clock were right: a name, a session, a count of wrong passwords, a line of the log. */
async function readSaved({ db }: TestPanel) {
  const named = await db.read.selectFrom('recordings').select('id').where('operator', '=', 'Maria Souza').execute()
  const today = db.read
    .selectFrom('sessions')
    .select('id')
    .where('expires_at', '<', NOON_MS + DAY_MS)
  const counts = await db.read.selectFrom('login_throttles').select('name').where('name', '=', 'user:x').execute()
  const lines = await db.read.selectFrom('log_entries').select('id').execute()
  return {
    names: named.length,
    sessions: (await today.execute()).length,
    counts: counts.length,
    hasLog: lines.length > 0,
  }
}

/** That the clock is wrong is an alarm, and said as an error. */
const expectAlarms = ({ errors }: TestPanel) =>
  onTestFinished(() => {
    for (const line of errors.splice(0)) if (JSON.parse(line).alarm !== 'clock') errors.push(line)
  })

/** An hour at 400 days ahead: people log in and work, and the server is started again. */
async function standAhead(bend = (clock: Clock) => clock) {
  const clock = bend(testClock(NOON_MS - 350 * DAY_MS))
  const env = { OPERATOR_RETENTION_MONTHS: '24', LOG_LEVEL: 'info' }
  const panel = await openTestPanel({ clock, env })
  expectAlarms(panel)
  const { db, context } = panel
  await addUser(context, { username: 'operador' })
  await db.transaction((tx) => tx.updateTable('users').set({ created_at: clock.now() }).execute())
  const record = async () => {
    const { token } = await panel.login('operador')
    await panel.ask(token, { url: searchPath(ORDER) })
    expect((await panel.record(token, cutOf(1))).statusCode).toBe(201)
    return token
  }
  await record()
  clock.advance(350 * DAY_MS)
  const token = await record()
  await panel.app.inject({ method: 'POST', url: '/api/auth/login', payload: { username: 'x', password: 'x' } })
  context.log.info('the clock is right')
  await context.logKeeper.flush(context)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const ends = [startChores(context)]
  onTestFinished(() => ends.forEach((end) => void end()))
  await vi.waitFor(async () => expect((await readSaved(panel)).sessions, 'the outdated one goes').toBe(1), SOON)
  const was = await readSaved(panel)
  clock.set(FAR_MS)
  const ahead = await record()
  const headers = { 'idempotency-key': randomUUID() }
  const sample = await panel.ask(ahead, { method: 'POST', url: '/api/medicoes', headers, payload: measurementOf() })
  expect(sample.statusCode, sample.body).toBe(201)
  const restarted = await openTestPanel({ db, clock, env })
  expectAlarms(restarted)
  ends.push(startChores(restarted.context))
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(MINUTE_MS)
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
  }
  for (const end of ends) end()
  return { was: { ...was, names: was.names + 1 }, panel, restarted, clock, token }
}

describe('P32: the clock of the server is wrong by up to 400 days, and is set while it works', () => {
  test(`${steps} acts with a step at some statement: none doubled, none lost, none late`, async () => {
    for (let seed = 0; seed < seeds; seed++)
      expect(await stepThrough(steps, seed), `seed ${seed}`).toEqual({ overdue: 0, lost: 0, doubled: 0, doubts: 0 })
    report('P32', { steps, seeds }, { overdue: 0, lost: 0, doubled: 0, doubts: 0 })
  })

  test('it notices a server that goes by the clock on the wall alone', async () => {
    const { doubled } = await stepThrough(smallOf('p32').steps, 0, [late], onWallAlone)
    expect(doubled).toBeGreaterThan(0)
  })

  test('it notices a server that looks for receipts among recordings alone', async () => {
    const { doubts } = await stepThrough(8, 0, [[]], (clock) => clock, lookAmongRecordingsAlone)
    expect(doubts).toBeGreaterThan(0)
  })

  test('an hour at 400 days ahead, with work and a restart: no session, name, count or log entry goes', async () => {
    const { was, panel, restarted, clock, token } = await standAhead()
    // those that the log has held back are counted by its next line
    const refusals = ({ logs }: TestPanel) =>
      logs
        .filter((line) => line.includes('nothing is deleted by it'))
        .map((line) => JSON.parse(line) as { heldBack?: number })
        .reduce((sum, { heldBack = 0 }) => sum + 1 + heldBack, 0)
    await vi.waitFor(() => expect(refusals(panel), 'what goes each hour').toBeGreaterThanOrEqual(1), SOON)
    await vi.waitFor(() => expect(refusals(restarted), 'that twice, and names').toBeGreaterThanOrEqual(3), SOON)
    expect(await readSaved(panel)).toEqual(was)
    clock.set(-FAR_MS)
    expect((await panel.ask(token, { method: 'POST', url: '/api/auth/validate' })).statusCode).toBe(200)
    // a sample of that hour is the newest one no longer than the clock was wrong
    const wall = { now: clock.now, follow: async () => {}, apartMs: () => 0 }
    await openFutureWatch(panel.context, wall, clock.elapsedMs)()
    const samples = await panel.db.read.selectFrom('measurements').select('ordered_at').execute()
    expect(samples.map(({ ordered_at }) => ordered_at <= clock.now())).toEqual([true])
  })

  test('it notices what goes by the clock on the wall alone', async () => {
    const { was, panel } = await standAhead(onWallAlone)
    await vi.waitFor(async () => expect(await readSaved(panel)).toMatchObject({ sessions: 0, counts: 0 }), SOON)
    expect(was).toMatchObject({ sessions: 1, counts: 1 })
  })
})

// Forecasts of tools, tried out on a year that is over, and what the list of 10,000 tools with their parts and forecasts
// costs beside reading the same rows with nothing between.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Random, randomFor } from '../demo/simulator/random.ts'
import { workShare } from '../demo/working-days.ts'
import { crimpCounters } from '../src/contract/crimp-counters.ts'
import { maintenanceTasks } from '../src/contract/maintenance-tasks.ts'
import { addDays, plantDay } from '../src/domain/plant/plant-time.ts'
import { FORECAST_DAYS, forecaster } from '../src/domain/tools/tool-life.ts'
import { addProduction } from '../src/server/store/daily-production.ts'
import { openDb, type Tx } from '../src/server/store/db/db.ts'
import { migrate } from '../src/server/store/db/migrate.ts'
import { insertTask } from '../src/server/store/maintenance-tasks.ts'
import { startServer } from './child.ts'
import { ask } from './load.ts'
import { addUser, logIn } from './sample.ts'
import { median, quantile, ROUNDS } from './statistics.ts'

const YEAR = { from: '2025-11-24', days: 365 }
const TOOLS_A_KIND = 200
const FORECAST_AT = 0.7
const ERROR_DAYS_MAX = 2

/** How evenly tools are worked with. */
type Habit = { title: string; idleShare: number; monthSwing: number }
const habits: readonly Habit[] = [
  { title: 'tools worked with on most days', idleShare: 0.1, monthSwing: 0 },
  { title: 'tools whose orders come and go', idleShare: 0.35, monthSwing: 0.5 },
]

/** Crimps of each day of the year: by the plant's calendar, each day up to a quarter more or less. */
function yearOf({ idleShare, monthSwing }: Habit, base: number, random: Random): Map<string, number> {
  const months = new Map<string, number>()
  const days = Array.from({ length: YEAR.days }, (_, at) => addDays(YEAR.from, at))
  const crimpsOn = (day: string): number => {
    const month = day.slice(0, 7)
    const busy = months.get(month) ?? 1 + monthSwing * (2 * random.next() - 1)
    months.set(month, busy)
    if (random.chance(idleShare)) return 0
    return Math.round(base * busy * workShare(day) * (0.75 + random.next() / 2))
  }
  return new Map(days.map((day) => [day, crimpsOn(day)]))
}

const workedDays = (from: string, to: string): number => {
  let days = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (workShare(day) > 0) days++
  return days
}

/** By how many working days each forecast of a tool's year was wrong: one of each cycle that ended within it. */
function errorsOf(year: ReadonlyMap<string, number>, limitOfCrimps: number): number[] {
  const errors: number[] = []
  const firstDay = addDays(YEAR.from, FORECAST_DAYS)
  let numberOfCrimps = 0
  let expected: string | null = null
  for (const [day, crimps] of year) {
    if (expected === null && day >= firstDay && numberOfCrimps >= FORECAST_AT * limitOfCrimps) {
      expected = forecaster(year, day)({ numberOfCrimps, limitOfCrimps }).dia
    }
    numberOfCrimps += crimps
    if (numberOfCrimps < limitOfCrimps) continue
    if (expected !== null) errors.push(expected < day ? workedDays(expected, day) : workedDays(day, expected))
    numberOfCrimps = 0
    expected = null
  }
  return errors
}

function tryForecasts(): void {
  console.log(`Error of forecasts made at ${FORECAST_AT * 100} % of the limit, in working days, over one year.`)
  console.log(`${' '.repeat(34)}forecasts  median     90 %     aim`)
  for (const habit of habits) {
    const errors = Array.from({ length: TOOLS_A_KIND }, (_, at) => {
      const random = randomFor(1, 'forecast', `${habit.title} ${at}`)
      const base = 400 + 1000 * random.next()
      // from a month to five months of work
      const limit = Math.round(base * (20 + 80 * random.next()))
      return errorsOf(yearOf(habit, base, random), limit)
    }).flat()
    const middle = median(errors)
    const aim = habit.monthSwing === 0 ? [`${ERROR_DAYS_MAX}`.padStart(8), middle <= ERROR_DAYS_MAX] : null
    console.log(
      [
        habit.title.padEnd(34),
        String(errors.length).padStart(9),
        middle.toFixed(1).padStart(8),
        quantile(errors, 0.9).toFixed(1).padStart(9),
        ...(aim ? [aim[0], aim[1] ? '  reached' : '  missed'] : []),
      ].join(''),
    )
  }
}

const TOOLS = 10_000
/** So many of them are worked with each day; the others lie on the shelf. */
const IN_USE = 700
const PARTS = 2
const LIST_MS_MAX = 300

const nameOf = (at: number) => `MA-${String(at).padStart(5, '0')}`

/** One day's production of the tools in use. */
async function produce(tx: Tx, productionDay: string): Promise<void> {
  for (let at = 0; at < IN_USE; at++) {
    const of = { branch: '010101', part: 'l1', orderNumber: '', machine: '', operator: '', terminal: '' } as const
    const day = { ...of, productionDay, unitKey: nameOf(at).toLowerCase() }
    await addProduction(tx, day, { pieces: 500 + (at % 700), recordings: 1 })
  }
}

async function fillWithTools(file: string, today: string): Promise<void> {
  const db = openDb({ kind: 'sqlite', file })
  await migrate(db)
  await db.transaction(async (tx) => {
    await addUser(tx)
    for (let ago = 1; ago <= FORECAST_DAYS; ago++) {
      const day = addDays(today, -ago)
      if (workShare(day) > 0) await produce(tx, day)
    }
    await insertTask(tx, { miniaplicator: null, name: 'Limpeza', everyCrimps: 25_000, everyDays: 7, active: true })
  })
  await db.close()
  const sqlite = new Sqlite(file)
  const insert = (table: string, row: Record<string, string | number>) =>
    sqlite
      .prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`)
      .run(Object.values(row))
  sqlite.transaction(() => {
    for (let at = 0; at < TOOLS; at++) {
      const [name, key] = [nameOf(at), nameOf(at).toLowerCase()]
      const crimps = (at * 37) % 100_000
      const counts = { crimps, lifetime_crimps: crimps + 200_000, limit_crimps: 100_000, cycle: 1 }
      insert('applicator_units', { name_key: key, name, ...counts, version: 1, updated_at: 0 })
      const terminal = `T${String(at % 2000).padStart(7, '0')}`
      const pair = { terminal, terminal_key: terminal.toLowerCase(), miniaplicator: name, miniaplicator_key: key }
      insert('applicators', { ...pair, version: 1, created_at: 0, updated_at: 0 })
      for (let nth = 0; nth < PARTS; nth++) {
        const part = { unit_key: key, kind: nth === 0 ? 'bigorna' : 'cortador', code: `${nth}-456` }
        const wear = { limit_crimps: 50_000, lifetime_at_mount: 200_000, used_before: 0 }
        const mounted = { mounted_at: 0, mounted_by: 'Carlos', mounted_by_id: 1, open_key: `${at} ${nth}` }
        insert('wear_parts', { ...part, ...wear, ...mounted })
      }
    }
  })()
  sqlite.close()
}

/** The same rows, read and written as JSON with nothing between. */
function bareList(file: string, today: string): () => number {
  const sqlite = new Sqlite(file, { readonly: true })
  const statements = [
    sqlite.prepare('select * from applicator_units'),
    sqlite.prepare('select miniaplicator_key, terminal from applicators order by terminal'),
    sqlite.prepare('select * from wear_parts where open_key is not null order by id'),
    sqlite.prepare(`select unit_key, production_day, sum(pieces) from daily_production
      where production_day >= '${addDays(today, -FORECAST_DAYS)}' group by unit_key, production_day`),
  ]
  return () => JSON.stringify(statements.map((statement) => statement.all())).length
}

function timeOf<T>(work: () => T): number {
  const begunAt = performance.now()
  work()
  return performance.now() - begunAt
}

export async function measureForecasts(folder: string): Promise<void> {
  tryForecasts()
  const today = plantDay(Date.now(), 'America/Sao_Paulo')
  const file = join(folder, 'tools.sqlite')
  await fillWithTools(file, today)
  const server = await startServer('our', { database: { kind: 'sqlite', file }, noted: false })
  const headers = await logIn(`http://127.0.0.1:${server.port}`)
  const bare = bareList(file, today)
  console.log(
    `\n${TOOLS.toLocaleString('en')} tools with ${PARTS} parts each, ${IN_USE} of them in use: one answer, medians.`,
  )
  console.log(`${' '.repeat(34)}       ms    bare   ratio     aim`)
  for (const [title, path] of [
    ['the list with parts and forecasts', crimpCounters.list.path],
    ['the plan of parts and one task', maintenanceTasks.plan.path],
  ] as const) {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    const [oursMs, bareMs]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const begunAt = performance.now()
      const { status } = await ask(server.port, request)
      if (status !== 200) throw new Error(`${path} answered ${status}`)
      const tookMs = performance.now() - begunAt
      // the first round is there to warm up
      if (round === 0) continue
      oursMs.push(tookMs)
      bareMs.push(timeOf(bare))
    }
    const [ours, other] = [median(oursMs), median(bareMs)]
    console.log(
      [
        title.padEnd(34),
        ...[ours.toFixed(0).padStart(9), other.toFixed(0).padStart(8), (ours / other).toFixed(1).padStart(8)],
        `${LIST_MS_MAX} ms`.padStart(8),
        ours <= LIST_MS_MAX ? '  reached' : '  missed',
      ].join(''),
    )
  }
  await server.stop()
}

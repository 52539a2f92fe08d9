// What a control chart costs whose series has 100,000 samples, and the list of 10,000 series with 1,000,000 samples, beside
// reading the same rows with nothing between. `worst first` needs every series judged: it is summed up once, and that is said too.
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Random, randomFor } from '../demo/simulator/random.ts'
import { spc } from '../src/contract/spc.ts'
import { openDb } from '../src/server/store/db/db.ts'
import { migrate } from '../src/server/store/db/migrate.ts'
import { seriesHash } from '../src/server/store/spc-series.ts'
import { sumUpSeries } from '../src/server/upkeep/control-charts.ts'
import { startServer } from './child.ts'
import { ask } from './load.ts'
import { addUser, logIn } from './sample.ts'
import { median, ROUNDS } from './statistics.ts'

const LONG_SAMPLES = 100_000
const SERIES = 10_000
const SAMPLES_A_SERIES = 90
const CHART_MS_MAX = 200
const LIST_MS_MAX = 300
const BRANCH = '010101'
const DAY_MS = 86_400_000
const EVERY_MS = 3 * 3_600_000

type Row = Record<string, string | number | null>

const nameOf = (at: number) => `MA-${String(at).padStart(5, '0')}`

const sampleOf = (series: number, at: number, measuredAt: number, random: Random): Row => {
  const readings = Array.from({ length: 3 }, () => 1093 + random.between(0, 14))
  const id = `${String(series).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`
  const [unit, terminal] = [nameOf(series), `T${String(series % 2000).padStart(7, '0')}`]
  return {
    ...{ act_id: id, characteristic: 'altura', content_hash: id, recording_id: null, branch: BRANCH },
    ...{ order_number: '01621401001', barcode: '', position: '', part: 'l1', unit, unit_key: unit.toLowerCase() },
    ...{
      terminal,
      terminal_key: terminal.toLowerCase(),
      gauge_milli: 500,
      unit_cycle: 1,
      machine: 'KX0001',
      lot: 'L-1',
    },
    ...{ shift: '2026-11-21#1', occasion: 'a-cada', instrument: 'MIC', readings_json: JSON.stringify(readings), n: 3 },
    sum_milli: readings.reduce((sum, one) => sum + one, 0),
    ...{ min_milli: Math.min(...readings), max_milli: Math.max(...readings), source: 'operador', plan_id: null },
    ...{ verdict: 'sem-plano', action: null, findings: '', operator: 'Maria', user_id: 1, measured_at: measuredAt },
    measured_day: new Date(measuredAt).toISOString().slice(0, 10),
    ...{ received_at: measuredAt, counted: 1, charted: 1 },
  }
}

/** The first series is the long one. In the order of time, as they are measured. */
function* samplesBefore(now: number): Generator<[series: number, row: Row]> {
  const random = randomFor(1, 'spc', 'samples')
  const [turns, shortFrom] = [LONG_SAMPLES, LONG_SAMPLES - SAMPLES_A_SERIES]
  for (let at = 0; at < turns; at++) {
    const measuredAt = now - (turns - at) * EVERY_MS
    yield [0, sampleOf(0, at, measuredAt, random)]
    if (at < shortFrom) continue
    for (let series = 1; series < SERIES; series++) yield [series, sampleOf(series, at, measuredAt + series, random)]
  }
}

async function fill(file: string, now: number): Promise<void> {
  const db = openDb({ kind: 'sqlite', file })
  await migrate(db)
  await db.transaction(addUser)
  await db.close()
  const sqlite = new Sqlite(file)
  sqlite.pragma('synchronous = off')
  // sorting all of it once is far faster than finding a place for each row
  const indexes = sqlite
    .prepare(
      "select name, sql from sqlite_master where tbl_name = 'measurements' and type = 'index' and sql is not null",
    )
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) sqlite.exec(`drop index "${name}"`)
  const inserting = (table: string, row: Row) =>
    sqlite.prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`)
  const [[, first] = [0, {}]] = samplesBefore(now)
  const insert = inserting('measurements', first)
  const seriesRow = (at: number): Row => {
    const {
      unit = '',
      unit_key = '',
      terminal = '',
      terminal_key = '',
    } = sampleOf(at, 0, now, randomFor(1, 'spc', 'keys'))
    const place = { branch: BRANCH, unitKey: String(unit_key), terminalKey: String(terminal_key), gaugeMilli: 500 }
    const series = seriesHash({ ...place, characteristic: 'altura' })
    const keys = { series, branch: BRANCH, unit, unit_key, terminal, terminal_key, gauge_milli: 500 }
    const none = { samples: 0, machine: '', readings: 0, mean: 0, sigma: 0, signals_json: '[]' }
    return { ...keys, characteristic: 'altura', changes: 1, summed_changes: 0, ...none }
  }
  const insertSeries = inserting('spc_series', seriesRow(0))
  sqlite.transaction(() => {
    for (const [, row] of samplesBefore(now)) insert.run(Object.values(row))
    for (let at = 0; at < SERIES; at++) insertSeries.run(Object.values(seriesRow(at)))
  })()
  for (const { sql } of indexes) sqlite.exec(sql)
  sqlite.close()
}

/** All series at once, as after an import: what a minute's chore does with the few that were measured in it. */
async function sumUpAll(file: string): Promise<number> {
  const db = openDb({ kind: 'sqlite', file })
  const begunAt = performance.now()
  const call = { db, now: Date.now, config: { timeZone: 'America/Sao_Paulo' } } as Parameters<typeof sumUpSeries>[0]
  while (await sumUpSeries(call));
  const tookMs = performance.now() - begunAt
  await db.close()
  return tookMs
}

const OF_SERIES = `from measurements where branch = '${BRANCH}' and counted = 1 and charted = 1 and unit_key = 'ma-00000'
  and terminal_key = 't0000000' and gauge_milli = 500 and characteristic = 'altura' order by measured_at desc, id desc limit 501`
const OF_LIST = `from spc_series where branch = '${BRANCH}' and samples > 0`
const OF_REST = `from measurements where branch = '${BRANCH}' and counted = 1 and charted = 0
  and (unit_key = '' or terminal_key = '' or gauge_milli is null)`

const timeOf = (work: () => unknown): number => {
  const begunAt = performance.now()
  work()
  return performance.now() - begunAt
}

export async function measureSpc(folder: string): Promise<void> {
  const now = Date.now()
  const file = join(folder, 'spc.sqlite')
  await fill(file, now)
  const tookMs = await sumUpAll(file)
  console.log(`${SERIES.toLocaleString('en')} series summed up anew: ${(tookMs / SERIES).toFixed(2)} ms each.`)
  const bare = new Sqlite(file, { readonly: true })
  for (const query of [`select * ${OF_SERIES}`, `select * ${OF_LIST}`, `select count(*) ${OF_REST}`]) {
    const plan = bare.prepare(`explain query plan ${query}`).all() as { detail: string }[]
    console.log(plan.map(({ detail }) => detail).join('; '))
  }
  const server = await startServer('our', { database: { kind: 'sqlite', file }, noted: false })
  const headers = await logIn(`http://127.0.0.1:${server.port}`)
  const serie = {
    filial: BRANCH,
    miniaplicador: nameOf(0),
    terminal: 'T0000000',
    bitola: '500',
    caracteristica: 'altura',
  }
  const month = new Date(now - 400 * DAY_MS).toISOString().slice(0, 10)
  const whole = `${spc.get.path}?${new URLSearchParams(serie)}`
  const list = `${spc.list.path}?${new URLSearchParams({ filial: BRANCH })}`
  const ofSeries = bare.prepare(`select * ${OF_SERIES}`)
  const ofList = [bare.prepare(`select * ${OF_LIST}`), bare.prepare(`select count(*) ${OF_REST}`)]
  console.log(`${' '.repeat(46)}       ms    bare   ratio     aim`)
  for (const [title, path, msMax, read] of [
    [`the chart of ${LONG_SAMPLES.toLocaleString('en')} samples`, whole, CHART_MS_MAX, () => ofSeries.all()],
    ['the same, until a day of last year', `${whole}&fim=${month}`, CHART_MS_MAX, () => ofSeries.all()],
    ['the list, the worst first', list, LIST_MS_MAX, () => ofList.map((statement) => statement.all())],
  ] as const) {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    const [oursMs, bareMs]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const begunAt = performance.now()
      const { status, body } = await ask(server.port, request)
      if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`)
      const askedMs = performance.now() - begunAt
      // the first round is there to warm up
      if (round === 0) continue
      oursMs.push(askedMs)
      bareMs.push(timeOf(() => JSON.stringify(read())))
    }
    const [ours, other] = [median(oursMs), median(bareMs)]
    console.log(
      [
        title.padEnd(46),
        ...[ours.toFixed(1).padStart(9), other.toFixed(1).padStart(8), (ours / other).toFixed(1).padStart(8)],
        `${msMax} ms`.padStart(8),
        ours <= msMax ? '  reached' : '  missed',
      ].join(''),
    )
  }
  bare.close()
  await server.stop()
}

// What an answer costs as the history behind it grows a hundredfold while the answer itself stays alike: milliseconds over
// HTTP with a session, one call at a time, by turns between three servers within one run.
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { charts } from '../src/contract/charts.ts'
import { equipment } from '../src/contract/equipment.ts'
import { type Grouping, productionReports } from '../src/contract/production-reports.ts'
import { type ScrapGrouping, scrapReports } from '../src/contract/scrap-reports.ts'
import { type TraceKind, traces } from '../src/contract/traces.ts'
import type { Config } from '../src/server/config.ts'
import { createDatabase, startMariadb } from '../test/support/mariadb-server.ts'
import { type ChildServer, startServer } from './child.ts'
import { fillWithHistory } from './fill-history.ts'
import { BUSY_MACHINE, barcodeOf, measured } from './history.ts'
import { ask, measure } from './load.ts'
import { itemAt, logIn } from './sample.ts'
import { median, ROUNDS } from './statistics.ts'
import { insertBadReadings, previewPath, type SuspectPlace } from './suspects.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const TURN_MS = 200
/** Bytes of an answer may differ by so much: ids and instants of other recordings stand in it. */
const SIZE_TOLERANCE = 0.01
/** What MariaDB takes where nobody says otherwise; that of the tests has less. */
const BUFFER_POOL_BYTES = 128 * 2 ** 20

/** How much more it may cost at the largest history than at the smallest, or how long it may take there. */
type Aim = { growthMax: number } | { msMax: number }
type Row = { title: string; path: string; aim: Aim }

const chartAim = { growthMax: 1.5 }
/** Of names to choose a chart by, reports and traces. */
const listAim = { growthMax: 3 }

const chart = (path: string, name: string) => path.replace(':nome', encodeURIComponent(name))
const { from, to } = measured.period
const report = (por: Grouping): Row => ({
  title: `report of 30 days: ${por}`,
  path: `${productionReports.get.path}?${new URLSearchParams({ inicio: from, fim: to, por })}`,
  aim: listAim,
})
const scrap = (por: ScrapGrouping): Row => ({
  title: `scrap of 30 days: ${por}`,
  path: `${scrapReports.get.path}?${new URLSearchParams({ inicio: from, fim: to, por })}`,
  aim: { msMax: 300 },
})
const trace = (tipo: TraceKind, termo: string): Row => ({
  title: `trace: ${tipo}`,
  path: `${traces.find.path}?${new URLSearchParams({ tipo, termo })}`,
  aim: listAim,
})

const suspects = (place: SuspectPlace): Row => ({
  title: `suspect pieces: ${place}`,
  path: previewPath(place),
  aim: { msMax: 500 },
})

const rows: Row[] = [
  { title: 'names: mini applicators', path: charts.listApplicators.path, aim: listAim },
  { title: 'names: terminals', path: charts.listTerminals.path, aim: listAim },
  {
    title: 'chart: mini applicator',
    path: chart(charts.ofApplicator.path, measured.tool),
    aim: chartAim,
  },
  { title: 'chart: terminal', path: chart(charts.ofTerminal.path, measured.terminal), aim: chartAim },
  ...(['dia', 'ordem', 'miniaplicador'] as const).map(report),
  { ...report('turno'), aim: { msMax: 300 } },
  ...(['motivo', 'ordem', 'dia'] as const).map(scrap),
  trace('lote', measured.lot),
  trace('barras', barcodeOf(measured.order, 0)),
  trace('ordem', measured.order),
  trace('miniaplicador', measured.tool),
  trace('maquina', measured.machine),
  { ...trace('maquina', BUSY_MACHINE), title: 'trace: maquina with 1/20 of all', aim: { msMax: 300 } },
  ...(['crimp', 'junction', 'unmeasured'] as const).map(suspects),
  { title: 'machines of a plant', path: `${equipment.list.path}?filial=${itemAt(0).Z1_FILIAL}`, aim: { msMax: 300 } },
]

type Server = ChildServer & { headers: string }

const requestOf = ({ path }: Row, { headers }: Server) => Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)

/** A comparison says something only if the same is asked for and answered. */
async function checkAlike(row: Row, servers: Server[]): Promise<void> {
  const answers = await Promise.all(servers.map((server) => ask(server.port, requestOf(row, server))))
  const lengths = answers.map(({ status, body }) => {
    if (status !== 200 || body === '[]' || body.includes('"apontamentos":0,"itens"'))
      throw new Error(`${row.path}: ${body}`)
    return body.length
  })
  const isAlike = Math.max(...lengths) <= Math.min(...lengths) * (1 + SIZE_TOLERANCE)
  if (!isAlike && 'growthMax' in row.aim) throw new Error(`${row.path} answers ${lengths.join(', ')} characters`)
}

/** What each answer of one turn took. */
async function takeTurn({ port }: Server, request: Buffer): Promise<number[]> {
  const answersMs: number[] = []
  let sentAt: number | null = null
  const next = () => {
    const now = performance.now()
    if (sentAt !== null) answersMs.push(now - sentAt)
    sentAt = now
    return request
  }
  const { answers, tookMs } = await measure({ port, connections: 1, forMs: TURN_MS, status: 200, next })
  return answersMs.length > 0 ? answersMs : [tookMs / answers]
}

async function measureRow(row: Row, servers: Server[]): Promise<number[]> {
  await checkAlike(row, servers)
  const taken = servers.map((server) => ({ server, request: requestOf(row, server), turnsMs: [] as number[] }))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { server, request, turnsMs } of round % 2 === 0 ? taken : taken.toReversed()) {
      const answersMs = await takeTurn(server, request)
      // the first round is there to warm up
      if (round > 0) turnsMs.push(median(answersMs))
    }
  }
  return taken.map(({ turnsMs }) => median(turnsMs))
}

function lineOf({ title, aim }: Row, costsMs: number[]): string {
  const [first = 0] = costsMs
  const last = costsMs.at(-1) ?? 0
  const growth = last / first
  const isReached = 'msMax' in aim ? last <= aim.msMax : growth <= aim.growthMax
  return [
    title.padEnd(34),
    ...costsMs.map((ms) => ms.toFixed(2).padStart(11)),
    growth.toFixed(2).padStart(8),
    ('msMax' in aim ? `${aim.msMax} ms` : aim.growthMax.toFixed(2)).padStart(8),
    isReached ? '  reached' : '  missed',
  ].join('')
}

async function measureOn(name: string, databases: Config['database'][]): Promise<void> {
  const begunAt = performance.now()
  for (const [at, database] of databases.entries()) {
    await fillWithHistory(database, SIZES[at] ?? 0)
    await insertBadReadings(database)
  }
  const servers: Server[] = []
  for (const database of databases) {
    const server = await startServer('our', { database, noted: false })
    servers.push({ ...server, headers: await logIn(`http://127.0.0.1:${server.port}`) })
  }
  console.log(`\n${name}, filled in ${((performance.now() - begunAt) / 1000).toFixed(0)} s`)
  const heads = SIZES.map((size) => size.toLocaleString('en').padStart(11)).join('')
  console.log(`${' '.repeat(34)}${heads}  growth     aim`)
  for (const row of rows) console.log(lineOf(row, await measureRow(row, servers)))
  await Promise.all(servers.map((server) => server.stop()))
}

export async function measureGrowth(folder: string): Promise<void> {
  console.log(
    `Milliseconds for one answer, medians in ${ROUNDS} turns of ${TURN_MS / 1000} s each, by recordings stored.`,
  )
  console.log('What is asked for has the same rows at each size; all that is more belongs to others.')
  await measureOn(
    'SQLite',
    SIZES.map((size) => ({ kind: 'sqlite', file: join(folder, `${size}.sqlite`) })),
  )
  const mariadb = await startMariadb()
  try {
    const connection = await createConnection(mariadb.url)
    await connection.query(`set global innodb_buffer_pool_size = ${BUFFER_POOL_BYTES}`)
    await connection.end()
    const databases: Config['database'][] = []
    for (const _ of SIZES) databases.push({ kind: 'mysql', url: await createDatabase(mariadb.url) })
    await measureOn('MariaDB', databases)
  } finally {
    await mariadb.stop()
  }
}

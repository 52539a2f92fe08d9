// A shift of 300 tablets at a plant's server as `./painel start` runs it: event streams, ten recordings and thirty reads a second,
// an ERP of its own process that answers at once, an outage of it and a restart of the server. Whether answers become slower and memory
// grows, from the first window of ten minutes to the last, and whether anything is lost: the ERP's own list says so.
import { type ChildProcess, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { freePort } from '../deploy/galera/processes.ts'
import { openDb } from '../src/server/store/db/db.ts'
import { migrate } from '../src/server/store/db/migrate.ts'
import {
  APPLICATOR,
  BRANCH,
  largeOrders,
  recordingOf,
  type Section,
  searchPath,
  sectionsOf,
} from '../test/support/promises/workload.ts'
import { type ErpServer, leanFlags, startErp } from './child.ts'
import { quantile } from './statistics.ts'
import { addTablets, listen, read, record, type Tablet } from './tablets.ts'

const TABLETS = 300
const RECORDINGS_A_SECOND = 10
const READS_A_SECOND = 30
const MINUTE_MS = 60_000
/** In which nothing is measured: code is compiled, copies are read. */
const WARM_UP_MS = 60_000
const SAMPLED_EVERY_MS = 5000
/** About ten milliseconds. */
const COMPUTING_TURNS = 10_000
const DRAINED_WITHIN_MS = 15 * MINUTE_MS
const root = fileURLToPath(new URL('..', import.meta.url))

/** One hour where none is given; a shorter trial has windows, an outage and a restart in proportion. */
function readLength(): { totalMs: number; windowMs: number } {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { minutes: { type: 'string', default: '60' }, hours: { type: 'string' } },
  })
  const minutes = values.hours === undefined ? Number(values.minutes) : Number(values.hours) * 60
  if (!(minutes > 0)) throw new Error('the length is --minutes N or --hours N')
  return { totalMs: minutes * MINUTE_MS, windowMs: Math.min(10, minutes / 6) * MINUTE_MS }
}

async function startServer(env: Record<string, string>): Promise<ChildProcess> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...leanFlags, 'src/server/main.ts', 'plant'], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'production', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await fetch(`http://127.0.0.1:${env.PORT}/ready`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    await wait(100)
  }
  return child
}

async function stopServer(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** NaN while it is being replaced. */
function residentMb({ pid }: ChildProcess): number {
  try {
    return (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}

/** Milliseconds of processor since it began, in steps of ten; NaN while it is being replaced. */
function processorMs({ pid }: ChildProcess): number {
  try {
    const [, times = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = times.split(' ').slice(11, 13).map(Number)
    return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10
  } catch {
    return Number.NaN
  }
}

/** Shares of a processor since it was last asked: of the server, and of this process, which measures. */
function openShares(server: Running): () => { server: number; own: number } {
  const look = () => {
    const { user, system } = process.cpuUsage()
    return { at: performance.now(), server: processorMs(server.child), own: (user + system) / 1000 }
  }
  let before = look()
  return () => {
    const [then, now] = [before, look()]
    before = now
    const share = (of: 'server' | 'own') => (now[of] - then[of]) / (now.at - then.at)
    return { server: share('server'), own: share('own') }
  }
}

/** In milliseconds since the beginning; `tookMs` null: no answer came at the first try. */
type Taken = { at: number; tookMs: number | null }
type Noted = {
  recordings: Taken[]
  reads: Taken[]
  /** The baseline: a fixed computation beside them. */
  computing: Taken[]
  /** Of the processes: memory of the server, shares of a processor. */
  samples: { at: number; mb: number; server: number; own: number }[]
  ids: string[]
}

/** A machine gets slower and faster within an hour, by its neighbours and its own heat. */
function timeComputing(): number {
  const begunAt = performance.now()
  for (let turn = 0; turn < COMPUTING_TURNS; turn++) hash('sha256', String(turn))
  return performance.now() - begunAt
}

/** Begins each at its time whether or not the one before was answered, as people at many tablets do. */
async function atRate(aSecond: number, untilMs: number, begin: (nth: number) => Promise<void>): Promise<void> {
  const begunAt = performance.now()
  const under: Promise<void>[] = []
  for (let nth = 0; (nth * 1000) / aSecond < untilMs; nth++) {
    await wait(Math.max(0, begunAt + (nth * 1000) / aSecond - performance.now()))
    under.push(begin(nth))
  }
  await Promise.all(under)
}

/** Sections with pieces for the whole shift, in turns, so that no queue of one section becomes long. */
async function findSections(port: number, tablet: Tablet, pieces: number): Promise<() => Section> {
  const sections: Section[] = []
  for (const order of largeOrders) {
    if (sections.reduce((sum, { open }) => sum + open, 0) >= pieces) break
    const answer = await fetch(`http://127.0.0.1:${port}${searchPath(order)}`, {
      headers: { authorization: `Bearer ${tablet.token}` },
    })
    if (!answer.ok) throw new Error(`an order was answered ${answer.status}`)
    sections.push(...sectionsOf(((await answer.json()) as { items: Section['item'][] }).items))
  }
  let nth = 0
  return () => {
    for (let tries = 0; tries < sections.length; tries++) {
      const section = sections[nth++ % sections.length]
      if (section && section.open-- > 0) return section
    }
    throw new Error('the sample has no pieces left: a shorter shift')
  }
}

type Windows = { name: string; of: (taken: readonly Taken[]) => number[]; from: number; to: number }[]

function windowsOf({ totalMs, windowMs }: ReturnType<typeof readLength>): Windows {
  const count = Math.round(totalMs / windowMs)
  return Array.from({ length: count }, (_, nth) => {
    const [from, to] = [nth * windowMs, (nth + 1) * windowMs]
    const of = (taken: readonly Taken[]) =>
      taken.flatMap(({ at, tookMs }) => (at >= from && at < to && tookMs !== null ? [tookMs] : []))
    return { name: `${(from / MINUTE_MS).toFixed(1)}-${(to / MINUTE_MS).toFixed(1)} min`, of, from, to }
  })
}

/** Deliveries that the ERP has not confirmed. */
function countOpen(file: string): { open: number; states: string } {
  using database = Object.assign(new Sqlite(file, { readonly: true }), {
    [Symbol.dispose]() {
      database.close()
    },
  })
  const rows = database.prepare('select state, count(*) as n from erp_outbox group by state').all() as {
    state: string
    n: number
  }[]
  const open = rows
    .filter(({ state }) => ['new', 'sending', 'unknown'].includes(state))
    .reduce((sum, { n }) => sum + n, 0)
  return { open, states: rows.map(({ state, n }) => `${n} ${state}`).join(', ') }
}

async function sayLoss(erp: ErpServer, ids: readonly string[], states: string): Promise<void> {
  const stored = new Map<string, number>()
  for (const id of await erp.storedIds()) stored.set(id, (stored.get(id) ?? 0) + 1)
  const lost = ids.filter((id) => !stored.has(id)).length
  const twice = [...stored.values()].filter((times) => times > 1).length
  console.log(`${ids.length} recordings saved, the ERP has ${stored.size}: ${lost} lost, ${twice} twice (${states})`)
  if (lost > 0 || twice > 0 || stored.size !== ids.length) process.exitCode = 1
}

type Shift = {
  totalMs: number
  outage: { from: number; to: number }
  restartAt: number
  /** Milliseconds since the first window began. */
  now: () => number
}

/** A third of the time is quiet, then the ERP is away for a window and a half; one window and a half before the end a restart. */
function planShift({ totalMs, windowMs }: ReturnType<typeof readLength>): Shift {
  const zero = performance.now() + WARM_UP_MS
  const outage = { from: totalMs / 3, to: totalMs / 3 + 1.5 * windowMs }
  return { totalMs, outage, restartAt: totalMs - 1.5 * windowMs, now: () => performance.now() - zero }
}

/** A panel's process that may be replaced, and what it holds. */
type Running = { child: ChildProcess; env: Record<string, string>; file: string }

async function disturb({ outage, restartAt, now }: Shift, erp: ErpServer, server: Running): Promise<void> {
  await wait(outage.from - now())
  await erp.goAway()
  await wait(outage.to - outage.from)
  await erp.comeBack()
  while (countOpen(server.file).open > RECORDINGS_A_SECOND * 2 && now() < restartAt) await wait(1000)
  console.log(
    `the ERP came back, and ${((now() - outage.to) / 1000).toFixed(0)} s later it had all but what is under way`,
  )
  await wait(Math.max(0, restartAt - now()))
  await stopServer(server.child)
  server.child = await startServer(server.env)
}

async function work({ totalMs, now }: Shift, port: number, tablets: readonly Tablet[], noted: Noted): Promise<void> {
  const tabletAt = (nth: number) => tablets[nth % TABLETS] as Tablet
  const untilMs = totalMs + WARM_UP_MS
  const nextSection = await findSections(port, tabletAt(0), (RECORDINGS_A_SECOND * untilMs) / 1000)
  let last = nextSection()
  const reads = [
    () => `/api/crimpagens/${APPLICATOR}`,
    ({ item }: Section) => `/api/miniaplicadores/por-terminal/${encodeURIComponent(item.Z1_TERML1)}`,
    ({ item }: Section) => `/api/apontamentos/itens/${item.Z1_CODBAR}?filial=${BRANCH}`,
  ]
  await Promise.all([
    atRate(RECORDINGS_A_SECOND, untilMs, async (nth) => {
      last = nextSection()
      const at = now()
      const { id, tookMs } = await record(port, tabletAt(nth), recordingOf(last, 1))
      noted.ids.push(id)
      noted.recordings.push({ at, tookMs })
    }),
    atRate(READS_A_SECOND, untilMs, async (nth) => {
      const at = now()
      // another tablet than the one that records just now
      noted.reads.push({ at, tookMs: await read(port, tabletAt(nth * 7), reads[nth % reads.length]?.(last) ?? '') })
    }),
  ])
}

export async function measureShift(folder: string): Promise<void> {
  const length = readLength()
  const file = join(folder, 'painel.sqlite')
  const db = openDb({ kind: 'sqlite', file })
  await migrate(db)
  await db.close()
  const tablets = await addTablets(file, TABLETS)
  const erp = await startErp()
  const port = await freePort()
  const env = {
    ...{ PORT: String(port), DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, 'cache') },
    ...{ ERP_URL: erp.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel' },
  }
  await stopServer(await startServer(env))
  const server = { child: await startServer(env), env, file }
  console.log(`resident ${residentMb(server.child).toFixed(0)} MB at its start`)
  const readShares = openShares(server)
  const noted: Noted = { recordings: [], reads: [], computing: [], samples: [], ids: [] }
  const shift = planShift(length)
  let isOver = false
  for (const tablet of tablets) void listen(port, tablet, () => isOver)
  const sampling = setInterval(() => {
    noted.computing.push({ at: shift.now(), tookMs: timeComputing() })
    const mb = residentMb(server.child)
    if (!Number.isNaN(mb)) noted.samples.push({ at: shift.now(), mb, ...readShares() })
  }, SAMPLED_EVERY_MS)
  await Promise.all([disturb(shift, erp, server), work(shift, port, tablets, noted)])
  const drainBy = performance.now() + DRAINED_WITHIN_MS
  while (countOpen(file).open > 0 && performance.now() < drainBy) await wait(1000)
  isOver = true
  clearInterval(sampling)
  sayWindows(noted, windowsOf(length), (from, to) => {
    const meets = (begin: number, end: number) => begin < to && from < end
    const { outage, restartAt } = shift
    const { windowMs } = length
    return meets(outage.from, outage.to + windowMs / 2) || meets(restartAt, restartAt + windowMs / 4)
  })
  const [opened, heard] = [tablets.map((one) => one.opened), tablets.map((one) => one.heard)]
  console.log(
    `each stream heard ${Math.min(...heard)} times or more, and was opened ${Math.max(...opened)} times at most`,
  )
  await sayLoss(erp, noted.ids, countOpen(file).states)
  await stopServer(server.child)
  await erp.stop()
  process.exit()
}

function sayWindows(
  { recordings, reads, computing, samples }: Noted,
  windows: Windows,
  isSpoilt: (from: number, to: number) => boolean,
): void {
  const medianIn = (from: number, to: number, name: 'mb' | 'server' | 'own') => {
    const within = samples.filter(({ at }) => at >= from && at < to).map((sample) => sample[name])
    // the first one after a restart has no share
    return quantile(
      within.filter((value) => value >= 0),
      0.5,
    )
  }
  const rows = windows.map(({ name, of, from, to }) => ({
    name: `${name}${isSpoilt(from, to) ? ' (outage or restart)' : ''}`,
    isCounted: !isSpoilt(from, to),
    recorded: quantile(of(recordings), 0.95),
    read: quantile(of(reads), 0.95),
    computed: quantile(of(computing), 0.5),
    mb: medianIn(from, to, 'mb'),
    server: 100 * medianIn(from, to, 'server'),
    own: 100 * medianIn(from, to, 'own'),
  }))
  console.log(
    `${TABLETS} tablets, p95 of recordings and of reads, medians of a fixed computation, of the memory, and of the processor of server and benchmark:`,
  )
  for (const { name, recorded, read, computed, mb, server, own } of rows) {
    const times = [recorded, read, computed].map((ms) => `${ms.toFixed(1).padStart(8)} ms`)
    const shares = [server, own].map((percent) => `${percent.toFixed(1).padStart(6)} %`)
    console.log(`${name.padEnd(36)} ${times.join(' ')} ${mb.toFixed(0).padStart(6)} MB ${shares.join(' ')}`)
  }
  const counted = rows.filter(({ isCounted }) => isCounted)
  const [first, last] = [counted[0], counted.at(-1)]
  if (!first || !last) return
  const ratio = (name: 'recorded' | 'read' | 'computed' | 'mb') => (last[name] / first[name]).toFixed(2)
  console.log(
    `last beside first: recordings ${ratio('recorded')}, reads ${ratio('read')} (aim 1.10; the fixed computation ${ratio('computed')}), memory ${ratio('mb')} (aim 1.05)`,
  )
}

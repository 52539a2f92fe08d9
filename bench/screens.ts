// Whether 1,000 live screens slow down who records. Two servers, one with the screens, by turns within one run, so that
// whatever else the machine does meets both; at both ten recordings a second are made, as 300 tablets make them.
import { hash, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDb } from '../src/server/store/db/db.ts'
import { insertSecrets, insertSession } from '../src/server/store/sessions.ts'
import { type ChildServer, startServer } from './child.ts'
import { ask } from './load.ts'
import { fillDatabase, logIn, type Row, recordingRow } from './sample.ts'
import { median, quantile } from './statistics.ts'

const SCREENS = 1000
/** Fewer than the server lets one session have open. */
const SCREENS_OF_SESSION = 20
const RECORDING_EVERY_MS = 100
const TURN_MS = 10_000
/** Of recording at each server; the full form takes ten. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 1)

/** `p95s`: in milliseconds, of each turn. */
type Side = { server: ChildServer; row: Row; atRestMb: number; p95s: number[] }

/** As so many log-ins leave them, without the many passwords. */
async function addSessions(file: string, count: number): Promise<string[]> {
  const db = openDb({ kind: 'sqlite', file })
  const tokens = Array.from({ length: count }, () => randomUUID())
  const createdAt = Date.now()
  const session = {
    userId: 1,
    browser: false,
    deviceName: '',
    device: null,
    createdAt,
    expiresAt: createdAt + 86_400_000,
  }
  await db.transaction(async (tx) => {
    for (const token of tokens) {
      await insertSession(tx, { ...session, id: token })
      await insertSecrets(tx, token, 1, { token: hash('sha256', token) })
    }
  })
  await db.close()
  return tokens
}

async function openScreen(port: number, token: string, onChange: () => void): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get({ port, path: '/api/eventos', headers, agent: false }, resolve).once('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`a screen was answered ${response.statusCode}`)
  response.on('data', onChange)
}

/** Begins at its time whether or not the one before has been answered, as people at many tablets do. */
async function takeTurn({ server, row, p95s }: Side): Promise<void> {
  const tookMs: number[] = []
  const begunAt = performance.now()
  const record = async () => {
    const sentAt = performance.now()
    const { status, body } = await ask(server.port, row.next())
    if (status !== row.status) throw new Error(`a recording was answered ${status}:\n${body}`)
    tookMs.push(performance.now() - sentAt)
  }
  const recordings: Promise<void>[] = []
  for (let at = 0; at < TURN_MS; at += RECORDING_EVERY_MS) {
    await wait(Math.max(0, begunAt + at - performance.now()))
    recordings.push(record())
  }
  await Promise.all(recordings)
  p95s.push(quantile(tookMs, 0.95))
}

export async function measureScreens(folder: string): Promise<void> {
  const base = join(folder, 'base.sqlite')
  await fillDatabase(base)
  const tokens = await addSessions(base, SCREENS / SCREENS_OF_SESSION)
  const open = async (name: string): Promise<Side> => {
    mkdirSync(join(folder, name))
    const file = join(folder, name, 'painel.sqlite')
    copyFileSync(base, file)
    const server = await startServer('our', { database: { kind: 'sqlite', file }, noted: false })
    const atRestMb = await server.memoryMb()
    return { server, row: recordingRow(await logIn(`http://127.0.0.1:${server.port}`)), atRestMb, p95s: [] }
  }
  const [quiet, live] = [await open('quiet'), await open('live')]
  let received = 0
  for (let n = 0; n < SCREENS; n++) {
    await openScreen(live.server.port, tokens[Math.floor(n / SCREENS_OF_SESSION)] ?? '', () => received++)
  }
  for (const side of [quiet, live]) await takeTurn({ ...side, p95s: [] })
  received = 0
  for (let turn = 0; turn < (MINUTES * 60_000) / TURN_MS; turn++) {
    for (const side of turn % 2 === 0 ? [quiet, live] : [live, quiet]) await takeTurn(side)
  }
  if (received < SCREENS) throw new Error(`${SCREENS} screens were told ${received} times of what changed`)

  const ratios = live.p95s.map((p95, turn) => p95 / (quiet.p95s[turn] ?? p95))
  console.log(`Ten recordings a second at each of two servers, by turns of ${TURN_MS / 1000} s, ${MINUTES} min each.`)
  for (const [name, { server, atRestMb, p95s }] of Object.entries({
    'no screens': quiet,
    [`${SCREENS} screens`]: live,
  })) {
    const memory = `resident ${atRestMb.toFixed(0)} MB at rest, ${(await server.memoryMb()).toFixed(0)} MB after`
    console.log(`${name.padEnd(13)} p95 ${median(p95s).toFixed(1)} ms (median of turns), ${memory}`)
  }
  console.log(`p95 with the screens to the quiet one: ${median(ratios).toFixed(2)} (aim 1.10; memory: 120 and 250 MB)`)
  await Promise.all([quiet.server.stop(), live.server.stop()])
  process.exit(0)
}

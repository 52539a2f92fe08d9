// How many requests per second the panel answers, as a ratio to the least that Node and SQLite can do: a bare server
// with the same statements on a copy of the same file (bare-server.ts). Both run in processes of their own, and by
// turns within one run, so that whatever else the machine does meets both.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSameWork } from './check.ts'
import { type ChildServer, startServer } from './child.ts'
import { measure } from './load.ts'
import { fillDatabase, logIn, type Row, rowsFor } from './sample.ts'
import { median, quantile, ROUNDS } from './statistics.ts'

const TURN_MS = 1000
const WARM_UP_MS = 2000
const CONNECTIONS = 8

type Both = { ours: ChildServer; bare: ChildServer }
/** Requests per second, and milliseconds of processor for a thousand of them: what other programs do moves it less. */
type Turn = { rate: number; cpuMs: number }
type Turns = { ours: Turn[]; bare: Turn[] }

async function openBoth(files: { ours: string; bare: string }, noted: boolean): Promise<Both> {
  const ours = await startServer('our', { database: { kind: 'sqlite', file: files.ours }, noted })
  const bare = await startServer('bare', { database: { kind: 'sqlite', file: files.bare }, noted })
  return { ours, bare }
}

export async function take({ port, cpuMs }: ChildServer, { status, next }: Row, forMs: number): Promise<Turn> {
  const before = await cpuMs()
  const { answers, tookMs } = await measure({ port, connections: CONNECTIONS, forMs, status, next })
  return { rate: (1000 * answers) / tookMs, cpuMs: (1000 * ((await cpuMs()) - before)) / answers }
}

async function measureRow({ ours, bare }: Both, row: Row): Promise<Turns> {
  const taken: Turns = { ours: [], bare: [] }
  await take(ours, row, WARM_UP_MS)
  await take(bare, row, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    // who comes first changes, for what the one leaves behind (heat, a full disk cache) the other meets
    const turns = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)
    for (const side of turns) taken[side].push(await take({ ours, bare }[side], row, TURN_MS))
  }
  return taken
}

function lineOf({ title }: Row, { ours, bare }: Turns): string {
  const rateOf = (turns: Turn[]) => median(turns.map(({ rate }) => rate))
  const cpuOf = (turns: Turn[]) => median(turns.map(({ cpuMs }) => cpuMs))
  const ratio = rateOf(ours) / rateOf(bare)
  const ratios = ours.map(({ rate }, round) => rate / (bare[round]?.rate ?? rate))
  const spread = `${quantile(ratios, 0.25).toFixed(2)}-${quantile(ratios, 0.75).toFixed(2)}`
  return [
    title.padEnd(34),
    rateOf(ours).toFixed(0).padStart(8),
    rateOf(bare).toFixed(0).padStart(8),
    ratio.toFixed(2).padStart(8),
    spread.padStart(12),
    `${cpuOf(ours).toFixed(0)}/${cpuOf(bare).toFixed(0)}`.padStart(12),
  ].join('')
}

/** Two files of which a check has shown that both servers do the same work on them. Throws what differs. */
export async function prepareFiles(folder: string): Promise<{ files: Record<'ours' | 'bare', string>; rows: Row[] }> {
  const files = { ours: join(folder, 'ours.sqlite'), bare: join(folder, 'bare.sqlite') }
  await fillDatabase(files.ours)
  copyFileSync(files.ours, files.bare)

  const noting = await openBoth(files, true)
  const rows = rowsFor(await logIn(`http://127.0.0.1:${noting.ours.port}`))
  await checkSameWork(noting, files, rows)
  await Promise.all([noting.ours.stop(), noting.bare.stop()])
  return { files, rows }
}

export async function measureSpeed(folder: string): Promise<void> {
  const { files, rows } = await prepareFiles(folder)
  const both = await openBoth(files, false)
  console.log(
    `Requests per second, ${CONNECTIONS} connections, medians of ${ROUNDS} turns of ${TURN_MS / 1000} s each.`,
  )
  console.log('Ours: the panel with session look-up and validation. Bare: node:http and better-sqlite3, the same SQL.')
  console.log('The recording is accepted and promised (202): two commits on each side, no ERP on either.\n')
  console.log(`${' '.repeat(34)}    ours    bare   ratio   quartiles cpu ms/1000`)
  for (const row of rows) console.log(lineOf(row, await measureRow(both, row)))
  await Promise.all([both.ours.stop(), both.bare.stop()])
}

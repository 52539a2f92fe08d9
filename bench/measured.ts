// What it costs a recording that somebody measured it: the same recordings with and without measured values, on one server
// and one database with a plan in force, by turns within one run.
import { join } from 'node:path'
import { insertPlans } from '../src/server/store/control-plans.ts'
import { openDb } from '../src/server/store/db/db.ts'
import { startServer } from './child.ts'
import { fillDatabase, logIn, recordingRow } from './sample.ts'
import { take } from './speed.ts'
import { median, quantile, ROUNDS } from './statistics.ts'

const WARM_UP_MS = 2000
const TURN_MS = 1000

async function addPlan(file: string): Promise<void> {
  const db = openDb({ kind: 'sqlite', file })
  const plan = {
    // the recordings are inside, as nearly all are: what is outside writes a finding as well
    ...{ terminal: 'T1326030', bitola: 500, altura: { nominal: 1100, menos: 50, mais: 50 }, forcaMin: 65_000 },
    ...{ leiturasAltura: 3, leiturasForca: 3, ultimaPeca: false },
  }
  await db.transaction((tx) => insertPlans(tx, [{ plan, version: 1, from: 0 }]))
  await db.close()
}

const textOf = (values: number[]) =>
  `${median(values).toFixed(2)} (quartiles ${quantile(values, 0.25).toFixed(2)}-${quantile(values, 0.75).toFixed(2)})`

export async function measureMeasured(folder: string): Promise<void> {
  const file = join(folder, 'measured.sqlite')
  await fillDatabase(file)
  await addPlan(file)
  const server = await startServer('our', { database: { kind: 'sqlite', file }, noted: false })
  const headers = await logIn(`http://127.0.0.1:${server.port}`)
  const plain = recordingRow(headers)
  const kinds = {
    'both values measured': recordingRow(headers, { medidoForca: true, medidoAltura: true }),
    'a force typed, the height measured before': recordingRow(headers, { medidoForca: true }),
  }
  for (const row of [plain, ...Object.values(kinds)]) await take(server, row, WARM_UP_MS)
  for (const [title, row] of Object.entries(kinds)) {
    const ratios: number[] = []
    const cpus: number[] = []
    const rates: [without: number, having: number][] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [first, second] = round % 2 === 0 ? [plain, row] : [row, plain]
      const turns = [await take(server, first, TURN_MS), await take(server, second, TURN_MS)]
      const [without, having] = round % 2 === 0 ? turns : turns.toReversed()
      if (!without || !having) continue
      ratios.push(having.rate / without.rate)
      cpus.push(having.cpuMs / without.cpuMs)
      rates.push([without.rate, having.rate])
    }
    console.log(
      `A recording with ${title} and a plan of both in force, beside one that nobody measured, ${ROUNDS} turns:`,
    )
    const [plainRate, rate] = [0, 1].map((at) => median(rates.map((both) => both[at] ?? 0)).toFixed(0))
    console.log(`requests per second ${textOf(ratios)}, ${rate} beside ${plainRate}; time of processor ${textOf(cpus)}`)
  }
  await server.stop()
}

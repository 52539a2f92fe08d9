import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../src/server/config.ts'
import type { Fault } from './simulator/faults.ts'
import { sampleHighlights } from './simulator/sample-orders.ts'
import { type ErpSimulator, type ErpSimulatorOptions, startErpSimulator } from './simulator/simulator.ts'

const controlFile = (folder: string) => join(folder, 'erp-simulator-control.json')

/** Of `npm run erp`: the folder beside it may be a demonstration's, with an ERP of its own. */
export const rehearsalFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'erp-de-ensaio')

/** Drawn at the first start and kept: what a panel was given then opens it at every later one. */
export function rehearsalPassword(folder: string): string {
  const file = join(folder, 'senha')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const password = randomBytes(9).toString('base64url')
  writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' })
  return password
}

/** How a command of the same person finds a running simulator. */
export type SimulatorControl = { url: string; secret: string }

/** Null: none is running under this folder, as far as its last one could tell. */
export function findSimulatorControl(config: Pick<Config, 'dataDir'>): SimulatorControl | null {
  const file = [rehearsalFolder(config), config.dataDir].map(controlFile).find(existsSync)
  return file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as SimulatorControl)
}

/** What the simulator makes of it; null when it is not there. */
export async function askControl(
  { url, secret }: SimulatorControl,
  method: 'GET' | 'PUT' | 'DELETE',
  faults?: readonly Fault[],
): Promise<{ faults?: Fault[] } | null> {
  const answer = await fetch(new URL('/__sim/faults', url), {
    method,
    headers: { authorization: `Bearer ${secret}` },
    ...(faults ? { body: JSON.stringify({ faults }) } : {}),
  }).catch(() => null)
  return answer?.ok ? ((await answer.json()) as { faults?: Fault[] }) : null
}

/** Somebody else's system, spoken to over HTTP like the real one. What is recorded there stays in the folder. */
export async function startStandIn(
  folder: string,
  { lookup, ...options }: Omit<ErpSimulatorOptions, 'lookup' | 'dedup'> & Pick<Config['demoErp'], 'lookup'>,
): Promise<ErpSimulator> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const secret = randomBytes(32).toString('base64url')
  const journalFile = join(folder, 'erp-simulator.jsonl')
  const byId = { lookup: lookup === 'id', dedup: lookup === 'id' }
  const simulator = await startErpSimulator({ ...options, ...byId, journalFile, controlSecret: secret })
  const file = controlFile(folder)
  // an older one would keep its own permissions
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify({ url: simulator.controlUrl, secret }), { mode: 0o600, flag: 'wx' })
  return {
    ...simulator,
    async close() {
      rmSync(file, { force: true })
      await simulator.close()
    },
  }
}

/** What there is to try, a line per order. */
export const ordersText = (): string =>
  sampleHighlights()
    .map(
      ({ branch, order, itemCount, barcodes }) =>
        `  ${order.padEnd(14)} filial ${branch}  ${String(itemCount).padStart(3)} ${itemCount === 1 ? 'item ' : 'itens'}  ${barcodes.slice(0, 2).join('  ')}`,
    )
    .join('\n')

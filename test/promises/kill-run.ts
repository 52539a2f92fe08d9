import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { CutItem } from '../../src/contract/items.ts'
import type { CutCrimpRecording } from '../../src/contract/recordings.ts'
import { randomFor } from '../../src/erp-simulator/random.ts'
import { startErpSimulator } from '../../src/erp-simulator/simulator.ts'
import { type Panel, startPanel } from '../panel.ts'
import type { Seen } from './offences.ts'
import { SEED } from './sizes.ts'
import { largeOrders, recordingOf, type Section, searchPath, sectionsOf } from './workload.ts'

const OPERATORS = 12
const PASSWORD = 'senha-de-teste'
/** Longer than the lease of a delivery, and than an unknown id must be old to count as not executed. */
const CLOCK_AHEAD_MS = 600_000

export type KillRun = Seen & { panel: Panel }
type Settled = Map<string, CutCrimpRecording>

const preload = (name: string) => `--import=${new URL(`preloads/${name}.ts`, import.meta.url).href}`

const post = (panel: Panel, path: string, headers: Record<string, string>, body: object) =>
  fetch(panel.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

function addOperator(panel: Panel, env: Record<string, string>): void {
  const command = ['src/server/user-command.ts', 'add', 'operador', '--full-name', 'Maria Souza', '--role', 'operador']
  const { status, stderr } = spawnSync(process.execPath, command, {
    env: { ...process.env, ...env, DATA_DIR: panel.dataDir },
    input: `${PASSWORD}\n`,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

/**
 * One operator's tablet: records piece after piece, each under one id, and repeats it until the server has answered
 * for good. Adds to `settled` what the operator saw as saved.
 */
async function work(panel: Panel, token: string, nextSection: () => Section, settled: Settled, isOver: () => boolean) {
  while (!isOver()) {
    const id = randomUUID()
    const payload = recordingOf(nextSection(), 1)
    for (;;) {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
      const answer = await post(panel, '/api/apontamentos/corte-crimpagem', headers, payload).catch(() => null)
      const status = answer?.status ?? 0
      const text = await answer?.text().catch(() => undefined)
      // an answer whose end never came is none
      if (status === 0 || text === undefined || status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      if (status === 201 || status === 202) settled.set(id, payload)
      else if (status !== 409) throw new Error(`answered ${status}: ${text}`)
      break
    }
  }
}

async function untilDelivered(panel: Panel): Promise<void> {
  for (;;) {
    const status = (await (await fetch(`${panel.url}/api/status`)).json()) as { pending: number }
    if (status.pending === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function findSections(panel: Panel, token: string, pieces: number): Promise<Section[]> {
  const sections: Section[] = []
  for (const order of largeOrders) {
    const found = await fetch(panel.url + searchPath(order), { headers: { authorization: `Bearer ${token}` } })
    sections.push(...sectionsOf(((await found.json()) as { items: CutItem[] }).items))
    if (sections.reduce((sum, { open }) => sum + open, 0) >= pieces) return sections
  }
  throw new Error(`the sample has fewer than ${pieces} pieces open`)
}

/**
 * The real server under load while something is killed again and again; then the leases of the dead lives end by a
 * clock that runs ahead, and all that waits is delivered. The ERP stores twice what it is sent twice, and some of its
 * answers are late, so that deaths fall between its commit and ours.
 */
export async function killUnderLoad(options: {
  env?: Record<string, string>
  kills: number
  /** Operators go on until that many were seen as saved. */
  settledMin?: number
  mistake?: 'late-commits' | 'unnoted-sending'
  /** Kills, and brings back what it killed. */
  kill: (panel: Panel, settled: Seen['settled']) => Promise<void>
}): Promise<KillRun> {
  const random = randomFor(SEED, 'kills')
  const simulator = await startErpSimulator({ dedup: false })
  onTestFinished(() => simulator.close())
  const env: Record<string, string> = {
    ...{ ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', LOG_LEVEL: 'error' },
    ...options.env,
  }
  const panel = await startPanel({ env })
  onTestFinished(() => panel.stop())
  addOperator(panel, env)
  const login = await post(panel, '/api/auth/login', {}, { username: 'operador', password: PASSWORD })
  const { token } = (await login.json()) as { token: string }
  const sections = await findSections(panel, token, 2 * (options.settledMin ?? 0) + 10_000)
  const settled: Settled = new Map()
  await simulator.state.setFaults([{ id: 'F01', operation: 'apontamentos', ms: 60, count: null, chance: 0.3 }])
  if (options.mistake) {
    env.NODE_OPTIONS = preload(options.mistake)
    await panel.kill('SIGKILL')
    await panel.restart()
  }
  let over = false
  const nextSection = () => random.pick(sections)
  const operators = Promise.all(
    Array.from({ length: OPERATORS }, () => work(panel, token, nextSection, settled, () => over)),
  )
  for (let kill = 0; kill < options.kills; kill++) {
    const settledWanted = ((options.settledMin ?? 0) * (kill + 1)) / options.kills
    do await new Promise((resolve) => setTimeout(resolve, random.between(50, 400)))
    while (settled.size < settledWanted)
    await options.kill(panel, settled)
  }
  over = true
  await operators
  await panel.kill('SIGKILL')
  Object.assign(env, { NODE_OPTIONS: preload('clock-ahead'), CLOCK_AHEAD_MS: String(CLOCK_AHEAD_MS) })
  await panel.restart()
  await untilDelivered(panel)
  await panel.kill('SIGTERM')
  return { settled, writes: simulator.state.writes, panel }
}

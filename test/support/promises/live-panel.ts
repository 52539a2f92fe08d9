import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { type ErpSimulatorOptions, startErpSimulator } from '../../../demo/simulator/simulator.ts'
import { freePort } from '../../../deploy/galera/processes.ts'
import type { CutItem } from '../../../src/contract/items.ts'
import type { CutCrimpRecording } from '../../../src/contract/recordings.ts'
import type { Status } from '../../../src/contract/settings.ts'
import { openMysql } from '../../../src/server/store/db/db.ts'
import { PASSWORD } from '../harness.ts'
import { type Panel, runUserCommand, startPanel } from '../panel.ts'
import { largeOrders, type Section, searchPath, sectionsOf } from './workload.ts'

/** Longer than the lease of a delivery, and than an unknown id must be old to count as not executed. */
const CLOCK_AHEAD_MS = 600_000

const preload = (name: string) => `--import=${new URL(`preloads/${name}.ts`, import.meta.url).href}`

const postTo = (address: string, path: string, headers: Record<string, string>, body: object) =>
  fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export function addPerson(panel: Panel, env: Record<string, string>, username: 'operador' | 'admin'): void {
  const command = ['add', username, '--full-name', 'Maria Souza', '--role', username]
  const { status, stderr } = runUserCommand(command, { ...env, DATA_DIR: panel.dataDir }, `${PASSWORD}\n`)
  expect(status, stderr).toBe(0)
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

const isReady = async (address: string) => (await fetch(`${address}/ready`)).ok

/** On MariaDB its clock is everybody's, and does not run ahead: what was noted is moved into the past. */
async function ageDeliveries(url: string): Promise<void> {
  const db = openMysql(url)
  const past = (column: 'lease_until' | 'due_at' | 'sent_at') => sql<number>`${sql.ref(column)} - ${CLOCK_AHEAD_MS}`
  await db.transaction(async (tx) => {
    const times = { lease_until: past('lease_until'), due_at: past('due_at'), sent_at: past('sent_at') }
    await tx.updateTable('erp_outbox').set(times).execute()
    await tx.updateTable('erp_slots').set({ lease_until: 0 }).execute()
  })
  await db.close()
}

/** What needs a person waits for ever; what waits for the ERP does not. */
async function untilNothingWaits(panel: Panel): Promise<void> {
  for (;;) {
    const { waitingSince } = (await (await fetch(`${panel.url}/api/status`)).json()) as Status
    if (waitingSince === null) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * The real server in a process of its own with an operator logged in, against an ERP that stores twice what it is sent
 * twice. Variables put into `env` hold from the next restart on.
 */
export async function startLivePanel(options: {
  env?: Record<string, string> | undefined
  piecesMin: number
  simulator?: ErpSimulatorOptions
  /** The panel is one of several: its own port, and the address that all of them are behind. */
  behind?: { port: number; entrance: string } | undefined
}) {
  const simulator = await startErpSimulator({ dedup: false, ...options.simulator })
  onTestFinished(() => simulator.close())
  const env: Record<string, string> = {
    ...{ ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', LOG_LEVEL: 'error' },
    ...options.env,
  }
  // it is started again and again while its callers' connections take whatever port is given away
  const { port = await freePort(), entrance } = options.behind ?? {}
  const panel = await startPanel({ env, port })
  const address = entrance ?? panel.url
  onTestFinished(() => panel.stop())
  addPerson(panel, env, 'operador')
  await expect.poll(() => isReady(address)).toBe(true)
  const logIn = async (): Promise<string> => {
    const login = await postTo(address, '/api/auth/login', {}, { username: 'operador', password: PASSWORD })
    expect(login.status).toBe(200)
    return ((await login.json()) as { token: string }).token
  }
  const token = await logIn()
  /** Null: no answer came, or its end never did. */
  const attempt = async (path: string, id: string, payload: object) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
    try {
      const answer = await postTo(address, path, headers, payload)
      return { status: answer.status, text: await answer.text() }
    } catch {
      return null
    }
  }
  const restartWith = async (preloads: string, more: Record<string, string> = {}) => {
    Object.assign(env, { NODE_OPTIONS: preload(preloads) }, more)
    await panel.kill('SIGKILL')
    await panel.restart()
  }
  return {
    panel,
    simulator,
    sections: await findSections(panel, token, options.piecesMin),
    restartWith,
    env,
    token,
    /** The same operator on another device. Resolves to the token. */
    logIn,
    untilNothingWaits: () => untilNothingWaits(panel),
    record: (id: string, payload: CutCrimpRecording) => attempt('/api/apontamentos/corte-crimpagem', id, payload),
    send: attempt,
    /** Time goes by, so that the leases of dead lives end; all that waits is delivered, the server stops. */
    async finish(): Promise<void> {
      const { DATABASE_URL: url } = env
      if (url) {
        await panel.kill('SIGKILL')
        await ageDeliveries(url)
      }
      await restartWith('clock-fast', { CLOCK_AHEAD_MS: String(url ? 0 : CLOCK_AHEAD_MS) })
      await untilNothingWaits(panel)
      await panel.kill('SIGTERM')
    },
  }
}

export type LivePanel = Awaited<ReturnType<typeof startLivePanel>>

import { spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { CutItem } from '../src/contract/items.ts'
import type { CutCrimpRecording } from '../src/contract/recordings.ts'
import { startErpSimulator } from '../src/erp-simulator/simulator.ts'
import { listCounterDeviations } from '../src/server/store/applicators.ts'
import { openSqlite, openSqliteFile, withStatementCache } from '../src/server/store/db.ts'
import { type Panel, startPanel } from './panel.ts'

const KILLS = Number(process.env.KILLS ?? 50)
const OPERATORS = 4
const PASSWORD = 'senha-de-teste'
/** 250 items. */
const LARGE_ORDER = '01622001001'
const APPLICATOR = 'MA-0001'

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

const crimpOn = (item: CutItem): CutCrimpRecording => ({
  EMPRESA: item.Z1_FILIAL,
  ORDEM_PROD: item.Z1_OP,
  QTD_ORDEM_PROD: item.Z1_QUANT,
  QTD_REALIZADA: 1,
  COD_BARRA: item.Z1_CODBAR,
  MAQUINA: 'KX0001 - Komax',
  TERM_LD1: item.Z1_TERML1,
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: 'B23-004517/2',
  MA_LD1: APPLICATOR,
})

/**
 * One operator's tablet: records crimp after crimp, each under one id, and repeats it until the server has answered
 * for good. Adds to `settled` what the operator saw as saved.
 */
async function work(panel: Panel, token: string, items: CutItem[], settled: Set<string>, isOver: () => boolean) {
  while (!isOver()) {
    const id = randomUUID()
    const payload = crimpOn(items[randomInt(items.length)] as CutItem)
    for (;;) {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': id }
      const answer = await post(panel, '/api/apontamentos/corte-crimpagem', headers, payload).catch(() => null)
      const status = answer?.status ?? 0
      await answer?.arrayBuffer().catch(() => undefined)
      if (status === 201 || status === 202) settled.add(id)
      else if (status === 0 || status > 500) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        continue
      } else if (status !== 409) throw new Error(`answered ${status}`)
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

async function judge(panel: Panel, settled: Set<string>, writes: readonly { id: string }[]): Promise<void> {
  const stored = writes.map(({ id }) => id)
  expect(new Set(stored).size, 'a recording is twice at the ERP').toBe(stored.length)
  const atErp = new Set(stored)
  expect(
    [...settled].filter((id) => !atErp.has(id)),
    'lost',
  ).toEqual([])
  const file = join(panel.dataDir, 'painel.sqlite')
  const raw = new Sqlite(file, { readonly: true })
  expect(raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  const unit = raw.prepare('select crimps from applicator_units').get() as { crimps: number }
  expect(unit.crimps, 'counter').toBe(stored.length)
  raw.close()
  const db = openSqlite(withStatementCache(openSqliteFile(file)))
  expect(await listCounterDeviations(db.read)).toEqual([])
  await db.close()
}

test(`${KILLS} kills of the real server under load: nothing lost, nothing doubled`, async () => {
  const simulator = await startErpSimulator({ dedup: false })
  onTestFinished(() => simulator.close())
  const env = { ERP_URL: simulator.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', LOG_LEVEL: 'error' }
  const panel = await startPanel({ env })
  onTestFinished(() => panel.stop())
  addOperator(panel, env)
  const login = await post(panel, '/api/auth/login', {}, { username: 'operador', password: PASSWORD })
  const { token } = (await login.json()) as { token: string }
  const search = `/api/apontamentos/itens?filial=010101&termo=${LARGE_ORDER}&modo=APONTAMENTO`
  const found = await fetch(panel.url + search, { headers: { authorization: `Bearer ${token}` } })
  const { items } = (await found.json()) as { items: CutItem[] }
  const crimped = items.filter(({ Z1_TERML1, Z1_PCRIML1 }) => !['', '0'].includes(Z1_TERML1) && Z1_PCRIML1 < 100)

  const settled = new Set<string>()
  let over = false
  const operators = Promise.all(
    Array.from({ length: OPERATORS }, () => work(panel, token, crimped, settled, () => over)),
  )
  for (let kill = 0; kill < KILLS; kill++) {
    await new Promise((resolve) => setTimeout(resolve, randomInt(50, 400)))
    await panel.kill('SIGKILL')
    await panel.restart()
  }
  over = true
  await operators
  await untilDelivered(panel)
  console.log({ kills: KILLS, settled: settled.size, atErp: simulator.state.writes.length })
  expect(settled.size).toBeGreaterThan(KILLS * 3)
  await judge(panel, settled, simulator.state.writes)
})

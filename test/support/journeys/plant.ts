import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sampleBlockedLot } from '../../../demo/simulator/sample-catalogue.ts'
import { type ErpSimulator, startErpSimulator } from '../../../demo/simulator/simulator.ts'
import { openPasswords } from '../../../src/server/http/passwords.ts'
import { openDb } from '../../../src/server/store/db/db.ts'
import { insertUser } from '../../../src/server/store/users.ts'
import type { Panel } from '../panel.ts'
import { LONG } from '../slowness.ts'
import { BARCODE, test as base, expect, ORDER, PIECES, queryPanel } from './journey.ts'
import type { TestServer } from './test-server.ts'

export const ADMIN = 'administrador'
/** Another operator. */
export const COLLEAGUE = 'joao.dias'

const people = [
  ['operador', 'Maria Souza', 'operador'],
  [COLLEAGUE, 'João Dias', 'operador'],
  [ADMIN, 'Ana Lima', 'admin'],
] as const
/** Made once a worker. */
const hashes = new Map<string, Promise<string>>()
const hashOf = (username: string) => {
  const hash = hashes.get(username) ?? openPasswords().hash(username)
  hashes.set(username, hash)
  return hash
}

/** The password is the name, as in the demonstration: no command would take it. */
async function addUsers(dataDir: string): Promise<void> {
  const db = openDb({ kind: 'sqlite', file: join(dataDir, 'painel.sqlite') })
  for (const [username, fullName, role] of people) {
    const passwordHash = await hashOf(username)
    await db.transaction((tx) => insertUser(tx, { username, fullName, role, passwordHash, createdAt: Date.now() }))
  }
  await db.close()
}

export type Plant = { panel: Panel; erp: ErpSimulator }

/** A panel as a plant runs it, on an ERP that cannot be asked by id and that the journey can put in any mood. */
async function startPlant(server: TestServer): Promise<Plant & { stop: () => Promise<void> }> {
  const erp = await startErpSimulator()
  const env = { ERP_URL: erp.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', ERP_LOOKUP: 'none' }
  const template = await server.template('plant', { env })
  const panel = await server.start({ env, template })
  // not before: a plant does not start with users whose password everybody knows
  await addUsers(panel.dataDir)
  const stop = async () => {
    await panel.stop()
    await erp.close()
  }
  return { panel, erp, stop }
}

const cut = {
  EMPRESA: '010101',
  ORDEM_PROD: ORDER,
  QTD_ORDEM_PROD: PIECES,
  COD_BARRA: BARCODE,
  MAQUINA: 'KX0001 - Komax',
  COD_CABO: 'CB050AMVD',
  LOTE_CABO: 'L261118004',
  COMPRIMENTO_CABO: 1250,
}
const crimp = {
  ...cut,
  COD_CABO: undefined,
  LOTE_CABO: undefined,
  COMPRIMENTO_CABO: undefined,
  MAQUINA: 'PR0001 - Schäfer',
  TERM_LD1: 'T1326030',
  FORCA_LD1: 70,
  ALTURA_LD1: 1.1,
  LOTE_TERM_LD1: sampleBlockedLot,
  MA_LD1: 'MA-0001',
}

/** One recording that the ERP refuses late, one that only a person can judge, and two that wait: the ERP is left away. */
export async function leavePending({ panel, erp }: Plant): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(panel.url + path, { ...init, body: JSON.stringify(body) })
    return (await answer.json()) as { token: string }
  }
  const { token } = await post('/api/auth/login', { username: 'operador', password: 'operador' })
  const authorization = `Bearer ${token}`
  const record = (body: object) =>
    post('/api/apontamentos/corte-crimpagem', body, { authorization, 'idempotency-key': randomUUID() })
  const statesMissing = async (...states: string[]) => {
    const listed = queryPanel<{ state: string }>(panel, 'select state from recordings').map(({ state }) => state)
    return states.filter((state) => !listed.includes(state))
  }
  const copied = [
    `apontamentos/itens?filial=010101&termo=${ORDER}&modo=APONTAMENTO`,
    'maquinas?filial=010101&tipo=cabo',
  ]
  for (const path of copied) await fetch(`${panel.url}/api/${path}`, { headers: { authorization } })
  await record({ ...crimp, QTD_REALIZADA: 10, captura: { salvoNoDispositivo: true } })
  await expect.poll(() => statesMissing('parked'), LONG).toEqual([])
  await erp.state.setFaults([{ id: 'F30' }, { id: 'F06', variant: 'reset' }])
  await record({ ...cut, QTD_REALIZADA: 48 })
  await expect.poll(() => statesMissing('parked', 'uncertain'), LONG).toEqual([])
  await erp.state.setFaults([{ id: 'F31', variant: 'refused' }])
  for (const pieces of [30, 1]) await record({ ...crimp, LOTE_TERM_LD1: 'B23-004517/2', QTD_REALIZADA: pieces })
}

type Fixtures = {
  plant: Plant
  /** The ERP of the plant. */
  erp: ErpSimulator
}

export const test = base.extend<Fixtures>({
  plant: async ({ server }, use) => {
    const { stop, ...plant } = await startPlant(server)
    await use(plant)
    await stop()
  },
  panel: async ({ plant }, use) => use(plant.panel),
  erp: async ({ plant }, use) => use(plant.erp),
})

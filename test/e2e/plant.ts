import { spawnSync } from 'node:child_process'
import { type ErpSimulator, startErpSimulator } from '../../src/erp-simulator/simulator.ts'
import { type Panel, startPanel } from '../panel.ts'
import { test as base } from './journey.ts'

export const ADMIN = 'administrador'

/** As an administrator does; the password is the name, as in the demonstration. */
function addUser(dataDir: string, username: string, fullName: string, role: string): void {
  const { PATH = '', HOME = '' } = process.env
  const args = ['src/server/user-command.ts', 'add', username, '--full-name', fullName, '--role', role]
  const env = { PATH, HOME, DATA_DIR: dataDir }
  const { status, stderr } = spawnSync(process.execPath, args, { env, input: `${username}\n`, encoding: 'utf8' })
  if (status !== 0) throw new Error(`No user ${username}: ${stderr}`)
}

export type Plant = { panel: Panel; erp: ErpSimulator }

/** A panel as a plant runs it, on an ERP that cannot be asked by id and that the journey can put in any mood. */
export async function startPlant(): Promise<Plant & { stop: () => Promise<void> }> {
  const erp = await startErpSimulator()
  const env = { ERP_URL: erp.url, ERP_USER: 'painel', ERP_PASSWORD: 'painel', ERP_LOOKUP: 'none' }
  const panel = await startPanel({ env })
  addUser(panel.dataDir, 'operador', 'Maria Souza', 'operador')
  addUser(panel.dataDir, ADMIN, 'Ana Lima', 'admin')
  const stop = async () => {
    await panel.stop()
    await erp.close()
  }
  return { panel, erp, stop }
}

type Fixtures = {
  plant: Plant
  /** The ERP of the plant. */
  erp: ErpSimulator
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  plant: async ({}, use) => {
    const { stop, ...plant } = await startPlant()
    await use(plant)
    await stop()
  },
  panel: async ({ plant }, use) => use(plant.panel),
  erp: async ({ plant }, use) => use(plant.erp),
})

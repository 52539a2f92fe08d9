import type { Machine, MachineType } from '../contract/machines.ts'
import type { Context } from './context.ts'
import { againWhenStored } from './store/db.ts'
import { findMachines, saveMachines } from './store/machines.ts'

/** Machines change a few times a year; the list is wanted at every pick. */
const FRESH_MS = 10 * 60_000

type Asked = { branch: string; type: MachineType | undefined }
export type KeptMachines = { machines: Machine[]; fetchedAt: number }

export const keptMachines = async (
  { branch, type }: Asked,
  { db }: Pick<Context, 'db'>,
): Promise<KeptMachines | null> => await findMachines(db.read, branch, type ?? '')

export const isFresh = (kept: KeptMachines, { now }: Pick<Context, 'now'>): boolean => now() - kept.fetchedAt < FRESH_MS

/** Asks the ERP, and keeps what it answers. */
export async function fetchMachines({ branch, type }: Asked, { db, erp, now }: Context): Promise<Machine[]> {
  const found = await erp.listMachines({ branch, type })
  await againWhenStored(() => db.transaction((tx) => saveMachines(tx, branch, type ?? '', found, now())))
  return found
}

import type { FastifyInstance } from 'fastify'
import { type Machine, type MachineType, machines } from '../../contract/machines.ts'
import { readOrCopy, requirePlant } from '../acts/erp-copies.ts'
import { bind } from '../http/bind.ts'
import type { Context } from '../panel.ts'
import { againWhenStored } from '../store/db/db.ts'
import { findMachines, saveMachines } from '../store/machines.ts'

/** Machines change a few times a year; the list is wanted at every pick. */
const FRESH_MS = 10 * 60_000

type MachineRequest = { branch: string; type: MachineType | undefined }
export type CachedMachines = { machines: Machine[]; fetchedAt: number }

export const cachedMachines = async (
  { branch, type }: MachineRequest,
  { db }: Pick<Context, 'db'>,
): Promise<CachedMachines | null> => await findMachines(db.read, branch, type ?? '')

export const isFresh = (cached: CachedMachines, { now }: Pick<Context, 'now'>): boolean =>
  now() - cached.fetchedAt < FRESH_MS

/** Fetches the list from the ERP and caches it. */
export async function fetchMachines({ branch, type }: MachineRequest, { db, erp, now }: Context): Promise<Machine[]> {
  const found = await erp.listMachines({ branch, type })
  await againWhenStored(() => db.transaction((tx) => saveMachines(tx, branch, type ?? '', found, now())))
  return found
}

export function machineRoutes(app: FastifyInstance, context: Context): void {
  const underWay = new Map<string, Promise<Machine[]>>()
  /** A screen asks for several lists at once, and every tablet for the same. */
  const fetchOnce = (request: Parameters<typeof fetchMachines>[0]) => {
    const key = `${request.branch}|${request.type ?? ''}`
    const fetching = underWay.get(key) ?? fetchMachines(request, context).finally(() => underWay.delete(key))
    underWay.set(key, fetching)
    return fetching
  }

  bind(app, context, machines.list, async ({ query }) => {
    requirePlant(query.filial, context)
    const request = { branch: query.filial, type: query.tipo }
    const cached = await cachedMachines(request, context)
    if (cached && isFresh(cached, context)) return cached.machines
    const { value } = await readOrCopy(
      () => fetchOnce(request),
      async () => cached && { value: cached.machines, fetchedAt: cached.fetchedAt },
      context,
    )
    return value
  })
}

import type { FastifyInstance } from 'fastify'
import { machines } from '../../contract/machines.ts'
import type { Context } from '../context.ts'
import { readOrCopy, requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { againWhenStored } from '../store/db.ts'
import { findMachines, saveMachines } from '../store/machines.ts'

/** Machines change a few times a year; the list is wanted at every pick. */
const FRESH_MS = 10 * 60_000

export function machineRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, machines.list, async ({ query }, { db, erp, now }) => {
    requirePlant(query.filial, context)
    const machineType = query.tipo ?? ''
    const kept = await findMachines(db.read, query.filial, machineType)
    if (kept && now() - kept.fetchedAt < FRESH_MS) return kept.machines
    const { value } = await readOrCopy(
      async () => {
        const found = await erp.listMachines({ branch: query.filial, type: query.tipo })
        await againWhenStored(() => db.transaction((tx) => saveMachines(tx, query.filial, machineType, found, now())))
        return found
      },
      async () => kept && { value: kept.machines, fetchedAt: kept.fetchedAt },
      context,
    )
    return value
  })
}

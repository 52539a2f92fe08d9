import type { FastifyInstance } from 'fastify'
import { machines } from '../../contract/machines.ts'
import type { Context } from '../context.ts'
import { readOrCopy, requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { fetchMachines, isFresh, keptMachines } from '../machines.ts'

export function machineRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, machines.list, async ({ query }) => {
    requirePlant(query.filial, context)
    const asked = { branch: query.filial, type: query.tipo }
    const kept = await keptMachines(asked, context)
    if (kept && isFresh(kept, context)) return kept.machines
    const { value } = await readOrCopy(
      () => fetchMachines(asked, context),
      async () => kept && { value: kept.machines, fetchedAt: kept.fetchedAt },
      context,
    )
    return value
  })
}

import type { FastifyInstance } from 'fastify'
import { type Machine, machines } from '../../contract/machines.ts'
import type { Context } from '../context.ts'
import { readOrCopy, requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { fetchMachines, isFresh, keptMachines } from '../machines.ts'

export function machineRoutes(app: FastifyInstance, context: Context): void {
  const underWay = new Map<string, Promise<Machine[]>>()
  /** A screen asks for several lists at once, and every tablet for the same. */
  const fetchOnce = (asked: Parameters<typeof fetchMachines>[0]) => {
    const key = `${asked.branch}|${asked.type ?? ''}`
    const fetching = underWay.get(key) ?? fetchMachines(asked, context).finally(() => underWay.delete(key))
    underWay.set(key, fetching)
    return fetching
  }

  bind(app, context, machines.list, async ({ query }) => {
    requirePlant(query.filial, context)
    const asked = { branch: query.filial, type: query.tipo }
    const kept = await keptMachines(asked, context)
    if (kept && isFresh(kept, context)) return kept.machines
    const { value } = await readOrCopy(
      () => fetchOnce(asked),
      async () => kept && { value: kept.machines, fetchedAt: kept.fetchedAt },
      context,
    )
    return value
  })
}

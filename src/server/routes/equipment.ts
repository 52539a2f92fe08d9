import type { FastifyInstance } from 'fastify'
import { equipment } from '../../contract/equipment.ts'
import type { Context } from '../context.ts'
import { listEquipment } from '../equipment.ts'
import { requirePlant } from '../erp-reads.ts'
import { bind } from '../http.ts'
import { fetchMachines, isFresh, type KeptMachines, keptMachines } from '../machines.ts'

/** A board rereads at every recording: it must not take the ERP's time from those who record. */
const ASKED_AGAIN_MS = 60_000

export function equipmentRoutes(app: FastifyInstance, context: Context): void {
  const askedAt = new Map<string, number>()

  /** The last copy answers; where it is old, the next one brings what the ERP says now. */
  async function machinesOf(branch: string): Promise<KeptMachines | null> {
    const asked = { branch, type: undefined }
    const kept = await keptMachines(asked, context)
    const at = context.now()
    const isAskedLately = at - (askedAt.get(branch) ?? Number.NEGATIVE_INFINITY) < ASKED_AGAIN_MS
    if (isAskedLately || (kept && isFresh(kept, context))) return kept
    askedAt.set(branch, at)
    const asking = fetchMachines(asked, context).catch((error: unknown) =>
      context.log.warn({ err: error }, 'the list of machines could not be read'),
    )
    if (kept) return kept
    await asking
    return await keptMachines(asked, context)
  }

  bind(app, context, equipment.list, async ({ query }) => {
    requirePlant(query.filial, context)
    return await listEquipment(query.filial, await machinesOf(query.filial), context)
  })
}

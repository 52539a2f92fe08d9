import type { FastifyInstance } from 'fastify'
import { health } from '../../contract/health.ts'
import { plantDay } from '../../domain/plant/plant-time.ts'
import { supportFileName } from '../../domain/plant/support-files.ts'
import { bind } from '../http/bind.ts'
import { refusedFor } from '../http/refused.ts'
import type { Call, Context } from '../panel.ts'
import { readPlantFacts } from '../upkeep/alarms.ts'
import { beginExport } from '../upkeep/audit.ts'

/** A file reads much of the database, which recordings wait for. */
const EVERY_MS = 10_000

async function gather(call: Call): Promise<string> {
  const { db, config, installation, logKeeper, serverWatch, now } = call
  await beginExport(call, supportFileName(plantDay(now(), config.timeZone)))
  // what was logged in the last second
  await logKeeper.flush(call)
  const own = await serverWatch.read()
  const faults: Record<string, unknown> = {}
  const facts = await readPlantFacts(call, own).catch((error: unknown) => {
    faults.fatos = error
    return null
  })
  const { env } = installation
  // large, and asked for once in a year: decision 146
  const { gatherSupportBundle } = await import('../upkeep/support/bundle.ts')
  return await gatherSupportBundle({ madeBy: 'tela', now: now(), env, config, db, own, facts, faults })
}

/** One at a time, and no sooner than some seconds after the last. */
export function supportFileRoutes(app: FastifyInstance, context: Context): void {
  let nextMs = Number.NEGATIVE_INFINITY
  bind(app, context, health.supportFile, async (_, call) => {
    const waitMs = nextMs - call.elapsedMs()
    if (waitMs > 0) throw refusedFor('support_file_busy', Math.min(waitMs, EVERY_MS))
    nextMs = Number.POSITIVE_INFINITY
    try {
      return await gather(call)
    } finally {
      nextMs = call.elapsedMs() + EVERY_MS
    }
  })
}

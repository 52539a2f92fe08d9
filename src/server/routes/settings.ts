import type { FastifyInstance } from 'fastify'
import { settings, status, VERSION } from '../../contract/settings.ts'
import type { Context } from '../context.ts'
import { bind } from '../http.ts'
import { countPending } from '../store/recordings.ts'

export function settingsRoutes(app: FastifyInstance, context: Context): void {
  bind(app, context, settings.get, async (_, { config }) => ({
    siteName: config.siteName,
    plants: config.plants,
    timeZone: config.timeZone,
    forceUnit: config.erpSettings.forceUnit,
  }))

  bind(app, context, status.get, async (_, { db, erp, log }) => {
    const pending = await countPending(db.read).catch((error: unknown) => {
      log.warn({ err: error }, 'the database did not answer the status call')
      return null
    })
    return {
      api: 'online' as const,
      database: pending === null ? ('offline' as const) : db.kind,
      erp: erp.health().online ? ('online' as const) : ('offline' as const),
      pending: pending ?? 0,
      version: VERSION,
    }
  })
}
